/** From a value to a place on its colour scale: signed about zero, shares from 0 to 1, masks, ids. */

import { MARKS } from "./format.js";

/** @typedef {import("./types.js").Record_} Record_ @typedef {import("./types.js").Tensor} Tensor */

/**
 * `bound` is the value with the strongest colour; a signed scale reaches from −bound to bound, a share from 0 to bound.
 * `side` is there where all values have one sign: the scale then reaches from 0 to bound, or from −bound to 0.
 * `blocked` says that −∞ means "blocked" here; `words` are those of a mask that neither allows nor blocks.
 * @typedef {{kind: "signed" | "share" | "mask" | "id", bound: number, blocked: boolean, side?: "above" | "below", words?: MaskWords}} Scale
 * @typedef {{yes: string, no: string}} MaskWords
 */

/** @type {MaskWords} */
const ALLOWS = { yes: "allowed", no: MARKS.blocked };

/** @type {MaskWords} */
const COUNTS = { yes: "counted", no: "left out" };

/** Shares that all stay below this have a scale of their own; on that from 0 to 1 they would be one colour. */
const FAINT = 0.05;

/**
 * @param {Tensor | undefined} tensor
 * @param {Pick<Record_, "dtype" | "summary">} record
 * @param {(name: string) => Tensor | undefined} find the legend entry of another tensor
 * @returns {Scale}
 */
export function scaleOf(tensor, { dtype, summary }, find) {
  if (dtype === "bool") return { kind: "mask", bound: 1, blocked: false, ...(tensor?.kind === "counted" ? { words: COUNTS } : {}) };
  if (dtype.startsWith("int")) return { kind: "id", bound: 1, blocked: false };
  const blocked = tensor?.kind === "mask";
  if (isShare(tensor)) return { kind: "share", bound: shareBound(Number(summary.max)), blocked };
  if (isDroppedShare(tensor, find)) return { kind: "share", bound: Math.max(1, Number(summary.max)), blocked };
  const range = /** @type {[number, number] | null} */ (summary.min === null ? null : [Number(summary.min), Number(summary.max)]);
  return { kind: "signed", bound: boundOf(range), blocked, ...sideOf(range) };
}

/**
 * What a mask's two values are called.
 * @param {Scale} scale
 * @returns {MaskWords}
 */
export function maskWords({ words = ALLOWS }) {
  return words;
}

/** @param {number} most */
function shareBound(most) {
  return most > 0 && most < FAINT ? most : 1;
}

/** @param {[number, number] | null} range @returns {Pick<Scale, "side">} */
function sideOf(range) {
  if (!range || (range[0] === 0 && range[1] === 0)) return {};
  return range[0] >= 0 ? { side: "above" } : range[1] <= 0 ? { side: "below" } : {};
}

/**
 * Weights and probabilities: each row adds up to 1.
 * @param {Tensor | undefined} tensor
 */
export function isShare(tensor) {
  return tensor?.kind === "softmax" || tensor?.kind === "exp";
}

/**
 * Shares after dropout: in evaluation the shares as they are; in training some are 0 and the rest have grown, up to 1 / (1 − p).
 * @param {Tensor | undefined} tensor
 * @param {(name: string) => Tensor | undefined} find
 */
export function isDroppedShare(tensor, find) {
  return tensor?.kind === "multiply" && tensor.reads.some((name) => isShare(find(name)));
}

/**
 * How far a signed scale reaches so that it is symmetric about zero.
 * @param {[number, number] | null} range
 */
export function boundOf(range) {
  return (range && Math.max(Math.abs(range[0]), Math.abs(range[1]))) || 1;
}
