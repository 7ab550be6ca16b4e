/** Which parts of a tensor are asked for: aligned tiles of what is in view, so that an answer serves again after moving. */

import { cellsOf } from "./arrange.js";
import { inView, stepOf } from "./span.js";

/** @typedef {import("./span.js").Span} Span @typedef {import("./arrange.js").Layout} Layout @typedef {import("../core/types.js").Record_} Record_ */

/** A run of cells: every `step`-th from `start` up to `stop`. @typedef {{start: number, stop: number, step: number}} Run */

/** Drawn cells along one side of a tile. */
export const TILE = 512;

/** A tensor of at most so many numbers comes whole, so that its sentences and heads are all at hand. */
export const WHOLE = 65536;

/**
 * The tiles along one axis that cover what is in view.
 * @param {Span} span
 * @returns {Run[]}
 */
export function runs(span) {
  const step = stepOf(span);
  const [from, to] = inView(span);
  const side = TILE * step;
  const made = [];
  for (let start = Math.floor(from / side) * side; start < Math.max(to, 1); start += side) {
    made.push({ start, stop: Math.min(start + side, span.length), step });
  }
  return made;
}

/**
 * The slice that fetches one tile, as docs/http-api.md writes it; empty for the whole tensor.
 * @param {Record_} record
 * @param {Layout} layout
 * @param {{places: number[], alone: number | null, rows: Run | null, columns: Run | null}} wanted
 * @returns {string}
 */
export function indexText({ axes, shape }, layout, { places, alone, rows, columns }) {
  const parts = [];
  if (cellsOf(shape) > WHOLE) {
    for (const i of layout.tabs) parts.push(`${axes[i]}:${places[i]}`);
    if (layout.panel !== null && alone !== null) parts.push(`${axes[layout.panel]}:${alone}`);
  }
  for (const [axis, run] of /** @type {[number | null, Run | null][]} */ ([[layout.row, rows], [layout.column, columns]])) {
    if (axis === null || run === null || (run.start === 0 && run.stop === shape[axis] && run.step === 1)) continue;
    const thinned = run.step > 1 ? `/${run.step}` : "";
    parts.push(`${axes[axis]}:${run.start}-${run.stop}${thinned}`);
  }
  return parts.join(",");
}

/**
 * What thinning leaves out, in words; empty when every cell is drawn.
 * @param {number} rowStep
 * @param {number} columnStep
 */
export function thinningWords(rowStep, columnStep) {
  if (rowStep === 1 && columnStep === 1) return "";
  if (rowStep === columnStep) return `every ${ordinal(rowStep)} cell, both ways`;
  const parts = [[rowStep, "row"], [columnStep, "column"]].filter(([step]) => Number(step) > 1).map(([step, word]) => `every ${ordinal(Number(step))} ${word}`);
  return parts.join(", ");
}

/** @param {number} n */
function ordinal(n) {
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return n === 2 ? "second" : `${n}${tail}`;
}
