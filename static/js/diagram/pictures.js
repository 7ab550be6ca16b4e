/** The small pictures on the wires: a few real cells of each tensor, fetched together, repainted in place. */

import { tensors } from "../core/api.js";
import { pixelsOf } from "../core/colour.js";
import { el, svg } from "../core/dom.js";
import { palette } from "../core/palette.js";
import { scaleOf } from "../core/scale.js";

/** @typedef {import("../core/types.js").Values} Values @typedef {import("../core/types.js").Trace} Trace @typedef {import("./draw.js").Drawing} Drawing */
/** @typedef {import("../core/scale.js").Scale} Scale @typedef {import("./scene.js").Rect} Rect */

const FIT = "12x6";
const IDS = 4;
/** Pixels of a picture for each of the scene: sharp on any screen, and near when one zooms in. */
const SHARP = 3;

/** @type {WeakMap<HTMLCanvasElement, {pixels: Uint32Array, columns: number}>} what each picture shows: the same again is not painted again */
const painted = new WeakMap();

/**
 * Fetch what the pictures of a drawing need, in one request.
 * @param {Drawing} drawing @param {Trace} trace @param {Record<string, number>} index the chosen place on each axis
 * @returns {Promise<Map<string, Values>>}
 */
export async function fetchPictures(drawing, trace, index) {
  const recorded = new Set(trace.records.map((record) => record.name));
  const edges = drawing.scene.edges.filter((edge) => edge.thumb && recorded.has(edge.tensor));
  if (!edges.length) return new Map();
  const chosen = new Map(edges.flatMap((edge) => edge.axes.slice(0, -2).map((axis, i) => [axis, index[edge.over[i]] ?? 0])));
  const slice = [...chosen].map(([axis, place]) => `${axis}:${place}`).join(",");
  const found = await tensors(trace.id, edges.map((edge) => edge.tensor), { index: slice || undefined, fit: FIT });
  return new Map(found.map((values) => [values.name, values]));
}

/**
 * Paint the pictures; those whose values are unknown are emptied.
 * @param {Drawing} drawing @param {Trace | null} trace @param {Map<string, Values>} values @param {import("./legend.js").Legend} legend
 */
export function paintPictures(drawing, trace, values, legend) {
  const records = new Map(trace?.records.map((record) => [record.name, record]));
  const find = (/** @type {string} */ name) => legend.tensors.get(name);
  for (const { edge, picture } of drawing.edges.values()) {
    if (!picture || !edge.thumb) continue;
    const found = values.get(edge.tensor);
    const record = records.get(edge.tensor);
    const scale = record ? scaleOf(find(edge.tensor), record, find) : null;
    if (!found || !scale) picture.replaceChildren();
    else if (scale.kind === "id") writeIds(picture, found, edge.thumb);
    else paintCells(picture, found, edge.thumb, scale);
  }
}

/** @param {SVGGElement} picture @param {Values} found @param {Rect} thumb @param {Scale} scale */
function paintCells(picture, found, thumb, scale) {
  const columns = found.shape.at(-1) ?? 1;
  const cells = { data: found.values, base: 0, rows: found.values.length / columns, columns, rowStride: columns, columnStride: 1 };
  const canvas = picture.querySelector("canvas") ?? addCanvas(picture, thumb);
  const pixels = pixelsOf(cells, scale, palette());
  const before = painted.get(canvas);
  if (before?.columns === columns && before.pixels.length === pixels.length && pixels.every((pixel, i) => pixel === before.pixels[i])) return;
  painted.set(canvas, { pixels, columns });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.imageSmoothingEnabled = false;
  pen.drawImage(smallImage(pixels, columns), 0, 0, columns, cells.rows, 0, 0, canvas.width, canvas.height);
  hatch(pen, cells, scale);
}

/** @param {SVGGElement} picture @param {Rect} thumb */
function addCanvas(picture, { w, h }) {
  const canvas = el("canvas", { class: "dg-picture-cells", width: w * SHARP, height: h * SHARP });
  picture.replaceChildren(svg("foreignObject", { width: w, height: h }, canvas), svg("rect", { class: "dg-picture-frame", x: -0.5, y: -0.5, width: w + 1, height: h + 1, rx: 2 }));
  return canvas;
}

/** @type {HTMLCanvasElement | null} one pixel a cell, on their way to a picture */
let small = null;

/** @param {Uint32Array<ArrayBuffer>} pixels @param {number} columns */
function smallImage(pixels, columns) {
  small ??= el("canvas", { width: 16, height: 16 });
  const rows = pixels.length / columns;
  const pen = /** @type {CanvasRenderingContext2D} */ (small.getContext("2d", { willReadFrequently: true }));
  pen.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), columns, rows), 0, 0);
  return small;
}

/** Strokes through the cells that are blocked. @param {CanvasRenderingContext2D} pen @param {import("../core/colour.js").Cells} cells @param {Scale} scale */
function hatch(pen, { data, rows, columns }, { kind, blocked }) {
  if (!blocked && kind !== "mask") return;
  const [w, h] = [pen.canvas.width / columns, pen.canvas.height / rows];
  pen.save();
  pen.beginPath();
  data.forEach((/** @type {number | bigint} */ value, /** @type {number} */ i) => {
    if (kind === "mask" ? !value : value === -Infinity) pen.rect((i % columns) * w, Math.floor(i / columns) * h, w, h);
  });
  pen.clip();
  pen.beginPath();
  for (let x = -pen.canvas.height; x < pen.canvas.width; x += 4 * SHARP) {
    pen.moveTo(x, pen.canvas.height);
    pen.lineTo(x + pen.canvas.height, 0);
  }
  pen.strokeStyle = palette().css("--ink-soft");
  pen.lineWidth = SHARP / 2;
  pen.stroke();
  pen.restore();
}

/** Ids have no more or less: they are written. @param {SVGGElement} picture @param {Values} found @param {Rect} thumb */
function writeIds(picture, found, thumb) {
  const columns = found.shape.at(-1) ?? 1;
  const ids = Array.from(found.values.slice(0, columns), Number);
  let text = ids.slice(0, IDS).join(" ");
  if (ids.length > IDS || text.length > 7) text = `${text.slice(0, 6).trim()}…`;
  if (picture.textContent !== text) picture.replaceChildren(svg("text", { class: "dg-picture-ids", x: thumb.w, y: thumb.h - 3, "text-anchor": "end", text }));
}
