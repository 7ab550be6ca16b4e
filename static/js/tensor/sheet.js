/** One matrix of a picture with all there is to draw of it: its values, or how they differ from another step's. */

import { placeLabel } from "../core/axes.js";
import { boundOf } from "../core/scale.js";
import { visible } from "../core/tokens.js";
import { lookUp } from "./cells.js";
import { changeText } from "./change.js";
import { behindOf, hasCaptions, hasSums, labelOf, slabsOf } from "./picture.js";
import { rangeOf, rowSums } from "./slab.js";
import { differenceSlabs, tallyOf } from "./tally.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {import("./context.js").Context} Context @typedef {import("./slab.js").Slab} Slab */

/**
 * @param {Picture} picture
 * @param {number} panel
 * @param {{shared: boolean, axisCss: (over: string) => string}} options `shared`: one scale for all matrices
 * @returns {import("./draw.js").Sheet}
 */
export function sheetOf(picture, panel, { shared, axisCss }) {
  const { context, frame, spans } = picture;
  const { record, layout } = context;
  const { slabs, behind, kinds, scale } = cellsOf(picture, panel);
  const own = !shared && scale.kind === "signed" && picture.panels.length > 1;
  const over = (/** @type {number | null} */ axis) => (axis === null ? "" : record.over[axis]);
  return {
    frame, spans, slabs, behind, kinds, changed: (value) => changeText(value, context.scale),
    scale: own ? { ...scale, bound: boundOf(slabs.length ? rangeOf(slabs[slabs.length - 1]) : null) } : scale,
    rowLabel: (place) => labelOf(context, layout.row, place), columnLabel: (place) => labelOf(context, layout.column, place),
    colours: { row: axisCss(over(layout.row)), column: axisCss(over(layout.column)) },
    caption: hasCaptions(context) ? (row, column, value) => captionOf(context, row, column, kinds ? lookUp(slabsOf(picture, panel, 0), row, column) ?? NaN : value) : null,
    sums: hasSums(context) && !kinds ? sumsOf(slabs, spans) : null,
  };
}

/**
 * The cells of one matrix as they are drawn; `kinds` where they are differences.
 * @param {Picture} picture
 * @param {number} panel
 * @returns {{slabs: Slab[], behind: Slab[], kinds: Slab[] | null, scale: import("../core/scale.js").Scale}}
 */
export function cellsOf(picture, panel) {
  const { context } = picture;
  const tally = tallyOf(picture);
  if (tally) return { slabs: differenceSlabs(picture, panel, 0), behind: [], kinds: differenceSlabs(picture, panel, 1), scale: tally.scale };
  return { slabs: slabsOf(picture, panel, 0), behind: behindOf(context).length ? slabsOf(picture, panel, 1) : [], kinds: null, scale: context.scale };
}

/** Sums of whole rows only. @param {Slab[]} slabs @param {{columns: import("./span.js").Span}} spans */
function sumsOf(slabs, { columns }) {
  const full = slabs.filter((slab) => slab.columns === columns.length && slab.columnStep === 1 && slab.rowStep === 1);
  return full.length === 1 ? { first: full[0].rowStart, sums: rowSums(full[0]) } : null;
}

/** @param {Context} context @param {number} row @param {number} column @param {number} value */
function captionOf({ record, layout, trace, model }, row, column, value) {
  if (record.dtype.startsWith("int")) {
    const all = [trace.tokens.labels, trace.tokens.tgt, trace.tokens.src];
    const text = model.vocabulary?.[value] ?? all.map((tokens) => tokens?.[row]?.[column]).find((token) => token?.id === value)?.text;
    return text === undefined ? "" : visible(text);
  }
  const axis = Number(layout.column);
  return visible(placeLabel(trace, model, record.over[axis], column, row, record.axes[axis]));
}
