/** Proofs in words and digits. Pure. */

import { count, full } from "../core/format.js";

/**
 * @typedef {number | boolean | string | null} Value
 * @typedef {{name: string, max_abs: number | string, max_rel: number | string, cell: number[], tolerance: number, passes: boolean}} Measured
 * @typedef {Measured & {leaf: false, cells: number, recorded: Value, replayed: Value, scale: number | string, terms: number, why: string, reads: string[], rule: string, source: string}} Proven
 * @typedef {{name: string, leaf: true, says: string}} Leaf
 * @typedef {Proven | Leaf} Proof
 * @typedef {{name: string, max_abs: number | string, max_rel: number | string, passes: boolean}} Layer
 * @typedef {{passes: boolean, tensors: number, cells: number, exact: number, leaves: Record<string, number>, worst: Measured, failures: Measured[],
 *   unwatched: {cells: number, different: number, max_abs: number | string, passes: boolean},
 *   reference: {layers: Layer[], tolerance: number, why_not: string | null}}} Verdict
 */

/**
 * 3.1e−8
 * @param {number | string | null | undefined} value
 */
export function tiny(value) {
  const number = Number(value ?? 0);
  if (!Number.isFinite(number)) return full(value ?? null);
  return number === 0 ? "0" : number.toExponential(1).replace("e-", "e−").replace("e+", "e");
}

/**
 * Two numbers with twelve digits each, cut where they begin to differ.
 * @param {Value} recorded @param {Value} replayed
 * @returns {{same: string, tails: [string, string]}}
 */
export function sideBySide(recorded, replayed) {
  const [one, other] = [digits(recorded), digits(replayed)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return { same: one.slice(0, at), tails: [one.slice(at), other.slice(at)] };
}

/** @param {Value} value */
function digits(value) {
  if (typeof value === "boolean") return value ? "allowed" : "blocked";
  const number = Number(value);
  if (!Number.isFinite(number) || Number.isInteger(number)) return full(/** @type {number | string | null} */ (value));
  return number.toPrecision(12).replaceAll("-", "−").replace("e+", "e");
}

/**
 * How much of what rounding may cost was used, from 0 to 1; more is a failure.
 * @param {Measured} proof
 */
export function share({ max_rel: relative, tolerance }) {
  return tolerance === 0 ? Number(Number(relative) > 0) : Number(relative) / tolerance;
}

/**
 * "16 %", "under 1 %"
 * @param {number} part
 */
export function percentOf(part) {
  if (!Number.isFinite(part) || part > 9.99) return "far more than all";
  return part > 0 && part < 0.01 ? "under 1 %" : `${Math.round(part * 100)} %`;
}

/**
 * The mark of a whole trace.
 * @param {Verdict} verdict
 */
export function verdictWords({ passes, tensors, failures }) {
  if (passes) return `✓ all ${count(tensors)} tensors recomputed`;
  if (failures.length === 0) return "✗ this run is not proved";
  return `✗ ${count(failures.length)} of ${count(tensors)} tensors ${failures.length === 1 ? "differs" : "differ"}`;
}

const LEAVES = new Map([["given", "given"], ["parameter", "parameters"], ["drawn", "drawn at random"]]);

/**
 * "3 given, 88 parameters"
 * @param {Record<string, number>} leaves
 */
export function leafWords(leaves) {
  return Object.entries(leaves).map(([kind, number]) => `${count(number)} ${LEAVES.get(kind) ?? kind}`).join(", ");
}
