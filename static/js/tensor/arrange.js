/** How a tensor's axes are laid out: rows and columns are drawn, the others are chosen from. */

import { countsFromOne, isSentences } from "../core/axes.js";

/** @typedef {import("../core/types.js").Record_} Record_ */

/**
 * Places in `record.axes`. `panel` is the axis whose places stand side by side, `tabs` are those of which one place is shown.
 * @typedef {{row: number | null, column: number | null, panel: number | null, tabs: number[]}} Layout
 */

/**
 * The last axis makes the columns, the one before it the rows.
 * @param {Pick<Record_, "axes" | "over">} record
 * @returns {Layout}
 */
export function arrange({ axes, over }) {
  const rank = axes.length;
  const outer = axes.map((_, i) => i).slice(0, Math.max(rank - 2, 0));
  const panel = outer.filter((i) => !isSentences(over[i])).at(-1) ?? null;
  return { row: rank > 1 ? rank - 2 : null, column: rank > 0 ? rank - 1 : null, panel, tabs: outer.filter((i) => i !== panel) };
}

/**
 * The place shown on every axis that is not drawn. A selected cell decides; otherwise what was chosen, or the first.
 * @param {Pick<Record_, "over" | "shape">} record
 * @param {Layout} layout
 * @param {Record<string, number>} index
 * @param {number[] | null} cell
 * @returns {number[]} one for each axis; 0 for rows and columns
 */
export function placesShown({ over, shape }, layout, index, cell) {
  return over.map((name, i) => {
    if (i === layout.row || i === layout.column) return 0;
    return Math.min(cell?.[i] ?? index[name] ?? 0, Math.max(shape[i] - 1, 0));
  });
}

/**
 * Which panel stands alone: the one that was chosen, or null for all of them side by side.
 * @param {Pick<Record_, "over" | "shape">} record
 * @param {Layout} layout
 * @param {Record<string, number>} index
 * @param {number[] | null} cell
 */
export function panelAlone({ over, shape }, layout, index, cell) {
  if (layout.panel === null || index[over[layout.panel]] === undefined || shape[layout.panel] < 2) return null;
  return placesShown({ over, shape }, layout, index, cell)[layout.panel];
}

/**
 * The sentence whose tokens name the places.
 * @param {Pick<Record_, "over">} record
 * @param {number[]} places
 * @param {Record<string, number>} index
 */
export function sentenceShown({ over }, places, index) {
  const axis = over.findIndex(isSentences);
  if (axis >= 0) return places[axis];
  const [name] = Object.keys(index).filter(isSentences);
  return name ? index[name] : 0;
}

/**
 * @param {string} over
 * @param {number} place
 * @returns {string} "sentence 1", "head 2"
 */
export function placeTitle(over, place) {
  const name = isSentences(over) ? "sentence" : over;
  return `${name} ${countsFromOne(over) ? place + 1 : place}`;
}

/** @param {number[]} shape */
export function cellsOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}
