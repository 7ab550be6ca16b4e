/** One matrix on the page: its title, a canvas for its cells and a canvas above for the cursor. */

import { el, fill } from "../core/dom.js";
import { drawSheet } from "./draw.js";
import { cellAt, edgeOf, stepOf } from "./span.js";

/** @typedef {import("./draw.js").Sheet} Sheet @typedef {import("../core/colour.js").Palette} Palette @typedef {{row: number, column: number}} Spot */

/** `here`: the cell that is pointed at is in this matrix, not at the same place of another. @typedef {{pointed: Spot | null, here: boolean, selected: Spot | null}} Marks */

/**
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {(frame: import("./geometry.js").Frame, title: {text: string, colour: string, over: string, open: (() => void) | null} | null) => void} ready   give it its size and title; all matrices before the first is drawn, so that the page is laid out once
 * @property {(sheet: Sheet, palette: Palette) => void} draw
 * @property {(marks: Marks) => void} mark   what is pointed at is outlined faintly in the other matrices
 * @property {(event: MouseEvent) => Spot | null} spotAt
 * @property {() => HTMLCanvasElement} canvas
 */

/** @returns {Panel} */
export function createPanel() {
  const cells = el("canvas", { class: "heat-cells", "aria-hidden": "true" });
  const above = el("canvas", { class: "heat-above", "aria-hidden": "true" });
  const heading = el("div", { class: "heat-heading" });
  const element = el("div", { class: "heat-panel" }, heading, el("div", { class: "heat-stack" }, cells, above));
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Palette | null} */
  let palette = null;
  let headed = "";

  return {
    element,
    canvas: () => cells,
    ready(frame, title) {
      const key = title ? `${title.text}${title.open !== null}` : "";
      if (key !== headed) fill(heading, title && headingOf(title));
      headed = key;
      heading.hidden = !title;
      for (const canvas of [cells, above]) fit(canvas, frame);
    },
    draw(next, colours) {
      [sheet, palette] = [next, colours];
      drawSheet(fit(cells, next.frame), next, colours);
    },
    mark(marks) {
      if (sheet && palette) drawMarks(fit(above, sheet.frame), sheet, palette, marks);
    },
    spotAt({ clientX, clientY }) {
      if (!sheet) return null;
      const box = cells.getBoundingClientRect();
      const row = cellAt(sheet.spans.rows, clientY - box.top - sheet.frame.top);
      const column = cellAt(sheet.spans.columns, clientX - box.left - sheet.frame.left);
      return row === null || column === null ? null : { row, column };
    },
  };
}

/** @param {{text: string, colour: string, over: string, open: (() => void) | null}} title */
function headingOf({ text, colour, open }) {
  return open
    ? el("button", { type: "button", class: "link heat-open", vars: { "--axis": colour }, text, title: `${text} alone, larger`, on: { click: open } })
    : el("span", { class: "heat-alone", vars: { "--axis": colour }, text });
}

/** Give a canvas its size in CSS pixels, sharp on any screen. @param {HTMLCanvasElement} canvas @param {Pick<import("./geometry.js").Frame, "outerWidth" | "outerHeight">} frame */
export function fit(canvas, { outerWidth, outerHeight }) {
  const ratio = globalThis.devicePixelRatio || 1;
  const [width, height] = [Math.ceil(outerWidth * ratio), Math.ceil(outerHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.setProperty("width", `${width / ratio}px`);
    canvas.style.setProperty("height", `${height / ratio}px`);
  }
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette @param {Marks} marks */
function drawMarks(pen, sheet, palette, { pointed, here, selected }) {
  const { frame } = sheet;
  pen.clearRect(0, 0, frame.outerWidth + 2, frame.outerHeight + 2);
  if (selected) outline(pen, sheet, selected, palette.css("--ink"), palette.css("--panel"), 2.5);
  if (!pointed) return;
  pen.setLineDash(here ? [] : [3, 3]);
  outline(pen, sheet, pointed, palette.css(here ? "--ink" : "--ink-soft"), palette.css("--panel"), here ? 1.5 : 1);
  pen.setLineDash([]);
  if (here && frame.labelled) highlightLabels(pen, sheet, pointed);
}

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Spot} spot @param {string} ink @param {string} paper @param {number} weight */
function outline(pen, { frame, spans }, { row, column }, ink, paper, weight) {
  const wide = Math.max(spans.columns.px * stepOf(spans.columns), 5);
  const high = Math.max(spans.rows.px * stepOf(spans.rows), 5);
  const [x, y] = [edgeOf(spans.columns, column), edgeOf(spans.rows, row)];
  if (x < -1 || y < -1 || x >= spans.columns.room || y >= spans.rows.room) return;
  pen.beginPath();
  pen.roundRect(frame.left + x, frame.top + y, wide, high, Math.min(4, wide / 4));
  pen.strokeStyle = paper;
  pen.lineWidth = weight + 2;
  pen.stroke();
  pen.strokeStyle = ink;
  pen.lineWidth = weight;
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Spot} spot */
function highlightLabels(pen, { frame, spans, colours }, { row, column }) {
  const [x, y] = [frame.left + edgeOf(spans.columns, column), frame.top + edgeOf(spans.rows, row)];
  const [wide, high] = [Math.max(spans.columns.px, 2), Math.max(spans.rows.px, 2)];
  pen.globalAlpha = 0.16;
  pen.fillStyle = colours.row;
  pen.beginPath();
  pen.roundRect(2, y + 1, frame.left - 5, high - 2, 3);
  pen.fill();
  pen.fillStyle = colours.column;
  pen.beginPath();
  pen.roundRect(x + 1, 2, wide - 2, frame.top - 5, 3);
  pen.fill();
  pen.globalAlpha = 1;
}
