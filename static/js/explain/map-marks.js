/** What is lit of a small heatmap: a row, a column or a cell; the others step back behind a veil. */

import { edgeOf } from "../tensor/span.js";

/**
 * `lit` is what goes into the cell in view, null for a whole side; `ring` is pointed at; `now` is the term that is being added;
 * `done` counts the cells that are worked out, row by row, the others being veiled.
 * @typedef {{row: number, column: number}} Spot
 * @typedef {{lit?: {row: number | null, column: number | null} | null, ring?: Spot | null, now?: Spot | null, done?: number | null}} Marks
 * @typedef {{frame: import("../tensor/geometry.js").Frame, spans: {rows: import("../tensor/span.js").Span, columns: import("../tensor/span.js").Span}, palette: import("../core/colour.js").Palette}} Ground
 * @typedef {{x: number, y: number, w: number, h: number}} Rect
 */

const LEAST = 3;
const VEIL = { others: 0.5, undone: 0.85 };

/** @param {CanvasRenderingContext2D} pen @param {Ground} ground @param {Marks} marks */
export function drawMarks(pen, ground, { lit = null, ring = null, now = null, done = null }) {
  const { frame, palette } = ground;
  pen.clearRect(0, 0, frame.outerWidth + 2, frame.outerHeight + 2);
  const lights = lit ? [rectOf(ground, lit)] : [];
  if (done !== null) veil(pen, ground, [...worked(ground, done), ...lights], VEIL.undone);
  else if (lit) veil(pen, ground, lights, VEIL.others);
  for (const rect of lights) outline(pen, rect, palette.css("--ink"), palette.css("--panel"), 1.5);
  if (now) outline(pen, rectOf(ground, now), palette.css("--focus"), palette.css("--panel"), 2.2);
  if (ring) outline(pen, rectOf(ground, ring), palette.css("--focus"), palette.css("--panel"), 1.8);
}

/** @param {Ground} ground @param {{row: number | null, column: number | null}} spot @returns {Rect} */
function rectOf({ frame, spans: { rows, columns } }, { row, column }) {
  const [y, h] = runOf(rows, row);
  const [x, w] = runOf(columns, column);
  return { x: frame.left + x, y: frame.top + y, w, h };
}

/** Where a place begins and how long it is; never too thin to see. @param {import("../tensor/span.js").Span} span @param {number | null} place @returns {[number, number]} */
function runOf(span, place) {
  if (place === null) return [0, span.room];
  const length = Math.max(span.px, LEAST);
  return [Math.max(0, Math.min(span.room - length, edgeOf(span, place) - (length - span.px) / 2)), length];
}

/** The cells worked out so far: whole rows, and the beginning of one. @param {Ground} ground @param {number} done @returns {Rect[]} */
function worked({ frame, spans: { rows, columns } }, done) {
  const [full, begun] = [Math.floor(done / columns.length), done % columns.length];
  return [
    { x: frame.left, y: frame.top, w: columns.room, h: full * rows.px }, { x: frame.left, y: frame.top + full * rows.px, w: begun * columns.px, h: rows.px },
  ].filter(({ w, h }) => w > 0 && h > 0);
}

/** Cover everything but some rectangles. @param {CanvasRenderingContext2D} pen @param {Ground} ground @param {Rect[]} holes @param {number} strength */
function veil(pen, { frame, spans: { rows, columns }, palette }, holes, strength) {
  pen.save();
  pen.fillStyle = palette.css("--panel");
  pen.globalAlpha = strength;
  pen.fillRect(frame.left, frame.top, columns.room, rows.room);
  pen.restore();
  for (const { x, y, w, h } of holes) pen.clearRect(x, y, w, h);
}

/** @param {CanvasRenderingContext2D} pen @param {Rect} rect @param {string} ink @param {string} paper @param {number} weight */
function outline(pen, { x, y, w, h }, ink, paper, weight) {
  pen.beginPath();
  pen.roundRect(x, y, w, h, Math.min(3, w / 4, h / 4));
  pen.strokeStyle = paper;
  pen.lineWidth = weight + 1.6;
  pen.stroke();
  pen.strokeStyle = ink;
  pen.lineWidth = weight;
  pen.stroke();
}
