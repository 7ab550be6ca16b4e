/** What is drawn into a single cell: its number, and the marks of what is no ordinary number. */

import { cssOf } from "../core/colour.js";
import { CELL } from "./geometry.js";

/** @typedef {import("../core/colour.js").Palette} Palette */

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {{x: number, y: number, size: number, ink: string, palette: Palette}} at */
export function drawText(pen, text, { x, y, size, ink, palette }) {
  pen.font = `${size}px ${palette.css("--mono")}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = ink;
  pen.fillText(text, x, y + 0.5);
}

/**
 * The largest size at which every number fits its cell, or 0.
 * @param {CanvasRenderingContext2D} pen
 * @param {string[]} texts
 * @param {{room: number, height: number}} cell
 * @param {Palette} palette
 */
export function fittingSize(pen, texts, { room, height }, palette) {
  if (room < CELL.legible - 4 || height < 13) return 0;
  const longest = texts.reduce((most, text) => (text.length > most.length ? text : most), "");
  for (const size of [12, 11, 10]) {
    pen.font = `${size}px ${palette.css("--mono")}`;
    if (pen.measureText(longest).width <= room - 2) return size;
  }
  return 0;
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {{x: number, y: number, room: number, ink: string}} at */
export function drawCaption(pen, text, { x, y, room, ink }) {
  pen.font = "11px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = ink;
  pen.globalAlpha = 0.75;
  pen.fillText(text, x, y, room);
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {CanvasPattern | null} pattern */
export function fillWith(pen, pattern) {
  if (!pattern) return;
  pen.fillStyle = pattern;
  pen.fill();
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} wide @param {number} high */
export function crossOut(pen, x, y, wide, high) {
  pen.strokeStyle = "#ffffff";
  pen.globalAlpha = 0.55;
  pen.beginPath();
  pen.moveTo(x + 2, y + 2);
  pen.lineTo(x + wide - 2, y + high - 2);
  pen.moveTo(x + wide - 2, y + 2);
  pen.lineTo(x + 2, y + high - 2);
  pen.stroke();
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {string} ink */
export function dot(pen, x, y, ink) {
  pen.fillStyle = ink;
  pen.globalAlpha = 0.35;
  pen.beginPath();
  pen.arc(x, y, 1.2, 0, 7);
  pen.fill();
  pen.globalAlpha = 1;
}

/** Slanted lines for what is blocked. @param {CanvasRenderingContext2D} pen @param {Palette} palette */
export function hatching(pen, palette) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 12;
  const inner = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  inner.strokeStyle = cssOf(palette.blocked);
  inner.lineWidth = 2;
  inner.beginPath();
  for (const shift of [-12, 0, 12]) {
    inner.moveTo(shift - 2, 14);
    inner.lineTo(shift + 14, -2);
  }
  inner.stroke();
  const pattern = pen.createPattern(canvas, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(0.5));
  return pattern;
}
