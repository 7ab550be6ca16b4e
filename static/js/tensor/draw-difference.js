/** Drawing differences: plain paper where the bits are the same, a dashed outline where a cell is new, colour where it changed. */

import { lookUp } from "./cells.js";
import { colourOf, cssOf, parseColour, pixelsOf, textOn } from "../core/colour.js";
import { short } from "../core/format.js";
import { NEW, OTHER } from "./difference.js";
import { drawCaption, drawText, fittingSize } from "./marks.js";
import { eachInView, edgeOf } from "./span.js";

/** @typedef {import("./draw.js").Sheet} Sheet @typedef {import("../core/colour.js").Palette} Palette @typedef {import("./slab.js").Slab} Slab */

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette */
export function drawDifference(pen, sheet, palette) {
  const { spans, slabs, scale, caption, changed = short } = sheet;
  const kinds = sheet.kinds ?? [];
  const [wide, high] = [spans.columns.px, spans.rows.px];
  const gap = Math.min(wide, high) >= 20 ? 1 : 0.5;
  /** @type {Map<number, string>} */
  const texts = new Map();
  eachInView(spans, (row, column) => {
    if (lookUp(kinds, row, column) === OTHER) texts.set(row * spans.columns.length + column, changed(lookUp(slabs, row, column) ?? NaN));
  });
  const size = fittingSize(pen, [...texts.values()], { room: wide - 2 * gap, height: high }, palette);
  eachInView(spans, (row, column) => {
    const kind = lookUp(kinds, row, column);
    if (kind === undefined) return;
    const value = lookUp(slabs, row, column) ?? NaN;
    const ground = kind === OTHER ? colourOf(value, scale, palette) : palette.zero;
    const [x, y] = [edgeOf(spans.columns, column) + gap, edgeOf(spans.rows, row) + gap];
    pen.beginPath();
    pen.roundRect(x, y, wide - 2 * gap, high - 2 * gap, gap * 3);
    if (kind === NEW) return outlineNew(pen, palette);
    pen.fillStyle = cssOf(ground);
    pen.fill();
    const ink = textOn(ground) === "dark" ? "#000000" : "#ffffff";
    const words = caption?.(row, column, value);
    const text = texts.get(row * spans.columns.length + column);
    if (size && text) drawText(pen, text, { x: x + wide / 2 - gap, y: y + high / 2 - gap + (words ? 7 : 0), size, ink, palette });
    if (words) drawCaption(pen, words, { x: x + wide / 2 - gap, y: y + high / 2 - 9, room: wide - 6, ink });
  });
}

/** @param {CanvasRenderingContext2D} pen @param {Palette} palette */
function outlineNew(pen, palette) {
  pen.strokeStyle = palette.css("--accent");
  pen.lineWidth = 1;
  pen.setLineDash([3, 2]);
  pen.stroke();
  pen.setLineDash([]);
}

/**
 * The same as pixels, where cells are small: what is new has a ground of its own.
 * @param {Slab} changes
 * @param {Slab} kinds
 * @param {import("../core/scale.js").Scale} scale
 * @param {Palette} palette
 */
export function differencePixels(changes, kinds, scale, palette) {
  const pixels = pixelsOf(changes, scale, palette);
  const [r, g, b] = parseColour(palette.css("--accent")).map((channel, i) => Math.round(palette.zero[i] + (channel - palette.zero[i]) * 0.3));
  const fresh = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  for (let i = 0; i < kinds.rows; i++) {
    for (let j = 0; j < kinds.columns; j++) if (kinds.data[kinds.base + i * kinds.rowStride + j * kinds.columnStride] === NEW) pixels[i * kinds.columns + j] = fresh;
  }
  return pixels;
}
