/** The arithmetic as lines, the last of which is the cell; and how near it comes to what was recorded. */

import { el } from "../core/dom.js";
import { maskWords } from "../core/scale.js";
import { ownName } from "../tensor/naming.js";
import { plain } from "../tensor/words.js";
import { contextAt, shortCell, titleOf } from "./labels.js";
import { cellLink } from "./links.js";
import { decimalsFor, difference, inFull, written } from "./numbers.js";

/**
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("../core/types.js").Equation} Equation @typedef {import("../core/types.js").Cell_} Cell_
 * @typedef {import("../tensor/context.js").Context} Context @typedef {import("../core/store.js").State} State
 */

/**
 * @param {Explanation} explanation @param {Context} context @param {State} state
 * @returns {HTMLElement | null}
 */
export function equations(explanation, context, state) {
  if (explanation.equations.length === 0) return null;
  const lines = explanation.equations.map((equation) => line(equation, explanation, context, state));
  return el("div", { class: "ex-equations" }, ...lines);
}

/** @param {Equation} equation @param {Explanation} explanation @param {Context} context @param {State} state */
function line(equation, explanation, context, state) {
  const { title, parts, value } = equation;
  const words = maskWords(context.scale);
  return el("p", { class: "ex-equation" },
    title && el("span", { class: "ex-equation-title", text: title }),
    el("span", { class: "ex-equation-parts" }, ...parts.flatMap((part, i) => [i ? " " : "", piece(part, explanation, state)])),
    el("span", { class: "ex-equation-value" }, "= ", el("b", { title: inFull(value, { words }), text: written(value, { words, decimals: decimalsFor([value]) }) })));
}

/** @param {import("../core/types.js").EquationPart} part @param {Explanation} explanation @param {State} state */
function piece(part, { operands, terms }, state) {
  if (typeof part === "string") return part;
  const operand = part.operand === null ? null : operands[part.operand];
  const term = operand && terms[operand.first];
  const text = written(part.value, { text: term?.text, decimals: decimalsFor([part.value]) });
  const context = operand && term ? contextAt(state, term.name, term.cell, operand.of) : null;
  return term ? el("span", { class: "ex-operand" }, el("span", { class: "soft ex-operand-name", text: context ? titleOf(context) : ownName(term.name) }), " ", termLink(term, text, state, operand?.of)) : el("span", { title: inFull(part.value), text });
}

/**
 * A single cell that is read: its value is a link to it.
 * @param {import("../core/types.js").Term} term @param {string} text @param {State} state @param {"value" | "gradient"} [of]
 */
export function termLink(term, text, state, of) {
  const context = contextAt(state, term.name, term.cell, of);
  const words = context ? maskWords(context.scale) : undefined;
  const shown = typeof term.value === "boolean" ? written(term.value, { words }) : text;
  const title = `${context ? plain(shortCell(context, term.cell)) : term.name}: ${inFull(term.value, { words, text: term.text })}`;
  return cellLink({ ...term, of }, shown, { title, learned: context?.tensor?.parameter });
}

/**
 * "worked out 0.310013, recorded 0.310013, difference 1e−9"
 * @param {Explanation} explanation
 * @returns {HTMLElement | null}
 */
export function check({ leaf, result, value, difference: off }) {
  if (leaf || typeof value !== "number" || typeof result !== "number") return null;
  const decimals = decimalsFor([value, result]) + 2;
  return el("p", { class: "ex-check small" }, "worked out ", number(result, decimals), ", recorded ", number(value, decimals), ", difference ", el("span", { class: "mono", text: difference(off) }));
}

/** @param {Cell_} value @param {number} decimals */
function number(value, decimals) {
  return el("span", { class: "mono", title: inFull(value), text: written(value, { decimals }) });
}
