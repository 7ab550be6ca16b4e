/** What is written about a cell that is compared with the same cell of another step. Pure. */

import { full, short } from "../core/format.js";
import { maskWords } from "../core/scale.js";
import { NEW, OTHER, SAME } from "./difference.js";

/** @typedef {import("../core/scale.js").Scale} Scale */

/**
 * What stands in a cell that has changed: by how much; for a mask what it became; for an id that it is another one.
 * @param {number} change
 * @param {Scale} scale of the values themselves
 */
export function changeText(change, scale) {
  if (scale.kind === "mask") return change > 0 ? maskWords(scale).yes : maskWords(scale).no;
  if (scale.kind === "id") return "≠";
  return change > 0 ? `+${short(change)}` : short(change);
}

/**
 * The same with all digits, for a table.
 * @param {number} kind
 * @param {number} change
 * @param {Scale} scale of the values themselves
 */
export function changeInFull(kind, change, scale) {
  if (kind !== OTHER) return kind === NEW ? "new" : "same";
  if (scale.kind === "mask" || scale.kind === "id") return changeText(change, scale);
  return change > 0 ? `+${full(change)}` : full(change);
}

/**
 * The end of the sentence about a cell: "; in step 5 it is 0.3, a difference of +0.1".
 * @param {{kind: number, change: number, before: number}} found
 * @param {number} step
 * @param {Scale} scale
 */
export function changeWords({ kind, change, before }, step, scale) {
  if (kind === NEW) return `; new: step ${step + 1} has no such cell`;
  if (kind === SAME) return `; the same bits in step ${step + 1}`;
  if (scale.kind === "mask") return `; in step ${step + 1} it is ${before ? maskWords(scale).yes : maskWords(scale).no}`;
  if (scale.kind === "id") return `; in step ${step + 1} it is id ${before}`;
  return `; in step ${step + 1} it is ${full(before)}, a difference of ${change > 0 ? "+" : ""}${full(change)}`;
}
