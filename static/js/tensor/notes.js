/** What a reader would otherwise wonder about: rows that add up to nothing, rows of padding, an average. */

import { fill } from "../core/dom.js";
import { hasSums, isThinned, labelOf, slabsOf } from "./picture.js";
import { isDroppedShare } from "../core/scale.js";
import { rowSums } from "./slab.js";

/**
 * @param {HTMLElement} element
 * @param {import("./picture.js").Picture} picture
 */
export function rowNotes(element, picture) {
  const { context } = picture;
  const notes = [];
  if (hasSums(context) && !picture.against && !isThinned(picture)) {
    const empty = emptyRows(picture);
    if (empty.length) notes.push(`No key allowed in row ${empty.join(", ")}: all 0.`);
    else if (isDroppedShare(context.tensor, context.find)) notes.push("After dropout a row no longer adds up to 1: some weights are 0, the rest have grown.");
    else notes.push("Each row adds up to 1.");
  }
  if (hasPadding(context)) notes.push("Faint names are padding: computed like the rest, looked at by nothing.");
  fill(element, notes.join(" "));
  element.hidden = notes.length === 0;
}

/**
 * Why a mean is no number: nothing was counted. Empty for any other tensor.
 * @param {Pick<import("./context.js").Context, "record" | "tensor" | "trace">} context
 */
export function noMean({ record, tensor, trace }) {
  if (tensor?.kind !== "divide" || record.shape.length > 0 || record.summary.nan === 0) return "";
  const divisor = trace.records.find(({ name }) => name === tensor.reads.at(-1));
  return divisor && Number(divisor.summary.max) === 0 ? "No label counts (all are padding), so there is no mean: 0 / 0." : "";
}

/** @param {import("./picture.js").Picture} picture @returns {string[]} */
function emptyRows(picture) {
  const { context, panels } = picture;
  const found = new Set();
  for (const panel of panels) {
    for (const slab of slabsOf(picture, panel, 0)) {
      rowSums(slab).forEach((sum, i) => sum === 0 && found.add(slab.rowStart + i));
    }
  }
  return [...found].sort((a, b) => a - b).slice(0, 5).map((row) => `“${labelOf(context, context.layout.row, row).text}” (${row})`);
}

/** @param {import("./context.js").Context} context */
function hasPadding(context) {
  const { layout, record } = context;
  return [layout.row, layout.column].some((axis) => axis !== null && record.shape[axis] <= 512
    && Array.from({ length: record.shape[axis] }, (_, place) => place).some((place) => labelOf(context, axis, place).faint));
}
