/** The matrices of attention as SVG, every cell a button with its number. */

import { axisColour } from "../core/axes.js";
import { short } from "../core/format.js";
import { svg } from "../core/dom.js";
import { CELL } from "./arithmetic.js";
import { head, line } from "./pen.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix @typedef {import("./stage.js").Stop} Stop @typedef {import("./values.js").Look} Look */

/**
 * @typedef {object} Shown  a matrix on the surface
 * @property {Matrix} matrix
 * @property {Map<string, SVGGElement>} cells by "row,column"
 * @property {SVGGElement} ring
 */

/**
 * @param {import("./arithmetic.js").Arithmetic} made
 * @param {{choose: (matrix: Matrix, row: number, column: number) => void, hover: (matrix: Matrix, spot: [number, number] | null) => void, label: (over: string, place: number) => string}} on
 * @returns {{group: SVGGElement, stops: Stop[], shown: Map<Matrix["id"], Shown>, relabel: () => void}} `relabel` writes what rows and columns are called now
 */
export function drawArithmetic(made, on) {
  const group = svg("g", { class: "dg-matrices" });
  /** @type {Stop[]} */
  const stops = [];
  /** @type {Map<Matrix["id"], Shown>} */
  const shown = new Map();
  for (const { points, text, x, y, anchor } of made.arrows) {
    group.append(svg("path", { class: "dg-wire-line", d: line(points, true) }), svg("path", { class: "dg-wire-head", d: head(points) }), svg("text", { class: "dg-note", x, y, "text-anchor": anchor, text }));
  }
  /** @type {(() => void)[]} */
  const labels = [];
  for (const matrix of made.matrices) {
    const part = drawMatrix(matrix, on, stops, labels);
    shown.set(matrix.id, part.shown);
    group.append(part.group);
  }
  return { group, stops, shown, relabel: () => labels.forEach((write) => write()) };
}

/** @param {Matrix} matrix @param {Parameters<typeof drawArithmetic>[1]} on @param {Stop[]} stops @param {(() => void)[]} labels */
function drawMatrix(matrix, on, stops, labels) {
  const { x, y, rows, columns } = matrix;
  const [w, h] = [(columns.to - columns.from) * CELL.w, (rows.to - rows.from) * CELL.h];
  const group = svg("g", { class: "dg-matrix", role: "group", "aria-label": matrix.title, data: { tensor: matrix.tensor } });
  const titleY = matrix.titled === "above" ? y - (matrix.columnLabels ? 42 : 24) : y + h + 20;
  group.append(svg("text", { class: "dg-matrix-title", x, y: titleY, text: matrix.title }), size(matrix, x, titleY + 15));
  const label = (/** @type {import("./arithmetic.js").Span} */ { over }, /** @type {number} */ at, /** @type {Parameters<typeof place>[1]} */ where) => {
    const made = place(over, where);
    labels.push(() => made.write(on.label(over, at)));
    group.append(made.element);
  };
  if (matrix.columnLabels) for (let c = columns.from; c < columns.to; c++) label(columns, c, { x: x + (c - columns.from + 0.5) * CELL.w, y: y - 7, anchor: "middle", most: 7 });
  if (matrix.rowLabels) for (let r = rows.from; r < rows.to; r++) label(rows, r, { x: x - 8, y: y + (r - rows.from + 0.5) * CELL.h + 4, anchor: "end", most: 8 });

  /** @type {Shown["cells"]} */
  const cells = new Map();
  for (let r = rows.from; r < rows.to; r++) {
    for (let c = columns.from; c < columns.to; c++) {
      const [cx, cy] = [x + (c - columns.from) * CELL.w, y + (r - rows.from) * CELL.h];
      const cell = svg("g", { class: "dg-number", role: "button", tabindex: "-1" },
        svg("rect", { x: cx + 1, y: cy + 1, width: CELL.w - 2, height: CELL.h - 2, rx: 3 }), svg("text", { x: cx + CELL.w / 2, y: cy + CELL.h / 2 + 4, "text-anchor": "middle" }));
      const choose = () => on.choose(matrix, r, c);
      cell.addEventListener("click", choose);
      cell.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
      cells.set(`${r},${c}`, cell);
      stops.push({ element: cell, rect: { x: cx, y: cy, w: CELL.w, h: CELL.h }, id: `${matrix.id} ${r},${c}` });
      group.append(cell);
    }
  }
  watch(group, cells, (spot) => on.hover(matrix, spot));
  const ring = svg("g", { class: "dg-rings", "aria-hidden": "true" });
  group.append(ring);
  return { group, shown: { matrix, cells, ring } };
}

/** Tell which cell is pointed at or has the focus. @param {SVGGElement} group @param {Shown["cells"]} cells @param {(spot: [number, number] | null) => void} hover */
function watch(group, cells, hover) {
  const places = new Map([...cells].map(([key, cell]) => [/** @type {Element} */ (cell), /** @type {[number, number]} */ (key.split(",").map(Number))]));
  const enter = (/** @type {Event} */ event) => hover(places.get(/** @type {Element} */ (/** @type {Element} */ (event.target).closest(".dg-number"))) ?? null);
  for (const type of ["pointerover", "focusin"]) group.addEventListener(type, enter);
  for (const type of ["pointerleave", "focusout"]) group.addEventListener(type, () => hover(null));
}

/** The size of what is multiplied, in its axes' colours. @param {Matrix} matrix @param {number} x @param {number} y */
function size({ rows, columns, words }, x, y) {
  const axis = (/** @type {import("./arithmetic.js").Span} */ along) => svg("tspan", { class: "dg-label-axis", vars: { "--axis": axisColour(along.over) }, text: along.size });
  return svg("text", { class: "dg-size-label", x, y }, "(", axis(rows), ", ", axis(columns), ")", words ? svg("tspan", { class: "dg-note", text: `  ${words}` }) : null);
}

/**
 * What a row or a column is called, to be written into.
 * @param {string} over @param {{x: number, y: number, anchor: string, most: number}} where `most` letters
 */
function place(over, { x, y, anchor, most }) {
  const [whole, shown] = [svg("title"), svg("tspan")];
  const write = (/** @type {string} */ text) => {
    const letters = [...text];
    whole.textContent = text;
    shown.textContent = letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
  };
  return { element: svg("text", { class: "dg-place-label", x, y, "text-anchor": anchor, vars: { "--axis": axisColour(over) } }, whole, shown), write };
}

/**
 * Write the values into a matrix. Where a cell is blocked, `keep` says whether its number stays, crossed out, or is 0 anyway.
 * @param {Shown} shown @param {(row: number, column: number) => number} value @param {(value: number) => Look} look
 * @param {(row: number, column: number) => string} name for screen readers
 * @param {{blocked?: (row: number, column: number) => boolean, keep?: boolean}} [mask]
 */
export function paintMatrix({ cells }, value, look, name, { blocked, keep = false } = {}) {
  for (const [key, cell] of cells) {
    const [row, column] = key.split(",").map(Number);
    const number = value(row, column);
    const stopped = blocked?.(row, column) ?? false;
    const { fill, mark, share } = look(number);
    const [ground, text] = /** @type {[SVGElement, SVGElement]} */ ([cell.children[0], cell.children[1]]);
    ground.setAttribute("class", stopped ? "dg-blocked" : mark ? `dg-${mark}` : "dg-value");
    ground.style.setProperty("fill", stopped ? "" : fill);
    text.textContent = stopped && !keep ? "" : short(number);
    cell.classList.toggle("strong", share > 0.55 && !stopped);
    cell.classList.toggle("crossed", stopped);
    const said = stopped && !keep ? "0" : short(number);
    cell.setAttribute("aria-label", `${name(row, column)}: ${stopped ? "blocked, " : ""}${said}`);
  }
}

/**
 * Put rings around what a chosen cell is made of.
 * @param {Map<Matrix["id"], Shown>} shown @param {import("./arithmetic.js").Lit | null} lit
 */
export function ring(shown, lit) {
  for (const { ring } of shown.values()) ring.replaceChildren();
  for (const [id, row] of lit?.rows ?? []) mark(shown.get(id), row, null, "dg-ring");
  for (const [id, column] of lit?.columns ?? []) mark(shown.get(id), null, column, "dg-ring");
  for (const [id, row, column] of lit?.cells ?? []) mark(shown.get(id), row, column, "dg-ring one");
}

/**
 * Put quiet rings around what the cell is made of that is pointed at.
 * @param {Map<Matrix["id"], Shown>} shown @param {import("./arithmetic.js").Lit | null} lit
 */
export function ringHovered(shown, lit) {
  for (const { ring } of shown.values()) ring.querySelectorAll(".hovered").forEach((one) => one.remove());
  for (const [id, row] of lit?.rows ?? []) mark(shown.get(id), row, null, "dg-ring hovered");
  for (const [id, column] of lit?.columns ?? []) mark(shown.get(id), null, column, "dg-ring hovered");
  for (const [id, row, column] of lit?.cells ?? []) mark(shown.get(id), row, column, "dg-ring hovered");
}

/**
 * Put one ring around a row, a column or a cell, as far as it is drawn.
 * @param {Shown | undefined} shown @param {number | null} row null is all rows @param {number | null} column null is all columns @param {string} kind
 */
export function mark(shown, row, column, kind) {
  if (!shown) return;
  const { x, y, rows, columns } = shown.matrix;
  const along = (/** @type {number | null} */ place, /** @type {import("./arithmetic.js").Span} */ span) => (place === null ? [0, span.to - span.from] : [place - span.from, 1]);
  const drawn = (/** @type {number | null} */ place, /** @type {import("./arithmetic.js").Span} */ span) => place === null || (place >= span.from && place < span.to);
  if (!drawn(row, rows) || !drawn(column, columns)) return;
  const [[r, tall], [c, wide]] = [along(row, rows), along(column, columns)];
  shown.ring.append(svg("rect", { class: kind, x: x + c * CELL.w - 1, y: y + r * CELL.h - 1, width: wide * CELL.w + 2, height: tall * CELL.h + 2, rx: 5 }));
}
