/** What each head adds on the way: one small grid of head by key for every attention block, nearest first. */

import { axisColour, placeLabel } from "../core/axes.js";
import { el } from "../core/dom.js";
import { whereabouts } from "../tensor/naming.js";
import { headBound, keysOf } from "./ancestry-rows.js";
import { cellLink } from "./links.js";
import { decimalsFor, inFull, written } from "./numbers.js";

/**
 * @typedef {import("./ancestry-rows.js").Ancestry} Ancestry @typedef {import("./ancestry-rows.js").HeadShares} HeadShares @typedef {import("../core/store.js").State} State
 */

const FIRST = 3;
const MOST_LABELLED = 26;

/**
 * @param {Ancestry} ancestry
 * @param {State} state
 * @returns {HTMLElement | null}
 */
export function headGrids({ heads, sentence }, state) {
  if (heads.length === 0) return null;
  const bound = headBound(heads);
  const said = el("p", { class: "an-said mono", "aria-hidden": "true" });
  const resting = `no colour is 0, the deepest is ±${written(bound, { decimals: decimalsFor([bound]) })}`;
  const blocks = el("div", { class: "an-blocks" }, ...heads.slice(0, FIRST).map((block) => grid(block, bound, sentence, state)));
  const others = heads.slice(FIRST);
  const more = el("button", { type: "button", class: "pick an-more", text: others.length === 1 ? "1 deeper block" : `${others.length} deeper blocks`, on: { click: () => {
    blocks.append(...others.map((block) => grid(block, bound, sentence, state)));
    /** @type {HTMLElement | null} */ (blocks.children[FIRST].querySelector("button"))?.focus();
    more.remove();
  } } });
  const element = el("section", { class: "an-heads" }, el("h3", { text: "Through which heads" }),
    el("p", { class: "soft small", text: "Each block by itself, the nearest first: what its heads bring from each key. A head brings along what deeper ones gave to its keys, so blocks are not added to one another." }),
    said, blocks, others.length > 0 && more);
  said.textContent = resting;
  element.addEventListener("pointerover", ({ target }) => { said.textContent = (target instanceof Element && target.closest("td[data-said]")?.getAttribute("data-said")) || resting; });
  element.addEventListener("pointerleave", () => { said.textContent = resting; });
  return element;
}

/** @param {HeadShares} block @param {number} bound @param {number} sentence @param {State} state */
function grid(block, bound, sentence, state) {
  const { heads, over, values, keys, cells } = block;
  const shown = keysOf(block);
  const labels = shown.map((key) => placeLabel(state.trace, state.model, over, key, sentence));
  const title = state.model ? whereabouts(state.model, heads).join(" · ") : block.block;
  const decimals = decimalsFor([bound]);
  const rows = keys.map((row, head) => {
    const link = cellLink({ name: heads, cell: cells[head] }, `head ${head + 1}`, { title: `head ${head + 1} adds ${inFull(values[head])}; open the cell of it that matters most` });
    const boxes = shown.map((key, i) => keyCell(Number(row[key]), bound, `head ${head + 1} from “${labels[i]}” (${key}): ${inFull(row[key])}`, decimals));
    return el("tr", {}, el("th", { scope: "row" }, link), el("td", { class: "an-number", title: inFull(values[head]), text: written(values[head], { decimals }) }), ...boxes);
  });
  const named = shown.length <= MOST_LABELLED;
  const heading = labels.map((label, i) => el("th", { scope: "col", title: `“${label}”, position ${shown[i]}` }, el("bdi", { class: named ? null : "visually-hidden", text: label })));
  return el("table", { class: "an-grid", vars: { "--axis": axisColour(over) } }, el("caption", { text: title }),
    el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col", class: "an-adds", text: "adds" }), ...heading)), el("tbody", {}, ...rows));
}

/** @param {number} value @param {number} bound @param {string} says @param {number} decimals */
function keyCell(value, bound, says, decimals) {
  const depth = Number.isFinite(value) ? Math.min(1, Math.abs(value) / bound) : 0;
  return el("td", { class: value < 0 ? "an-key below" : "an-key", data: { said: says }, title: says, vars: { "--deep": `${(depth * 100).toFixed(1)}%` } }, el("span", { class: "visually-hidden", text: written(value, { decimals }) }));
}

