/** Sizes over many powers of ten on one scale from 0 to 1. Pure. */

import { short } from "./format.js";

/** @typedef {{least: number, most: number, share: (value: number) => number}} LogScale   `share` is 0 for what is 0 */

const LEAST = 0.06;
/** The share of the smallest values that may lie below the scale: a few that are nearly 0 would make all others look alike. */
const BELOW = 0.03;

/**
 * A scale over whole powers of ten, all but the few smallest values on it; what lies below still has a visible share.
 * @param {number[]} values
 * @returns {LogScale | null} null where nothing is above 0
 */
export function logScale(values) {
  const there = values.filter((value) => Number.isFinite(value) && value > 0).sort((a, b) => a - b);
  if (there.length === 0) return null;
  const low = Math.floor(Math.log10(there[Math.floor(BELOW * there.length)]));
  const high = Math.max(low + 1, Math.ceil(Math.log10(there[there.length - 1])));
  const share = (/** @type {number} */ value) => (value > 0 && Number.isFinite(value) ? LEAST + (1 - LEAST) * Math.min(1, Math.max(0, (Math.log10(value) - low) / (high - low))) : 0);
  return { least: 10 ** low, most: 10 ** high, share };
}

/** A power of ten as the end of a scale: 0.01, 1, 1e−6. @param {number} value */
export function tenths(value) {
  return value >= 0.01 && value <= 1000 ? String(value) : short(value);
}
