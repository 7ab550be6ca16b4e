/** What a cell holds and how it is written. */

import { MARKS, short } from "../core/format.js";
import { maskWords } from "../core/scale.js";
import { valueAt } from "./slab.js";

/** @typedef {import("./slab.js").Slab} Slab */

/**
 * The value at a cell, from the finest part that holds it.
 * @param {Slab[]} slabs
 * @param {number} row
 * @param {number} column
 */
export function lookUp(slabs, row, column) {
  for (let i = slabs.length - 1; i >= 0; i--) {
    const value = valueAt(slabs[i], row, column);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * What a cell says: exactly zero is "0", a small number "0.00".
 * @param {number} value
 * @param {import("../core/scale.js").Scale} scale
 * @param {boolean} blocked
 */
export function cellText(value, scale, blocked) {
  if (scale.kind === "mask") return value ? maskWords(scale).yes : maskWords(scale).no;
  if (scale.kind === "id") return String(value);
  if (value === 0) return "0";
  if (scale.kind === "share" && scale.bound < 1) return short(value);
  return blocked ? MARKS.negative : Number.isFinite(value) && Math.abs(value) < 0.005 ? (value < 0 ? "−0.00" : "0.00") : short(value);
}

/**
 * @param {number} value @param {number} row @param {number} column
 * @param {import("../core/scale.js").Scale} scale @param {Slab[]} behind
 */
export function isBlocked(value, row, column, scale, behind) {
  if (scale.kind === "mask") return value === 0;
  if (scale.blocked) return value === -Infinity;
  return behind.length > 0 && value === 0 && lookUp(behind, row, column) === -Infinity;
}
