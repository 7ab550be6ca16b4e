/** Numbers of an explanation: as many digits as it takes to add them up, all of a column under one another. Pure. */

import { fixed, full, short } from "../core/format.js";
import { visible } from "../core/tokens.js";

/** @typedef {import("../core/types.js").Cell_} Cell_ */

const DIGITS = 4;

/**
 * What stands for a value: `words` are those of a mask, `text` is the token of an id.
 * @typedef {{words?: {yes: string, no: string}, text?: string | null, decimals?: number}} How
 */

/**
 * How many decimals a column of numbers needs so that its largest has five digits or so; none where all are whole.
 * @param {(Cell_ | null)[]} values
 */
export function decimalsFor(values) {
  if (values.every((value) => typeof value !== "number" || (Number.isInteger(value) && Math.abs(value) < 1e6))) return 0;
  const largest = values.reduce((/** @type {number} */ most, value) => (typeof value === "number" ? Math.max(most, Math.abs(value)) : most), 0);
  if (largest === 0) return DIGITS;
  const exponent = Math.floor(Math.log10(largest));
  if (exponent >= 0) return Math.max(1, DIGITS - exponent);
  return Math.min(DIGITS - 1 - exponent, 8);
}

/**
 * A value in a table or an equation.
 * @param {Cell_ | null} value
 * @param {How} [how]
 * @returns {string}
 */
export function written(value, { words, text, decimals = DIGITS } = {}) {
  if (value === null) return "—";
  if (typeof value === "boolean") return value ? (words?.yes ?? "allowed") : (words?.no ?? "blocked");
  if (text !== undefined && text !== null) return `${value} “${visible(text)}”`;
  const number = Number(value);
  if (number === 0) return "0";
  return Number.isFinite(number) && Math.abs(number) < 0.5 * 10 ** -decimals ? short(number) : fixed(number, decimals);
}

/**
 * All there is of a value.
 * @param {Cell_ | null} value
 * @param {How} [how]
 * @returns {string}
 */
export function inFull(value, how) {
  return typeof value === "boolean" || how?.text ? written(value, how) : full(value);
}

/** A difference: 1e−9. @param {Cell_ | null} value */
export function difference(value) {
  return value === null ? "—" : Number(value) === 0 ? "0" : short(Number(value));
}

/** What a value counts as in a sum: true is 1. @param {Cell_} value */
export function numberOf(value) {
  return Number(value);
}
