/** Drawing one matrix on a canvas: cells in one pass, then marks, numbers and labels. */

import { cellText, isBlocked, lookUp } from "./cells.js";
import { colourOf, cssOf, pixelsOf, textOn } from "../core/colour.js";
import { differencePixels, drawDifference } from "./draw-difference.js";
import { drawColumnLabels, drawRowLabels, drawStrip } from "./labels.js";
import { crossOut, dot, drawCaption, drawText, fillWith, fittingSize, hatching } from "./marks.js";
import { eachInView, edgeOf } from "./span.js";

/**
 * @typedef {import("./slab.js").Slab} Slab @typedef {import("./span.js").Span} Span @typedef {import("../core/colour.js").Palette} Palette
 * @typedef {{text: string, faint: boolean}} Label
 */

/**
 * All there is to draw of one matrix.
 * @typedef {object} Sheet
 * @property {import("./geometry.js").Frame} frame
 * @property {{rows: Span, columns: Span}} spans
 * @property {Slab[]} slabs       coarse ones first
 * @property {Slab[]} behind      the masked scores behind weights, to tell blocked from small
 * @property {Slab[] | null} [kinds]   of which kind each difference is; null where the cells are values
 * @property {(change: number) => string} [changed]   what stands in a cell that has changed
 * @property {import("../core/scale.js").Scale} scale
 * @property {(place: number) => Label} rowLabel
 * @property {(place: number) => Label} columnLabel
 * @property {{row: string, column: string}} colours   of the axes
 * @property {((row: number, column: number, value: number) => string) | null} caption
 * @property {{first: number, sums: number[]} | null} sums
 */

/**
 * @param {CanvasRenderingContext2D} pen scaled to CSS pixels
 * @param {Sheet} sheet
 * @param {Palette} palette
 */
export function drawSheet(pen, sheet, palette) {
  const { frame, spans } = sheet;
  pen.clearRect(0, 0, frame.outerWidth, frame.outerHeight);
  pen.save();
  pen.translate(frame.left, frame.top);
  pen.beginPath();
  pen.rect(0, 0, spans.columns.room, spans.rows.room);
  pen.clip();
  pen.fillStyle = palette.css("--sunk");
  pen.fillRect(0, 0, spans.columns.room, spans.rows.room);
  if (isCoarse(spans)) (sheet.kinds ? drawDifference : drawCells)(pen, sheet, palette);
  else drawPixels(pen, sheet, palette);
  pen.restore();
  if (!frame.labelled) return;
  drawColumnLabels(pen, sheet, palette);
  drawRowLabels(pen, sheet, palette);
  if (sheet.sums) drawStrip(pen, sheet, palette);
}

/** Cells are large enough to be drawn one by one, with a gap between them. @param {{rows: Span, columns: Span}} spans */
function isCoarse({ rows, columns }) {
  return rows.px >= 11 && columns.px >= 11;
}

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette */
function drawPixels(pen, { spans, slabs, kinds, scale }, palette) {
  pen.imageSmoothingEnabled = false;
  slabs.forEach((slab, i) => {
    const pixels = kinds ? differencePixels(slab, kinds[i], scale, palette) : pixelsOf(slab, scale, palette);
    const { canvas, pen: inner } = scratch(slab.columns, slab.rows);
    inner.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), slab.columns, slab.rows), 0, 0);
    const x = edgeOf(spans.columns, slab.columnStart);
    const y = edgeOf(spans.rows, slab.rowStart);
    const [wide, high] = [slab.columns * slab.columnStep * spans.columns.px, slab.rows * slab.rowStep * spans.rows.px];
    pen.drawImage(canvas, 0, 0, slab.columns, slab.rows, x, y, wide, high);
  });
}

/** @type {{canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D} | null} */
let kept = null;

/** A canvas for pixels on their way, made once. @param {number} width @param {number} height */
function scratch(width, height) {
  if (!kept) {
    const canvas = document.createElement("canvas");
    kept = { canvas, pen: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")) };
  }
  if (kept.canvas.width < width) kept.canvas.width = width;
  if (kept.canvas.height < height) kept.canvas.height = height;
  return kept;
}

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette */
function drawCells(pen, sheet, palette) {
  const { spans, slabs, behind, scale } = sheet;
  const [wide, high] = [spans.columns.px, spans.rows.px];
  const gap = Math.min(wide, high) >= 20 ? 1 : 0.5;
  const hatch = hatching(pen, palette);
  const texts = textsOf(sheet);
  const size = fittingSize(pen, [...texts.values()], { room: wide - 2 * gap, height: high }, palette);
  eachInView(spans, (row, column) => {
    const value = lookUp(slabs, row, column);
    if (value === undefined) return;
    const blocked = isBlocked(value, row, column, scale, behind);
    const ground = blocked ? palette.blocked : colourOf(value, scale, palette);
    const [x, y] = [edgeOf(spans.columns, column) + gap, edgeOf(spans.rows, row) + gap];
    pen.beginPath();
    pen.roundRect(x, y, wide - 2 * gap, high - 2 * gap, gap * 3);
    pen.fillStyle = blocked ? palette.css("--sunk") : cssOf(ground);
    pen.fill();
    if (blocked) fillWith(pen, hatch);
    if (Number.isNaN(value)) crossOut(pen, x, y, wide - 2 * gap, high - 2 * gap);
    const ink = blocked ? palette.css("--ink-soft") : textOn(ground) === "dark" ? "#000000" : "#ffffff";
    const caption = sheet.caption?.(row, column, value);
    if (size) drawText(pen, texts.get(row * spans.columns.length + column) ?? "", { x: x + wide / 2 - gap, y: y + high / 2 - gap + (caption ? 7 : 0), size, ink, palette });
    else if (Math.abs(value) === Infinity && !blocked) drawText(pen, value > 0 ? "+" : "−", { x: x + wide / 2 - gap, y: y + high / 2 - gap, size: 11, ink, palette });
    else if (value === 0 && scale.kind !== "mask") dot(pen, x + wide / 2 - gap, y + high / 2 - gap, ink);
    if (caption) drawCaption(pen, caption, { x: x + wide / 2 - gap, y: y + high / 2 - 9, room: wide - 6, ink });
  });
}

/** @param {Sheet} sheet @returns {Map<number, string>} what is written in each cell in view, by its place */
function textsOf({ spans, slabs, behind, scale }) {
  const texts = new Map();
  eachInView(spans, (row, column) => {
    const value = lookUp(slabs, row, column);
    if (value !== undefined) texts.set(row * spans.columns.length + column, cellText(value, scale, isBlocked(value, row, column, scale, behind)));
  });
  return texts;
}
