/**
 * Scaled dot-product attention as the arithmetic stands on paper: Q at the left, Kᵀ above, their product where row and column meet,
 * V above what it is mixed into. Pure: no DOM.
 */

/** @typedef {import("./attention.js").Roles} Roles @typedef {import("./scene.js").Rect} Rect @typedef {import("./scene.js").Point} Point */

/**
 * A range of places on an axis that is drawn.
 * @typedef {{axis: string, over: string, from: number, to: number, size: number}} Span
 *
 * One matrix: its cells' (row, column) are places on two spans; `turned` when rows of the picture are the tensor's last axis.
 * @typedef {object} Matrix
 * @property {"q" | "k" | "scores" | "weights" | "v" | "heads"} id
 * @property {string} tensor
 * @property {string} title
 * @property {string} words   beside the size
 * @property {"above" | "below"} titled
 * @property {Span} rows
 * @property {Span} columns
 * @property {boolean} turned
 * @property {boolean} rowLabels
 * @property {boolean} columnLabels
 * @property {number} x
 * @property {number} y
 *
 * @typedef {{matrices: Matrix[], arrows: {points: Point[], text: string, x: number, y: number}[], width: number, height: number}} Arithmetic
 */

export const CELL = { w: 42, h: 27 };
export const MOST = 16;
const LABEL = 58;
const GAP = 40;
const HEAD = 56;

/**
 * The part of an axis that is drawn, with a chosen place inside it.
 * @param {string} axis @param {string} over @param {number} size @param {number} place
 * @returns {Span}
 */
export function span(axis, over, size, place) {
  const from = size <= MOST ? 0 : Math.min(Math.max(place - MOST / 2, 0), size - MOST);
  return { axis, over, from, to: Math.min(from + MOST, size), size };
}

/**
 * @param {Roles} role
 * @param {{query: Span, key: Span, width: Span}} spans
 * @returns {Arithmetic}
 */
export function arithmetic(role, { query, key, width }) {
  const wide = (/** @type {Span} */ along) => (along.to - along.from) * CELL.w;
  const tall = (/** @type {Span} */ along) => (along.to - along.from) * CELL.h;
  const left = { q: LABEL + 8, scores: 0, weights: 0, v: 0 };
  left.scores = left.q + wide(width) + GAP;
  left.weights = left.scores + wide(key) + GAP + LABEL + 18;
  left.v = left.weights + Math.max(wide(key), 130) + GAP + LABEL;
  const row = HEAD + Math.max(tall(width), tall(key)) + 46;
  const above = (/** @type {Span} */ along) => row - 46 - tall(along);
  const root = `√${width.over}`;

  /** @type {Matrix[]} */
  const matrices = [
    { id: "q", tensor: role.q.name, title: "Q", words: "", titled: "above", rows: query, columns: width, turned: false, rowLabels: true, columnLabels: false, x: left.q, y: row },
    { id: "k", tensor: role.k.name, title: "Kᵀ", words: "", titled: "above", rows: width, columns: key, turned: true, rowLabels: false, columnLabels: true, x: left.scores, y: above(width) },
    { id: "scores", tensor: role.scale.name, title: `Q Kᵀ / ${root}`, words: "", titled: "below", rows: query, columns: key, turned: false, rowLabels: false, columnLabels: false, x: left.scores, y: row },
    { id: "weights", tensor: role.softmax.name, title: "softmax, masked", words: "", titled: "above", rows: query, columns: key, turned: false, rowLabels: true, columnLabels: true, x: left.weights, y: row },
    { id: "v", tensor: role.v.name, title: "V", words: "", titled: "above", rows: key, columns: width, turned: false, rowLabels: true, columnLabels: false, x: left.v, y: above(key) },
    { id: "heads", tensor: role.mix.name, title: "weights · V", words: "here positions mix", titled: "below", rows: query, columns: width, turned: false, rowLabels: true, columnLabels: false, x: left.v, y: row },
  ];
  const middle = row + tall(query) / 2;
  const arrows = [
    arrow([left.q + wide(width) + 8, middle], [left.scores - 8, middle], ""),
    arrow([left.scores + wide(key) / 2, row - 40], [left.scores + wide(key) / 2, row - 6], ""),
    arrow([left.scores + wide(key) + 8, middle], [left.weights - LABEL - 4, middle], "softmax"),
    arrow([left.weights + wide(key) + 8, middle], [left.v - LABEL - 4, middle], "· V"),
    arrow([left.v + wide(width) / 2, row - 40], [left.v + wide(width) / 2, row - 6], ""),
  ];
  return { matrices, arrows, width: left.v + Math.max(wide(width), 170) + 6, height: row + tall(query) + 48 };
}

/** @param {Point} from @param {Point} to @param {string} text */
function arrow(from, to, text) {
  return { points: [from, to], text, x: (from[0] + to[0]) / 2, y: from[1] - 7 };
}

/**
 * What a chosen cell lights up: whole rows, whole columns, single cells.
 * @typedef {{rows: [Matrix["id"], number][], columns: [Matrix["id"], number][], cells: [Matrix["id"], number, number][]}} Lit
 * @param {Matrix["id"]} id @param {number} row @param {number} column
 * @returns {Lit}
 */
export function litBy(id, row, column) {
  if (id === "scores") return { rows: [["q", row]], columns: [["k", column]], cells: [["scores", row, column]] };
  if (id === "weights") return { rows: [["scores", row]], columns: [], cells: [["weights", row, column]] };
  if (id === "heads") return { rows: [["weights", row]], columns: [["v", column]], cells: [["heads", row, column]] };
  return { rows: [], columns: [], cells: [[id, row, column]] };
}
