/** A picture of the chosen tensor: how it is laid out in the room there is, the values it needs, and each matrix ready to draw. */

import { isSentences, placeLabel, tokensAlong } from "../core/axes.js";
import { tensors } from "../core/api.js";
import { visible } from "../core/tokens.js";
import { subtract } from "./against.js";
import { cellsOf } from "./arrange.js";
import { CELL, frameOf, multiples } from "./geometry.js";
import { isDroppedShare, isShare } from "../core/scale.js";
import { slabOf } from "./slab.js";
import { stepOf, whole } from "./span.js";
import { indexText, runs } from "./tiles.js";

/**
 * @typedef {import("./context.js").Context} Context @typedef {import("./span.js").Span} Span @typedef {import("./geometry.js").Frame} Frame
 * @typedef {import("../core/types.js").Values} Values @typedef {import("./slab.js").Slab} Slab
 */

/**
 * @typedef {object} Picture
 * @property {Context} context
 * @property {Frame} frame
 * @property {number} perRow
 * @property {number[]} panels   the place of each matrix on the panel axis; [0] without one
 * @property {{rows: Span, columns: Span}} spans
 * @property {Map<string, Values[]>} tiles   what has come, by the slice that was asked for
 * @property {boolean} zoomable
 * @property {number} room   the width it was laid out for
 * @property {import("./against.js").Against | null} against   the step it is compared with
 */

const TALLEST = 440;

/**
 * Lay out a tensor in a width, before any value is known.
 * @param {Context} context
 * @param {number} width
 * @param {(text: string) => number} measure the width of a label
 * @returns {Picture}
 */
export function layOut(context, width, measure) {
  const { record, layout, alone } = context;
  const rows = layout.row === null ? 1 : record.shape[layout.row];
  const columns = layout.column === null ? 1 : record.shape[layout.column];
  const count = layout.panel === null ? 1 : record.shape[layout.panel];
  const margins = {
    left: layout.row === null ? 2 : Math.min(Math.max(24, widestLabel(context, layout.row, measure) + 10), 104),
    widest: layout.column === null ? 0 : widestLabel(context, layout.column, measure),
    strip: hasSums(context), captions: hasCaptions(context),
  };
  const single = alone !== null || count === 1;
  const { perRow, frame } = single ? { perRow: 1, frame: frameOf(rows, columns, width, TALLEST, margins) } : multiples(count, rows, columns, width, margins);
  const zoomable = single && !margins.captions && (frame.cellWidth < CELL.legible || frame.cellHeight < 14);
  return {
    context, frame, perRow, zoomable, room: width, tiles: new Map(), against: null,
    panels: alone === null ? Array.from({ length: count }, (_, i) => i) : [alone],
    spans: {
      rows: whole(rows, frame.height, frame.cellHeight, zoomable ? CELL.height : undefined),
      columns: whole(columns, frame.width, frame.cellWidth, zoomable ? CELL.width : undefined),
    },
  };
}

/** The slices that what is in view needs. @param {Picture} picture */
function slicesOf({ context, spans }) {
  const { record, layout, places, alone } = context;
  const rowRuns = layout.row === null ? [null] : runs(spans.rows);
  const columnRuns = layout.column === null ? [null] : runs(spans.columns);
  return rowRuns.flatMap((rows) => columnRuns.map((columns) => ({ rows, columns, index: indexText(record, layout, { places, alone, rows, columns }) })));
}

/**
 * Fetch what is missing; resolves to whether anything came.
 * @param {Picture} picture
 * @returns {Promise<boolean>}
 */
export async function complete(picture) {
  const { context, tiles, against } = picture;
  const missing = slicesOf(picture).filter(({ index }) => !tiles.has(index));
  const names = [context.record.name, ...behindOf(context)];
  await Promise.all(missing.map(async (wanted) => {
    const own = tensors(context.trace.id, names, { index: wanted.index, of: context.of });
    if (against) await subtract(context, against, { names, ...wanted }, own);
    tiles.set(wanted.index, await own);
  }));
  return missing.length > 0;
}

/** @param {Pick<Picture, "context" | "tiles">} picture @param {number} panel @param {number} which @returns {Slab[]} coarse ones first */
export function slabsOf({ context, tiles }, panel, which) {
  const { record, layout, places } = context;
  const name = (/** @type {number | null} */ axis) => (axis === null ? null : record.axes[axis]);
  const at = Object.fromEntries(record.axes.map((axis, i) => [axis, i === layout.panel ? panel : places[i]]));
  const slabs = [...tiles.values()].filter((values) => values[which]).map((values) => slabOf(values[which], { row: name(layout.row), column: name(layout.column) }, at));
  return slabs.sort((a, b) => b.rowStep * b.columnStep - a.rowStep * a.columnStep);
}

/** The tensor that tells why a weight is zero: the masked scores behind the softmax. @param {Context} context @returns {string[]} */
export function behindOf({ tensor, find }) {
  return tensor?.kind === "softmax" ? tensor.reads.filter((name) => find(name)?.kind === "mask") : [];
}

/** @param {Context} context */
export function hasSums({ tensor, layout, find }) {
  return layout.row !== null && (isShare(tensor) || isDroppedShare(tensor, find));
}

/** Where each row is another sentence, the tokens stand in the cells. @param {Context} context */
export function hasCaptions({ record, layout, trace }) {
  if (layout.row === null || layout.column === null || !isSentences(record.over[layout.row])) return false;
  return tokensAlong(trace, record.axes[layout.column], record.over[layout.column]) !== null;
}

/** @param {Context} context @param {number | null} axis @param {number} place @returns {import("./draw.js").Label} */
export function labelOf({ record, trace, model, sentence, layout }, axis, place) {
  if (axis === null) return { text: "", faint: false };
  const over = record.over[axis];
  if (axis === layout.column && layout.row !== null && isSentences(record.over[layout.row])) return { text: String(place), faint: false };
  const token = tokensAlong(trace, record.axes[axis], over)?.[sentence]?.[place];
  return { text: visible(placeLabel(trace, model, over, place, sentence, record.axes[axis])), faint: token?.pad ?? false };
}

/** @param {Context} context @param {number} axis @param {(text: string) => number} measure */
function widestLabel(context, axis, measure) {
  const length = context.record.shape[axis];
  if (axis === context.layout.column && labelOf(context, axis, length - 1).text === String(length - 1)) return 0;
  const places = [...Array.from({ length: Math.min(length, 120) }, (_, i) => i), length - 1];
  return Math.max(...places.map((place) => measure(labelOf(context, axis, place).text)));
}

/**
 * A drawn place as a cell of the whole tensor.
 * @param {Context} context
 * @param {{panel: number, row: number, column: number}} place
 * @returns {number[]}
 */
export function cellOf({ record, layout, places }, { panel, row, column }) {
  return record.shape.map((_, i) => (i === layout.panel ? panel : i === layout.row ? row : i === layout.column ? column : places[i]));
}

/** Whether cells are skipped anywhere. @param {Picture} picture */
export function isThinned({ spans }) {
  return stepOf(spans.rows) > 1 || stepOf(spans.columns) > 1;
}

/** A tensor small enough to stand in the page as a table. @param {Context} context */
export function isSmall({ record, layout }) {
  return cellsOf(record.shape.filter((_, i) => !layout.tabs.includes(i))) <= 600;
}

