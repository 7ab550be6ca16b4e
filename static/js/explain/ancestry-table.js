/** The table of a whole ancestry: what each token adds, then position codes and constants, then all together. */

import { axisColour, placeLabel } from "../core/axes.js";
import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { whereabouts } from "../tensor/naming.js";
import { boundOf, constantsOf, sideOf } from "./ancestry-rows.js";
import { cellLink } from "./links.js";
import { decimalsFor, difference, inFull, written } from "./numbers.js";

/**
 * @typedef {import("./ancestry-rows.js").Ancestry} Ancestry @typedef {import("./ancestry-rows.js").Side} Side @typedef {import("../core/store.js").State} State
 * @typedef {{bound: number, decimals: number}} Scale_
 */

/** @type {Record<string, string>} */
const SIDES = { src: "source", tgt: "target so far" };

/**
 * @param {Ancestry} ancestry
 * @param {State} state
 * @returns {HTMLElement}
 */
export function partsTable(ancestry, state) {
  const sides = ancestry.tokens.map((share) => sideOf(share));
  const constants = constantsOf(ancestry.constants);
  const codes = ancestry.positions.map(({ over, total }) => ({ over, total: Number(total) }));
  const bound = boundOf(sides, [...codes.map(({ total }) => total), ...constants.shown.map(({ value }) => value), constants.rest]);
  const scale = { bound, decimals: Math.min(decimalsFor([bound]), 4) };
  const block = (/** @type {string} */ tensor) => (state.model ? whereabouts(state.model, tensor).join(" · ") : tensor);
  const rows = [
    ...codes.map(({ over, total }) => row(el("th", { scope: "row", class: "on-axis", vars: { "--axis": axisColour(over) }, text: `${over === "src" ? "source" : "target"} positions` }), total, scale)),
    ...constants.shown.map(({ tensor, value }) => row(el("th", { scope: "row", title: block(tensor), text: block(tensor) }), value, scale)),
    ancestry.constants.length > 0 && constants.shown.length === 0 && row(el("th", { scope: "row", class: "soft", text: "biases and offsets" }), 0, scale),
    constants.left > 0 && row(el("th", { scope: "row", class: "soft", text: `${constants.left} more blocks` }), constants.rest, scale),
  ];
  return el("table", { class: "an-parts" }, el("caption", { class: "visually-hidden", text: "What each token, the position codes, and biases and offsets add" }),
    el("colgroup", {}, el("col", { class: "an-wide" }), el("col"), el("col", { class: "an-narrow" })),
    ...sides.map((side) => sideBody(side, ancestry, state, scale)),
    rows.some(Boolean) && el("tbody", {}, groupHead("position codes, biases and offsets"), ...rows), foot(ancestry, scale));
}

/** @param {Side} side @param {Ancestry} ancestry @param {State} state @param {Scale_} scale */
function sideBody({ over, rows, left, rest, silent }, { sentence }, state, scale) {
  const colour = { "--axis": axisColour(over) };
  const made = rows.map(({ place, value, hop }) => {
    const label = placeLabel(state.trace, state.model, over, place, sentence);
    const head = el("th", { scope: "row" }, el("bdi", { class: "an-token on-axis", vars: colour, title: `“${label}”, position ${place}`, text: label }), el("span", { class: "an-place soft", text: place }));
    return row(head, value, scale, { hop, title: `“${label}” (${place}) adds ${inFull(value)}; open the cell of its embedding that matters most` });
  });
  const quiet = silent > 0 && `${silent} ${over === "tgt" ? "later or padded" : "padded"} ${silent === 1 ? "position adds" : "positions add"} nothing`;
  return el("tbody", {}, groupHead(`tokens of the ${SIDES[over] ?? over}`, colour, quiet || null), ...made, left > 0 && row(el("th", { scope: "row", class: "soft", text: `${count(left)} more` }), rest, scale));
}

/** @param {string} text @param {Record<string, string>} [vars] @param {string | null} [note] */
function groupHead(text, vars = {}, note = null) {
  return el("tr", { class: "an-group" }, el("th", { scope: "rowgroup", colspan: 3, vars }, el("span", { class: vars["--axis"] ? "on-axis" : null, text }), note && el("span", { class: "soft", text: ` · ${note}` })));
}

/**
 * @param {HTMLElement} head @param {number} value @param {Scale_} scale
 * @param {{hop: import("../core/trail.js").Hop, title: string} | null} [link]
 */
function row(head, value, { bound, decimals }, link = null) {
  const text = written(value, { decimals });
  const number = link ? cellLink(link.hop, text, { title: link.title }) : el("span", { title: inFull(value), text });
  return el("tr", {}, head, el("td", { class: "an-bar-box" }, bar(value / bound)), el("td", { class: "an-number" }, number));
}

/** @param {number} length −1 to 1 */
function bar(length) {
  return el("span", { class: length < 0 ? "ex-bar below" : "ex-bar", "aria-hidden": "true", vars: { "--long": Math.min(1, Math.abs(length)).toFixed(3) } });
}

/** @param {Ancestry} ancestry @param {Scale_} scale */
function foot({ total }, { decimals }) {
  return el("tfoot", {}, el("tr", {}, el("th", { scope: "row", colspan: 2, text: "together" }), el("td", { class: "an-number", title: inFull(total), text: written(total, { decimals }) })));
}

/**
 * That the parts come to what was recorded.
 * @param {Ancestry} ancestry
 */
export function agreement({ total, start, difference: off }) {
  return el("p", { class: "ex-check small" }, "added up ", mono(total), ", recorded ", mono(start.value), ", difference ", el("span", { class: "mono", text: difference(off) }));
}

/** @param {import("../core/types.js").Cell_} value */
function mono(value) {
  return el("span", { class: "mono", text: inFull(value) });
}
