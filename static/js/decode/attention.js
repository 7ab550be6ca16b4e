/** Cross-attention of the steps so far as one map: a row for each token written, a column for each token of the source. */

import { axisColour, isSentences } from "../core/axes.js";
import { tensors } from "../core/api.js";
import { dress, el, fill } from "../core/dom.js";
import { full } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { crossWeights, headAxis, mapOf } from "./cross.js";
import { cellAt, paint, plan } from "./map.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Record_} Record_
 * @typedef {import("./map.js").Picture} Picture @typedef {import("./map.js").Plan} Plan
 */

const AVERAGE = "average";
/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * @param {Store} store
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store) {
  /** @type {{layer: number | null, average: boolean}} */
  const chosen = { layer: null, average: false };
  /** @type {{picture: Picture, plan: Plan, record: Record_} | null} */
  let shown = null;
  /** @type {[number, number] | null} */
  let at = null;
  let asked = 0;

  const layers = el("select", { class: "button", id: "cross-layer", on: { change: () => { chosen.layer = layers.selectedIndex; void render(); } } });
  const heads = el("select", { class: "button", id: "cross-head", on: { change: chooseHead } });
  const canvas = el("canvas", { class: "map", role: "img", "aria-label": "cross-attention, not computed yet" });
  const box = el("div", { class: "map-box", tabindex: 0, role: "group", "aria-label": "cells of the map: arrows walk, Enter opens the cell", on: { keydown: walk, focus: () => point(at ?? [0, 0]), blur: () => point(null) } }, canvas);
  const says = el("p", { class: "map-says small", "aria-live": "polite" });
  const kind = el("p", { class: "small soft map-kind" });
  const tools = [el("label", { for: "cross-layer", class: "small soft", text: "decoder layer" }), layers, el("label", { for: "cross-head", class: "small soft", text: "head" }), heads];
  const element = el("div", { class: "cross" }, kind, box, says);
  canvas.addEventListener("pointermove", (event) => point(under(event)));
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => choose(under(event)));

  function chooseHead() {
    const { index } = store.get();
    const axis = shown && shown.record.axes[headAxis(shown.record)];
    chosen.average = heads.value === AVERAGE;
    if (!chosen.average && axis) store.set({ index: { ...index, [axis]: heads.selectedIndex } });
    void render();
  }

  async function render() {
    const { trace, model, decoding, index } = store.get();
    if (!isOpen() || !trace || !model || !decoding) return;
    const mine = ++asked;
    const found = crossWeights(trace, model);
    const record = found[Math.min(chosen.layer ?? found.length - 1, found.length - 1)];
    if (!record) return;
    const batch = record.over.findIndex(isSentences);
    const sentence = Math.min(index[record.axes[batch]] ?? 0, record.shape[batch] - 1);
    const axis = headAxis(record);
    const head = Math.min(index[record.axes[axis]] ?? 0, record.shape[axis] - 1);
    options(layers, found.map((_, i) => String(i + 1)), found.indexOf(record));
    options(heads, [...Array.from({ length: record.shape[axis] }, (_, i) => String(i + 1)), AVERAGE], chosen.average ? record.shape[axis] : head);
    const [values] = await tensors(trace.id, [record.name], { index: `${record.axes[batch]}:${sentence}` }).catch(() => [null]);
    if (!values || mine !== asked) return;
    draw(record, mapOf(values.values, values.shape, chosen.average ? null : head), sentence, chosen.average ? null : head);
  }

  /** @param {Record_} record @param {Float64Array} values @param {number} sentence @param {number | null} head */
  function draw(record, values, sentence, head) {
    const { trace, tensor, cell } = store.get();
    const tokens = /** @type {Record<string, import("../core/types.js").Token[][]>} */ (/** @type {unknown} */ (trace?.tokens));
    const [rowAxis, columnAxis] = record.over.slice(-2);
    const label = (/** @type {import("../core/types.js").Token} */ token) => ({ text: visible(token.text), faint: token.pad });
    const own = tensor === record.name && cell && cell[record.over.findIndex(isSentences)] === sentence && (head === null || cell[headAxis(record)] === head);
    const picture = {
      values, rows: tokens[rowAxis][sentence].map(label), columns: tokens[columnAxis][sentence].map(label), rowColour: `--axis-${rowAxis}`, columnColour: `--axis-${columnAxis}`,
      at, chosen: /** @type {[number, number] | null} */ (own ? cell.slice(-2) : null),
    };
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.font = `600 12px ${getComputedStyle(canvas).fontFamily}`;
    const place = plan(picture, { width: box.clientWidth - 16, height: window.innerHeight * 0.4 }, (text) => pen.measureText(text).width);
    shown = { picture, plan: place, record };
    paint(canvas, picture, place);
    canvas.setAttribute("aria-label", `${picture.rows.length} × ${picture.columns.length} attention weights: rows are tokens fed to the decoder, columns are source tokens`);
    fill(kind, head === null ? el("b", { text: `Average over ${record.shape[headAxis(record)]} heads. ` }) : "", "Rows: ", el("b", { class: "axis-name", vars: { "--axis": axisColour(rowAxis) }, text: "decoder input" }),
      ", columns: ", el("b", { class: "axis-name", vars: { "--axis": axisColour(columnAxis) }, text: "source" }), `. Each row sums to 1. Scale 0 `, el("span", { class: "map-scale", "aria-hidden": "true" }), " 1");
    say();
  }

  /** @param {[number, number] | null} cell */
  function point(cell) {
    at = cell;
    if (!shown) return;
    shown.picture.at = at;
    paint(canvas, shown.picture, shown.plan);
    say();
  }

  function say() {
    if (!shown || !at) return void (says.textContent = "Point at a cell, or walk with the arrows; a click opens it.");
    const { values, rows, columns } = shown.picture;
    const [row, column] = at;
    if (!rows[row] || !columns[column]) return;
    says.textContent = `“${rows[row].text}” (${row}) gives ${full(values[row * columns.length + column])} of its attention to “${columns[column].text}” (${column})${chosen.average ? ", on average over the heads" : ""}.`;
  }

  /** @param {PointerEvent | MouseEvent} event */
  function under(event) {
    const box = canvas.getBoundingClientRect();
    return shown && cellAt(shown.plan, shown.picture, event.clientX - box.left, event.clientY - box.top);
  }

  /** @param {[number, number] | null} place */
  function choose(place) {
    if (!place || !shown) return;
    const { record } = shown;
    const { index } = store.get();
    const fixed = record.axes.slice(0, -2).map((axis, i) => Math.min(index[axis] ?? 0, record.shape[i] - 1));
    store.set({ tensor: record.name, cell: chosen.average ? null : [...fixed, ...place], index: { ...index, ...Object.fromEntries(fixed.map((value, i) => [record.axes[i], value])) } });
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    if (!shown || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = MOVES[event.key];
    if (!by && event.key !== "Enter") return;
    event.preventDefault();
    if (!by) return choose(at);
    const { rows, columns } = shown.picture;
    const [row, column] = at ?? [0, 0];
    point([Math.max(0, Math.min(rows.length - 1, row + by[0])), Math.max(0, Math.min(columns.length - 1, column + by[1]))]);
  }

  const isOpen = () => store.get().panel === "attention";
  store.subscribe(["tensor", "cell"], () => { if (isOpen()) void render(); });
  new MutationObserver(() => point(at)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return { element, tools, show: () => void render() };
}

/** Fill a select, keeping the focus. @param {HTMLSelectElement} select @param {string[]} names @param {number} place */
function options(select, names, place) {
  if (select.options.length !== names.length) fill(select, ...names.map((name) => el("option", { value: name, text: name === AVERAGE ? "average of heads" : name })));
  select.selectedIndex = place;
  dress(select, { disabled: names.length < 2 });
}
