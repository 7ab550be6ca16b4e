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
export const LEAST = 6;
const LABEL = 58;
const GAP = 40;
const HEAD = 56;
const BETWEEN = 46;

/**
 * The part of an axis that is drawn, with a chosen place inside it.
 * @param {string} axis @param {string} over @param {number} size @param {number} place @param {number} most how many places at most
 * @returns {Span}
 */
export function span(axis, over, size, place, most) {
  const from = size <= most ? 0 : Math.min(Math.max(place - Math.floor(most / 2), 0), size - most);
  return { axis, over, from, to: Math.min(from + most, size), size };
}

/**
 * @param {Roles} role
 * @param {{query: Span, key: Span, width: Span}} spans
 * @param {{width: number, height: number}} room  side by side or one above the other, whichever is larger in it
 * @returns {Arithmetic}
 */
export function arithmetic(role, spans, room) {
  const [beside, stacked] = [place(role, spans, false), place(role, spans, true)];
  const scale = (/** @type {Arithmetic} */ made) => Math.min(room.width / made.width, room.height / made.height);
  return scale(stacked) > scale(beside) ? stacked : beside;
}

/** @param {Roles} role @param {{query: Span, key: Span, width: Span}} spans @param {boolean} stacked @returns {Arithmetic} */
function place(role, { query, key, width }, stacked) {
  const wide = (/** @type {Span} */ along) => (along.to - along.from) * CELL.w;
  const tall = (/** @type {Span} */ along) => (along.to - along.from) * CELL.h;
  const q = LABEL + 8;
  const scores = q + wide(width) + GAP;
  const row = HEAD + (stacked ? tall(width) : Math.max(tall(width), tall(key))) + BETWEEN;
  const weights = stacked ? q : scores + wide(key) + GAP + LABEL + 18;
  const row2 = stacked ? row + tall(query) + 84 + tall(key) + BETWEEN : row;
  const v = weights + Math.max(wide(key), stacked ? 0 : 130) + GAP + LABEL;
  const root = `√${width.over}`;

  /** @type {Matrix[]} */
  const matrices = [
    { id: "q", tensor: role.q.name, title: "Q", words: "", titled: "above", rows: query, columns: width, turned: false, rowLabels: true, columnLabels: false, x: q, y: row },
    { id: "k", tensor: role.k.name, title: "Kᵀ", words: "", titled: "above", rows: width, columns: key, turned: true, rowLabels: false, columnLabels: true, x: scores, y: row - BETWEEN - tall(width) },
    { id: "scores", tensor: role.scale.name, title: `Q Kᵀ / ${root}`, words: "", titled: "below", rows: query, columns: key, turned: false, rowLabels: false, columnLabels: false, x: scores, y: row },
    { id: "weights", tensor: role.softmax.name, title: "softmax, masked", words: "", titled: "above", rows: query, columns: key, turned: false, rowLabels: true, columnLabels: true, x: weights, y: row2 },
    { id: "v", tensor: role.v.name, title: "V", words: "", titled: "above", rows: key, columns: width, turned: false, rowLabels: true, columnLabels: false, x: v, y: row2 - BETWEEN - tall(key) },
    { id: "heads", tensor: role.mix.name, title: "weights · V", words: "here positions mix", titled: "below", rows: query, columns: width, turned: false, rowLabels: true, columnLabels: false, x: v, y: row2 },
  ];
  const middle = (/** @type {number} */ top) => top + tall(query) / 2;
  const down = (/** @type {number} */ x, /** @type {number} */ top) => arrow([x, top - BETWEEN + 6], [x, top - 6], "");
  const arrows = [
    arrow([q + wide(width) + 8, middle(row)], [scores - 8, middle(row)], ""),
    down(scores + wide(key) / 2, row),
    ...(stacked ? [] : [arrow([scores + wide(key) + 8, middle(row)], [weights - LABEL - 4, middle(row)], "softmax")]),
    arrow([weights + wide(key) + 8, middle(row2)], [v - LABEL - 4, middle(row2)], "· V"),
    down(v + wide(width) / 2, row2),
  ];
  return { matrices, arrows, width: Math.max(v + Math.max(wide(width), 170), scores + wide(key)) + 6, height: row2 + tall(query) + 48 };
}

/** @param {Point} from @param {Point} to @param {string} text */
function arrow(from, to, text) {
  return { points: [from, to], text, x: (from[0] + to[0]) / 2, y: from[1] - 7 };
}

/**
 * The places on the three axes that a cell of one of the matrices stands at; those it says nothing of are null.
 * @param {Matrix["id"]} id @param {number} row @param {number} column
 * @returns {{query: number | null, key: number | null, width: number | null}}
 */
export function placesOf(id, row, column) {
  if (id === "k") return { query: null, key: column, width: row };
  if (id === "v") return { query: null, key: row, width: column };
  if (id === "q" || id === "heads") return { query: row, key: null, width: column };
  return { query: row, key: column, width: null };
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
