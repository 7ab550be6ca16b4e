/** From a panel to a tensor. Pure but for the width of the window. */

/** A panel covers a narrow window. */
const NARROW = "(max-width: 860px)";

/** Whether a panel that is open covers all else: then nothing else is reached, by the keyboard either (css/decode.css). */
export function covers() {
  return globalThis.matchMedia?.(NARROW).matches ?? false;
}

/**
 * Open a tensor at a cell; where the panel covers the window it gives way.
 * @param {Pick<import("../core/types.js").Record_, "name">} record
 * @param {number[] | null} cell
 * @returns {Partial<import("../core/store.js").State>}
 */
export function opened({ name }, cell) {
  return { tensor: name, cell, ...(covers() ? { panel: null } : {}) };
}
