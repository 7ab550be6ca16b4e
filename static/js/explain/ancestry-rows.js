/** What stands in a whole ancestry: the rows of its table, the blocks of its heads, and the scales of both. Pure. */

/**
 * @typedef {import("../core/types.js").Cell_} Cell_ @typedef {import("../core/trail.js").Hop} Hop
 * @typedef {{name: string, over: string, values: Cell_[], cells: number[][], total: Cell_}} Share
 * @typedef {{block: string, names: string[], value: Cell_}} Constants
 * @typedef {{block: string, heads: string, v: string, over: string, values: Cell_[], keys: Cell_[][], cells: number[][]}} HeadShares
 * @typedef {object} Ancestry   as docs/http-api.md describes it
 * @property {string} name
 * @property {number[]} cell
 * @property {{name: string, cell: number[], value: Cell_}} start
 * @property {string} says
 * @property {boolean} why_not
 * @property {number} sentence
 * @property {Share[]} tokens
 * @property {Share[]} positions
 * @property {Constants[]} constants
 * @property {HeadShares[]} heads
 * @property {Cell_} total
 * @property {Cell_} difference
 * @typedef {{over: string, place: number, value: number, hop: Hop}} TokenRow
 * @typedef {{over: string, rows: TokenRow[], left: number, rest: number, silent: number}} Side   `left` rows are not shown and add `rest`; `silent` ones add nothing
 */

/** How many tokens of one side are shown; of more, those that add most. */
const MOST_TOKENS = 48;
const MOST_CONSTANTS = 4;

/**
 * What the tokens of one side add, in the order of the sentence.
 * @param {Share} share
 * @param {number} [most]
 * @returns {Side}
 */
export function sideOf({ name, over, values, cells }, most = MOST_TOKENS) {
  const all = values.map((value, place) => ({ over, place, value: Number(value), hop: { name, cell: cells[place] } }));
  const loud = all.filter(({ value }) => value !== 0);
  const largest = new Set([...loud].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, most));
  const rows = loud.filter((row) => largest.has(row));
  const others = loud.filter((row) => !largest.has(row));
  return { over, rows, left: others.length, rest: sum(others.map(({ value }) => value)), silent: all.length - loud.length };
}

/**
 * The blocks whose biases and offsets add most, and what the others come to; blocks that add nothing are left out.
 * @param {Constants[]} constants the largest first
 * @param {number} [most]
 * @returns {{shown: {block: string, tensor: string, value: number}[], left: number, rest: number, total: number}}
 */
export function constantsOf(constants, most = MOST_CONSTANTS) {
  const all = constants.map(({ block, names, value }) => ({ block, tensor: names[0], value: Number(value) })).filter(({ value }) => value !== 0);
  const few = all.length > most + 1 ? most : all.length;
  return { shown: all.slice(0, few), left: all.length - few, rest: sum(all.slice(few).map(({ value }) => value)), total: sum(all.map(({ value }) => value)) };
}

/**
 * The longest bar of the table.
 * @param {Side[]} sides
 * @param {number[]} others
 * @returns {number}
 */
export function boundOf(sides, others) {
  return largest([...sides.flatMap(({ rows, rest }) => [...rows.map(({ value }) => value), rest]), ...others]);
}

/** The deepest colour of all heads' cells, one for every block so that they can be compared. @param {HeadShares[]} heads */
export function headBound(heads) {
  return largest(heads.flatMap(({ keys }) => keys.flat().map(Number)));
}

/**
 * The keys that any head takes something from.
 * @param {HeadShares} block
 * @returns {number[]}
 */
export function keysOf({ keys }) {
  return (keys[0] ?? []).map((_, key) => key).filter((key) => keys.some((row) => Number(row[key]) !== 0));
}

/** @param {number[]} values */
function largest(values) {
  return values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0) || 1;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
