/** How one cell of the attention arithmetic comes about, written out with its operands. Pure: no DOM. */

/**
 * A piece of a written sum: `from` names the operand's colour, `pair` the number of the term it belongs to.
 * @typedef {{text: string, from?: "row" | "column" | "result", pair?: number}} Piece
 */

const MOST = 8;

/**
 * A dot product, divided by a root where it is a score: ( 2.57·−1.47 + … ) / √4 = −1.71.
 * @param {ArrayLike<number>} row @param {ArrayLike<number>} column @param {number} result @param {(value: number) => string} write @param {{root?: number}} [options]
 * @returns {Piece[]}
 */
export function products(row, column, result, write, { root } = {}) {
  /** @type {Piece[]} */
  const pieces = [];
  const shown = Math.min(row.length, MOST);
  if (root) pieces.push({ text: "( " });
  for (let i = 0; i < shown; i++) {
    if (i) pieces.push({ text: " + " });
    pieces.push({ text: write(row[i]), from: "row", pair: i }, { text: "·" }, { text: write(column[i]), from: "column", pair: i });
  }
  if (shown < row.length) {
    let rest = 0;
    for (let i = shown; i < row.length; i++) rest += row[i] * column[i];
    pieces.push({ text: ` + ${write(rest)} from ${row.length - shown} more` });
  }
  if (root) pieces.push({ text: ` ) / √${root}` });
  return [...pieces, { text: " = " }, { text: write(result), from: "result" }];
}

/**
 * A softmax: each score's exponential, after the largest is taken off, as a share of the row's sum.
 * @param {ArrayLike<number>} row the masked scores @param {number} place @param {number} result @param {(value: number) => string} write
 * @returns {Piece[]}
 */
export function shares(row, place, result, write) {
  const scores = Array.from(row);
  const largest = Math.max(...scores);
  if (largest === -Infinity) return [{ text: "no key is allowed in this row: all weights are " }, { text: write(0), from: "result" }];
  const raised = scores.map((score) => Math.exp(score - largest));
  const total = raised.reduce((sum, value) => sum + value, 0);
  const own = scores[place] === -Infinity ? "blocked: e^−∞" : `e^(${write(scores[place])} − ${write(largest)})`;
  /** @type {Piece[]} */
  const pieces = [{ text: `${own} = ` }, { text: write(raised[place]), from: "row" }, { text: "   of   " }];
  raised.slice(0, MOST).forEach((value, i) => pieces.push({ text: i ? " + " : "" }, { text: write(value), from: i === place ? "row" : "column", pair: i }));
  if (raised.length > MOST) pieces.push({ text: ` + ${write(raised.slice(MOST).reduce((sum, value) => sum + value, 0))} from ${raised.length - MOST} more` });
  return [...pieces, { text: ` = ${write(total)}` }, { text: `   →   ${write(raised[place])} / ${write(total)} = ` }, { text: write(result), from: "result" }];
}
