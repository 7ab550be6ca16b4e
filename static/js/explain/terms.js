/** The table of an explanation: a row for each place that is run along, its operands as links, what is worked out beside them. */

import { axisColour, axisWords } from "../core/axes.js";
import { afterPaint, el } from "../core/dom.js";
import { count } from "../core/format.js";
import { maskWords } from "../core/scale.js";
import { ownName } from "../tensor/naming.js";
import { plain } from "../tensor/words.js";
import { contextAt, placeAlong, saidAbove, shortCell, titleOf } from "./labels.js";
import { cellLink } from "./links.js";
import { decimalsFor, inFull, written } from "./numbers.js";
import { bars } from "./table.js";

/**
 * @typedef {import("./table.js").Table} Table @typedef {import("./table.js").Line} Line @typedef {import("../core/types.js").Column} Column
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("../core/store.js").State} State @typedef {import("../tensor/context.js").Context} Context
 * @typedef {{head: HTMLElement, cell: (row: number) => HTMLElement, total: string | null, rest: string | null}} Drawn   one column of the table
 */

/** The rows that are in sight; those below them are drawn when these are on the screen. */
const IN_SIGHT = 24;

/**
 * @param {Table} table @param {Explanation} explanation @param {State} state @param {{whole: boolean}} how   all rows at once
 * @returns {HTMLElement}
 */
export function termsTable(table, explanation, state, { whole }) {
  const contexts = table.lines.map(({ operand }) => contextAt(state, operand.name, operand.cell, operand.of));
  const adding = table.columns.map(({ total }) => total !== null).lastIndexOf(true);
  const columns = [...table.lines.map((line, i) => operandColumn(line, contexts[i], explanation)), ...table.columns.map((column, i) => workedColumn(column, table.rest?.totals[i] ?? null, i === adding))];
  const along = explanation.along;
  const here = along && table.lines.length === 1 ? explanation.cell[explanation.axes.indexOf(along.axis)] : undefined;
  const row = (/** @type {number} */ place, /** @type {number} */ i) => el("tr", { class: place === here ? "ex-here" : null }, rowLabel(table.lines[0], contexts[0], place, i), ...columns.map(({ cell }) => cell(i)));
  const now = whole ? table.places.length : IN_SIGHT;
  const body = el("tbody", {}, ...table.places.slice(0, now).map(row));
  if (table.places.length > now) afterPaint(() => body.isConnected && body.append(...table.places.slice(now).map((place, i) => row(place, now + i))));
  const colour = along && { "--axis": axisColour(along.over) };
  return el("table", { class: "ex-terms" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "ex-along", vars: colour ?? {}, text: along?.axis ?? "place" }), ...columns.map(({ head }) => head))),
    body,
    foot(table, columns));
}

/** What the rows come to, those that are not here and all of them. @param {Table} table @param {Drawn[]} columns */
function foot(table, columns) {
  const line = (/** @type {string} */ title, /** @type {(column: Drawn) => string | null} */ of) => el("tr", {}, el("th", { scope: "row", text: title }), ...columns.map((column) => el("td", { text: of(column) ?? "" })));
  const adds = columns.some(({ total }) => total !== null);
  if (!adds && !table.rest) return null;
  return el("tfoot", {}, table.rest && line(`${count(table.rest.count)} more`, ({ rest }) => rest), adds && line("together", ({ total }) => total));
}

/** @param {Line} line @param {Context | null} context @param {number} place @param {number} row */
function rowLabel({ operand, terms }, context, place, row) {
  const words = context ? placeAlong(context, operand.cell, terms[row].cell) : [{ text: String(place) }];
  return el("th", { scope: "row" }, ...axisWords(words));
}

/** @param {Line} line @param {Context | null} context @param {Explanation} explanation @returns {Drawn} */
function operandColumn({ operand, terms }, context, explanation) {
  const words = context ? maskWords(context.scale) : undefined;
  const label = context ? shortCell(context, operand.cell) : [{ text: operand.name }];
  const heading = context ? shortCell(context, operand.cell, saidAbove(explanation, operand)) : label;
  const decimals = decimalsFor(terms.map(({ value }) => value));
  const own = plain(label);
  const cell = (/** @type {number} */ row) => {
    const term = terms[row];
    const title = `${context ? plain(shortCell(context, term.cell)) : own}: ${inFull(term.value, { words, text: term.text })}`;
    return el("td", {}, cellLink({ ...term, of: operand.of }, written(term.value, { words, text: term.text, decimals }), { title }));
  };
  return { head: el("th", { scope: "col", title: own }, context ? titleOf(context) : ownName(operand.name), " ", el("span", { class: "ex-line" }, ...axisWords([{ text: "[" }, ...heading.slice(1)]))), cell, total: null, rest: null };
}

/** @param {Column} column @param {import("../core/types.js").Cell_ | null} rest @param {boolean} weighs its bars show which row matters @returns {Drawn} */
function workedColumn({ title, values, total }, rest, weighs) {
  const decimals = decimalsFor(values);
  const lengths = weighs ? bars(values) : null;
  const whole = lengths !== null && lengths.every((length) => length >= 0);
  const cell = (/** @type {number} */ row) => el("td", { class: "ex-worked" }, lengths && bar(lengths[row], whole), el("span", { title: inFull(values[row]), text: written(values[row], { decimals }) }));
  const text = (/** @type {import("../core/types.js").Cell_ | null} */ value) => (value === null ? null : written(value, { decimals }));
  return { head: el("th", { scope: "col", class: "ex-title", text: title }), cell, total: text(total), rest: text(rest) };
}

/** How much a row matters, about zero where there are values below it. @param {number} length −1 to 1 @param {boolean} whole */
function bar(length, whole) {
  return el("span", { class: whole ? "ex-bar whole" : length < 0 ? "ex-bar below" : "ex-bar", "aria-hidden": "true", vars: { "--long": Math.abs(length).toFixed(3) } });
}
