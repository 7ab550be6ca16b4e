/** How one cell of the attention arithmetic comes about, written out with its operands. Pure: no DOM. */

import { fixed, full } from "../core/format.js";

/**
 * A piece of a written sum: `from` names the operand's colour, `pair` the number of the term it belongs to, `all` has all its digits.
 * @typedef {{text: string, from?: "row" | "column" | "result", pair?: number, all?: string}} Piece
 */

const MOST = 8;
const DECIMALS = { least: 2, most: 5 };

/**
 * A dot product, divided by a root where it is a score: ( 2.571·−1.470 + … ) / √4 = −1.71. Operands have more decimals than the
 * result, as many as it takes that who adds up what is written comes to what is written; where that takes too many, it says ≈.
 * @param {ArrayLike<number>} row @param {ArrayLike<number>} column @param {number} result @param {{root?: number}} [options]
 * @returns {Piece[]}
 */
export function products(row, column, result, { root } = {}) {
  const shown = Math.min(row.length, MOST);
  let rest = 0;
  for (let i = shown; i < row.length; i++) rest += row[i] * column[i];
  const { decimals, equals } = enough(result, (decimals) => {
    let sum = round(rest, decimals + 1);
    for (let i = 0; i < shown; i++) sum += round(row[i], decimals + 1) * round(column[i], decimals + 1);
    return same(sum / Math.sqrt(root ?? 1), result, decimals);
  });

  /** @type {Piece[]} */
  const pieces = root ? [{ text: "( " }] : [];
  for (let i = 0; i < shown; i++) {
    if (i) pieces.push({ text: " + " });
    pieces.push(number(row[i], decimals + 1, "row", i), { text: "·" }, number(column[i], decimals + 1, "column", i));
  }
  if (shown < row.length) pieces.push({ text: " + " }, number(rest, decimals + 1), { text: ` from ${row.length - shown} more` });
  if (root) pieces.push({ text: ` ) / √${root}` });
  return [...pieces, { text: ` ${equals} ` }, number(result, decimals, "result")];
}

/**
 * A softmax: each score's exponential, after the largest is taken off, as a share of the row's sum.
 * @param {ArrayLike<number>} row the masked scores @param {number} place @param {number} result
 * @param {string} [why] why the place is blocked, if it is
 * @returns {Piece[]}
 */
export function shares(row, place, result, why = "") {
  const scores = Array.from(row);
  const largest = Math.max(...scores);
  if (largest === -Infinity) return [{ text: "every key of this row is blocked: all weights are " }, number(0, 0, "result")];
  const raised = scores.map((score) => Math.exp(score - largest));
  const total = raised.reduce((sum, value) => sum + value, 0);
  const rest = raised.slice(MOST).reduce((sum, value) => sum + value, 0);
  const blocked = scores[place] === -Infinity;
  const { decimals, equals } = enough(result, (decimals) => {
    const sum = raised.slice(0, MOST).concat(rest).reduce((sum, value) => sum + round(value, decimals + 1), 0);
    const own = Math.exp(round(scores[place], decimals + 2) - round(largest, decimals + 2));
    return (blocked || same(own, raised[place], decimals + 1)) && same(sum, total, decimals) && same(round(raised[place], decimals + 1) / round(total, decimals), result, decimals);
  });

  const own = number(raised[place], decimals + 1, "row");
  /** @type {Piece[]} */
  const pieces = blocked ? [{ text: `blocked: −∞${why ? ", " : ""}${why};   e^−∞ = ` }, number(0, 0, "row")] : [
    { text: "e^( " }, number(scores[place], decimals + 2, "row"), { text: " − " }, number(largest, decimals + 2), { text: ` ) ${equals} ` }, own,
  ];
  pieces.push({ text: "   of   " });
  raised.slice(0, MOST).forEach((value, i) => pieces.push({ text: i ? " + " : "" }, number(value, decimals + 1, i === place ? "row" : "column", i)));
  if (raised.length > MOST) pieces.push({ text: " + " }, number(rest, decimals + 1), { text: ` from ${raised.length - MOST} more` });
  return [...pieces, { text: ` ${equals} ` }, number(total, decimals), { text: "   →   " }, blocked ? number(0, 0) : own, { text: " / " }, number(total, decimals), { text: ` ${equals} ` }, number(result, decimals, "result")];
}

/**
 * How many decimals the result needs, so that what is written works out; "≈" where that takes more than anyone would read.
 * @param {number} result @param {(decimals: number) => boolean} works
 */
function enough(result, works) {
  const first = Math.abs(result) > 0 && Math.abs(result) < 0.1 ? Math.min(1 - Math.floor(Math.log10(Math.abs(result))), DECIMALS.most) : DECIMALS.least;
  for (let decimals = first; decimals <= DECIMALS.most; decimals++) if (works(decimals) && (result === 0 || round(result, decimals) !== 0)) return { decimals, equals: "=" };
  return { decimals: first, equals: "≈" };
}

/** @param {number} value @param {number} decimals @param {Piece["from"]} [from] @param {number} [pair] @returns {Piece} */
function number(value, decimals, from, pair) {
  return { text: fixed(value, decimals), all: full(value), ...(from && { from }), ...(pair !== undefined && { pair }) };
}

/** @param {number} value @param {number} decimals */
function round(value, decimals) {
  return Number(value.toFixed(decimals));
}

/** @param {number} one @param {number} other @param {number} decimals */
function same(one, other, decimals) {
  return fixed(one, decimals) === fixed(other, decimals);
}
