/** From a value to a place on its colour scale: signed about zero, shares from 0 to 1, masks, ids. */

/** @typedef {import("./types.js").Record_} Record_ @typedef {import("./types.js").Tensor} Tensor */

/**
 * `bound` is the value with the strongest colour; a signed scale reaches from −bound to bound, a share from 0 to bound.
 * `blocked` says that −∞ means "blocked" here.
 * @typedef {{kind: "signed" | "share" | "mask" | "id", bound: number, blocked: boolean}} Scale
 */

/**
 * @param {Tensor | undefined} tensor
 * @param {Pick<Record_, "dtype" | "summary">} record
 * @param {(name: string) => Tensor | undefined} find the legend entry of another tensor
 * @returns {Scale}
 */
export function scaleOf(tensor, { dtype, summary }, find) {
  if (dtype === "bool") return { kind: "mask", bound: 1, blocked: false };
  if (dtype.startsWith("int")) return { kind: "id", bound: 1, blocked: false };
  const blocked = tensor?.kind === "mask";
  if (isShare(tensor)) return { kind: "share", bound: 1, blocked };
  if (isDroppedShare(tensor, find)) return { kind: "share", bound: Math.max(1, Number(summary.max)), blocked };
  return { kind: "signed", bound: boundOf(summary.min === null ? null : [Number(summary.min), Number(summary.max)]), blocked };
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
