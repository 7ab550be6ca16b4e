/** Why a cell may be looked at or not, what is read besides, and where the number goes on to: links. */

import { el } from "../core/dom.js";
import { maskWords } from "../core/scale.js";
import { longTitle } from "../tensor/naming.js";
import { plain } from "../tensor/words.js";
import { contextAt, shortCell } from "./labels.js";
import { cellLink } from "./links.js";
import { decimalsFor, inFull, written } from "./numbers.js";
import { isLine } from "./table.js";

/** @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("../core/store.js").State} State */

/** @param {Explanation} explanation @param {State} state @returns {HTMLElement | null} */
export function because({ because: reasons }, state) {
  if (reasons.length === 0) return null;
  return el("div", { class: "ex-list ex-because" }, el("h3", { text: "Because" }),
    el("ul", {}, ...reasons.map((reason) => el("li", {}, named(reason, state), el("span", { class: "soft", text: ` ${reason.says}` })))));
}

/** Single cells that are read and that no line of arithmetic shows. @param {Explanation} explanation @param {State} state @returns {HTMLElement | null} */
export function besides({ operands, terms, equations }, state) {
  const inLines = new Set(equations.flatMap(({ parts }) => parts.map((part) => (typeof part === "string" ? null : part.operand))));
  const others = operands.filter((operand, i) => !isLine(operand) && !inLines.has(i)).map(({ first, of }) => ({ ...terms[first], of }));
  if (others.length === 0) return null;
  return el("div", { class: "ex-list ex-besides" }, el("h3", { text: "Reads" }), el("ul", {}, ...others.map((term) => el("li", {}, named(term, state), " ", value(term, state)))));
}

/** @param {Explanation} explanation @param {State} state @returns {HTMLElement | null} */
export function onwards({ then }, state) {
  if (then.length === 0) return null;
  return el("div", { class: "ex-list" }, el("h3", { text: "Goes on to" }), el("ul", {}, ...then.map((next) => el("li", {}, named(next, state), " ", value(next, state)))));
}

/** @param {import("../core/trail.js").Hop} hop @param {State} state */
function named(hop, state) {
  const context = contextAt(state, hop.name, hop.cell, hop.of);
  const label = context ? shortCell(context, hop.cell) : [{ text: hop.name }];
  return cellLink(hop, label, { class: "ex-named", title: `${plain(label)} · ${state.model ? longTitle(state.model, hop.name) : hop.name}` });
}

/** @param {import("../core/types.js").Term} term @param {State} state */
function value({ name, cell, value: number, text }, state) {
  const context = contextAt(state, name, cell);
  const words = context ? maskWords(context.scale) : undefined;
  return el("span", { class: "mono", title: inFull(number, { words, text }), text: written(number, { words, text, decimals: decimalsFor([number]) }) });
}
