/** The rows of an explanation: one a place along the axis that is run along, some of them or all. Pure. */

import { numberOf } from "./numbers.js";

/**
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("../core/types.js").Cell_} Cell_
 * @typedef {import("../core/types.js").Operand} Operand @typedef {import("../core/types.js").Term} Term
 * @typedef {{operand: Operand, terms: Term[]}} Line   an operand that is run along, with a term for each row
 * @typedef {object} Table
 * @property {number} count   rows in all
 * @property {number[]} places   the rows that are here
 * @property {Line[]} lines
 * @property {import("../core/types.js").Column[]} columns   worked out row by row
 * @property {Explanation["rest"]} rest   what is not here
 */

/**
 * @param {Explanation} explanation
 * @returns {Table}
 */
export function tableOf({ count, places, operands, terms, columns, rest }) {
  const lines = operands.filter(isLine).map((operand) => ({ operand, terms: terms.slice(operand.first, operand.first + operand.shown) }));
  return { count, places, lines, columns, rest };
}

/** Whether an operand runs along an axis instead of being one cell. @param {Operand} operand */
export function isLine({ cell }) {
  return cell.includes(null);
}

/**
 * The rows of one answer, and after them those of the next.
 * @param {Table} table @param {Table} more
 * @returns {Table}
 */
export function joined(table, more) {
  const places = [...table.places, ...more.places];
  const columns = table.columns.map((column, i) => ({ ...column, values: [...column.values, ...more.columns[i].values] }));
  return {
    ...table, places, columns, rest: restOf(table.count - places.length, columns),
    lines: table.lines.map((line, i) => ({ ...line, terms: [...line.terms, ...more.lines[i].terms] })),
  };
}

/**
 * The rows in the order of their places.
 * @param {Table} table
 * @returns {Table}
 */
export function inOrder(table) {
  const order = table.places.map((_, i) => i).sort((a, b) => table.places[a] - table.places[b]);
  /** @template T @param {T[]} list */
  const sorted = (list) => order.map((i) => list[i]);
  return {
    ...table, places: sorted(table.places), lines: table.lines.map((line) => ({ ...line, terms: sorted(line.terms) })),
    columns: table.columns.map((column) => ({ ...column, values: column.running ? sums(sorted(steps(column.values))) : sorted(column.values) })),
  };
}

/** What the rows come to that are not here. @param {number} left @param {import("../core/types.js").Column[]} columns @returns {Table["rest"]} */
function restOf(left, columns) {
  if (left <= 0) return null;
  return { count: left, totals: columns.map(({ total, values }) => (total === null ? null : numberOf(total) - values.reduce((/** @type {number} */ sum, value) => sum + numberOf(value), 0))) };
}

/** What each row adds to a running sum. @param {Cell_[]} values */
function steps(values) {
  return values.map((value, i) => numberOf(value) - (i ? numberOf(values[i - 1]) : 0));
}

/** @param {number[]} values */
function sums(values) {
  let sum = 0;
  return values.map((value) => (sum += value));
}

/**
 * How long the bar of each value is, from −1 to 1 of the longest.
 * @param {Cell_[]} values
 * @returns {number[]}
 */
export function bars(values) {
  const numbers = values.map(numberOf).map((value) => (Number.isFinite(value) ? value : 0));
  const most = numbers.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  return numbers.map((value) => value / most);
}
