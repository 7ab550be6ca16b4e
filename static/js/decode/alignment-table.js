/** The weights of an alignment as a table, for those who read rather than look. */

import { el } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { visible } from "../core/tokens.js";

/** @typedef {import("../core/types.js").Token} Token */

/**
 * @param {{source: Token[], written: Token[], map: Float64Array}} alignment
 * @returns {HTMLElement}
 */
export function drawTable({ source, written, map }) {
  const cells = (/** @type {number} */ row) => source.map((_, column) => el("td", { text: fixed(map[row * source.length + column], 2) }));
  return el("table", {},
    el("caption", { class: "visually-hidden", text: "attention weights: a row for each written token, a column for each source token" }),
    el("thead", {}, el("tr", {}, el("td"), ...source.map(({ text }) => el("th", { scope: "col", class: "of-src", text: visible(text) })))),
    el("tbody", {}, ...written.map(({ text }, row) => el("tr", {}, el("th", { scope: "row", class: "of-tgt", text: visible(text) }), ...cells(row)))));
}
