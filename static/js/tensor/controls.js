/** What is shown of a tensor: which sentence, which head, on what scale, how near. */

import { axisColour, isSentences } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { isBeam, sentenceOf } from "../core/sentences.js";
import { blanksSeen } from "../core/tokens.js";
import { placeTitle } from "./arrange.js";

/** @typedef {import("./context.js").Context} Context @typedef {import("../core/store.js").Store} Store */

const MOST_NAMED = 4;
const LONGEST = 22;

/**
 * One group of buttons for each axis of which one place is shown, and one for the axis whose places stand side by side.
 * @param {Store} store
 * @param {Context} context
 * @returns {HTMLElement[]}
 */
export function axisControls(store, context) {
  const { layout, record } = context;
  const made = layout.tabs.map((axis) => tabs(store, context, axis));
  if (layout.panel !== null && record.shape[layout.panel] > 1) made.push(panelTabs(store, context, layout.panel));
  return made;
}

/** @param {Store} store @param {Context} context @param {number} axis */
function tabs(store, context, axis) {
  const { record, places, trace } = context;
  const over = record.over[axis];
  const count = record.shape[axis];
  const name = isSentences(over) ? (isBeam(trace) ? "row" : "sentence") : over;
  const text = (/** @type {number} */ place) => (isSentences(over) ? rowText(context, place) : "");
  const title = (/** @type {number} */ place) => (isSentences(over) && isBeam(trace) ? `row ${place + 1}:` : placeTitle(over, place));
  if (count === 1) return el("div", { class: "picks" }, el("span", { class: "soft", text: `${name} 1` }), el("bdi", { text: text(0) }));
  return group(name, over, Array.from({ length: count }, (_, place) => ({
    text: placeTitle("", isSentences(over) ? place + 1 : place).trim(), more: count <= MOST_NAMED ? text(place) : "", title: `${title(place)} ${text(place)}`.trim(),
    chosen: place === places[axis], choose: () => choose(store, over, axis, place),
  })), count > MOST_NAMED ? text(places[axis]) : "");
}

/** @param {Store} store @param {Context} context @param {number} axis */
function panelTabs(store, { record, alone }, axis) {
  const over = record.over[axis];
  const all = { text: "all", more: "", title: `all ${record.shape[axis]} side by side`, chosen: alone === null, choose: () => chooseAll(store, over) };
  const each = Array.from({ length: record.shape[axis] }, (_, place) => ({
    text: String(place + 1), more: "", title: placeTitle(over, place), chosen: place === alone, choose: () => choose(store, over, axis, place),
  }));
  return group(over, over, [all, ...each], "");
}

/**
 * @param {string} name @param {string} over
 * @param {{text: string, more: string, title: string, chosen: boolean, choose: () => void}[]} choices @param {string} aside
 */
function group(name, over, choices, aside) {
  return el("div", { class: "picks", role: "group", "aria-label": name, vars: { "--axis": axisColour(over) } }, el("span", { class: "picks-name", text: name }),
    ...choices.map(({ text, more, title, chosen, choose }) => el("button", {
      type: "button", class: "pick", "aria-pressed": String(chosen), "aria-label": title, title, on: { click: choose },
    }, text, more && el("bdi", { class: "pick-more", text: more }))), aside && el("bdi", { class: "soft pick-aside", text: aside }));
}

/**
 * Show another place on an axis; a selected cell goes with it.
 * @param {Store} store @param {string} over @param {number} axis @param {number} place
 */
export function choose(store, over, axis, place) {
  const { index, cell } = store.get();
  store.set({ index: { ...index, [over]: place }, cell: cell && cell.map((at, i) => (i === axis ? place : at)) });
}

/** @param {Store} store @param {string} over */
function chooseAll(store, over) {
  const { [over]: _, ...index } = store.get().index;
  store.set({ index });
}

/** The source of a row; of a hypothesis the end of what it has written, where hypotheses differ, and whose it is. @param {Context} context @param {number} row */
function rowText({ trace }, row) {
  const text = textOf((isBeam(trace) ? trace.tokens.tgt : trace.tokens.src)[row]);
  if (!isBeam(trace)) return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const whose = trace.recipe.src.length > 1 ? `, sentence ${sentenceOf(trace, row) + 1}` : "";
  const end = text.length > LONGEST ? `…${text.slice(1 - LONGEST)}` : text;
  return text ? `“${blanksSeen(end)}”${whose}` : `nothing yet${whose}`;
}

/** @param {import("../core/types.js").Token[] | undefined} tokens */
function textOf(tokens = []) {
  const words = tokens.filter((token) => !token.special && !token.pad).map((token) => token.text);
  return words.join(words.every((word) => [...word].length === 1) ? "" : " ");
}

/**
 * The names of rows and columns, in their axes' colours: "query (row) = tgt", "key (column) = src".
 * @param {HTMLElement} element
 * @param {Context} context
 */
export function writeAxisTitles(element, { record, layout, trace }) {
  const title = (/** @type {number | null} */ axis, /** @type {string} */ role, /** @type {string} */ arrow) => {
    if (axis === null) return null;
    const [name, over] = [isSentences(record.axes[axis]) ? (isBeam(trace) ? "hypothesis" : "sentence") : record.axes[axis], record.over[axis]];
    const runs = name === over || isSentences(over) ? "" : ` = ${over}`;
    return el("span", { class: "axis-title", vars: { "--axis": axisColour(over) } }, el("b", { text: name }), ` (${role})${runs} ${arrow}`);
  };
  fill(element, title(layout.row, "row", "↓"), title(layout.column, "column", "→"));
}
