/** The walk through a matrix product: cell after cell, and in each term after term. Pure. */

/** Where a walk stands: the cell, and how many terms of its sum are added. @typedef {{cell: number[], added: number}} Stand */

/** The share of a cell's time in which its terms are added; in the rest its sum stands still to be read. */
const ADDING = 0.75;

/**
 * The next cell of the matrix, row by row; null after the last.
 * @param {number[]} shape @param {number[]} cell
 * @returns {number[] | null}
 */
export function nextCell(shape, cell) {
  return cellAfter(shape, cell, 1);
}

/**
 * @param {number[]} shape @param {number[]} cell
 * @returns {number[] | null} null before the first
 */
export function cellBefore(shape, cell) {
  return cellAfter(shape, cell, -1);
}

/** @param {number[]} shape @param {number[]} cell @param {number} by */
function cellAfter(shape, cell, by) {
  const columns = /** @type {number} */ (shape.at(-1));
  const place = placeOf(shape, cell) + by;
  if (place < 0 || place >= columns * /** @type {number} */ (shape.at(-2))) return null;
  return [...cell.slice(0, -2), Math.floor(place / columns), place % columns];
}

/**
 * How many cells of the matrix come before one, row by row.
 * @param {number[]} shape @param {number[]} cell
 */
export function placeOf(shape, cell) {
  const [row, column] = cell.slice(-2);
  return row * /** @type {number} */ (shape.at(-1)) + column;
}

/**
 * One term on or back, into the next cell or the one before where a sum is whole or not begun.
 * @param {number[]} shape @param {Stand} stand @param {number} by 1 or −1 @param {number} terms of each sum
 * @returns {Stand | null} null at the end of the matrix
 */
export function stepped(shape, { cell, added }, by, terms) {
  const next = added + by;
  if (next >= 1 && next <= terms) return { cell, added: next };
  const other = cellAfter(shape, cell, by);
  return other && { cell: other, added: by > 0 ? 1 : terms };
}

/**
 * How many terms are added after a share of a cell's time: a long sum takes no longer than a short one.
 * @param {number} share 0 to 1 @param {number} terms
 */
export function addedAt(share, terms) {
  return Math.min(terms, 1 + Math.floor((share / ADDING) * terms));
}

/**
 * The share of a cell's time that is over when so many terms are added.
 * @param {number} added @param {number} terms
 */
export function shareAt(added, terms) {
  return (Math.max(added - 1, 0) / Math.max(terms, 1)) * ADDING;
}

/**
 * The sum of a cell, term by term.
 * @typedef {{left: number[], above: number[], size: number, sums: number[], rest: number, others: {name: string, value: number}[], value: number}} Sum
 * `size` counts all terms, `sums` after each, `rest` what the terms that did not come add, `others` what is added to the products.
 * @param {Pick<import("../core/types.js").Explanation, "operands" | "terms" | "value">} explanation
 * @param {{left: string, above: string}} roles of the two operands
 * @returns {Sum}
 */
export function sumOf({ operands, terms, value }, roles) {
  const numbers = (/** @type {string} */ role) => {
    const operand = operands.find((one) => one.role === role);
    return operand ? terms.slice(operand.first, operand.first + operand.shown).map((term) => Number(term.value)) : [];
  };
  const [left, above] = [numbers(roles.left), numbers(roles.above)];
  let sum = 0;
  const sums = left.map((number, i) => (sum += number * above[i]));
  const others = operands.filter(({ role }) => role !== roles.left && role !== roles.above).map(({ name, first }) => ({ name, value: Number(terms[first].value) }));
  const size = operands.find(({ role }) => role === roles.left)?.size ?? left.length;
  const rest = left.length < size ? Number(value) - sum - others.reduce((all, other) => all + other.value, 0) : 0;
  return { left, above, size, sums, rest, others, value: Number(value) };
}
