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
 * @property {"q" | "k" | "scores" | "weights" | "dropped" | "v" | "heads"} id
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
 * @typedef {{points: Point[], text: string, x: number, y: number, anchor: "start" | "middle"}} Arrow
 * @typedef {{matrices: Matrix[], arrows: Arrow[], width: number, height: number}} Arithmetic
 */

export const CELL = { w: 42, h: 27 };
export const LEAST = 6;
const LABEL = 58;
const GAP = 40;
const HEAD = 56;
const BETWEEN = 46;
/** Room for the words on the arrow from the scores to the weights. */
const STEP = 46;
/** From the bottom of the scores to the matrices below, where the two products stand one above the other. */
const BELOW = 100;

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
 * @param {"none" | "idle" | "acts"} [dropout]  whether the block has dropout, and whether it drops anything in this run
 * @returns {Arithmetic}
 */
export function arithmetic(role, spans, room, dropout = "none") {
  const [beside, stacked] = [place(role, spans, dropout, false), place(role, spans, dropout, true)];
  const scale = (/** @type {Arithmetic} */ made) => Math.min(room.width / made.width, room.height / made.height);
  return scale(stacked) > scale(beside) ? stacked : beside;
}

/** @param {Roles} role @param {{query: Span, key: Span, width: Span}} spans @param {"none" | "idle" | "acts"} dropout @param {boolean} stacked @returns {Arithmetic} */
function place(role, { query, key, width }, dropout, stacked) {
  const at = stacked ? oneAboveTheOther({ query, key, width }, dropout === "acts") : sideBySide({ query, key, width }, dropout === "acts");
  const root = `√${width.over}`;
  const square = { words: "", rows: query, columns: key, turned: false, rowLabels: true };

  /** @type {Matrix[]} */
  const matrices = [
    { id: "q", tensor: role.q.name, title: "Q", words: "", titled: "above", rows: query, columns: width, turned: false, rowLabels: true, columnLabels: false, x: at.q, y: at.row },
    { id: "k", tensor: role.k.name, title: "Kᵀ", words: "", titled: "above", rows: width, columns: key, turned: true, rowLabels: false, columnLabels: true, x: at.scores, y: at.row - BETWEEN - tall(width) },
    { ...square, id: "scores", tensor: role.scale.name, title: `Q Kᵀ / ${root}`, titled: "below", rowLabels: false, columnLabels: false, x: at.scores, y: at.row },
    { ...square, id: "weights", tensor: role.softmax.name, title: "weights", titled: "above", words: dropout === "idle" ? "dropout rests" : "", columnLabels: true, x: at.weights, y: at.weighed },
    { id: "v", tensor: role.v.name, title: "V", words: "", titled: "above", rows: key, columns: width, turned: false, rowLabels: true, columnLabels: false, x: at.v, y: at.mixed - BETWEEN - tall(key) },
    { id: "heads", tensor: role.mix.name, title: dropout === "acts" ? "after dropout · V" : "weights · V", words: "here positions mix", titled: "below", rows: query, columns: width, turned: false, rowLabels: true, columnLabels: false, x: at.v, y: at.mixed },
  ];
  if (dropout === "acts") matrices.splice(4, 0, { ...square, id: "dropped", tensor: role.mixed, title: "after dropout", titled: "below", columnLabels: false, x: at.weights, y: at.mixed });

  const middle = (/** @type {number} */ top) => top + tall(query) / 2;
  const down = (/** @type {number} */ x, /** @type {number} */ top, text = "") => arrow([[x, top - BETWEEN + 6], [x, top - 6]], text, [x + 7, top - BETWEEN / 2 + 4], "start");
  const across = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ top, /** @type {string} */ text) => arrow([[from, middle(top)], [to, middle(top)]], text, [(from + to) / 2, middle(top) - 7]);
  const arrows = [
    across(at.q + wide(width) + 8, at.scores - 8, at.row, ""),
    down(at.scores + wide(key) / 2, at.row),
    stacked ? maskedBelow(at, tall(query)) : maskedBeside(at, wide(key), middle),
    across(at.weights + wide(key) + 8, at.v - LABEL - 4, at.mixed, "· V"),
    down(at.v + wide(width) / 2, at.mixed),
    ...(dropout === "acts" ? [down(at.weights + wide(key) / 2, at.mixed, "dropout")] : []),
  ];
  return { matrices, arrows, width: Math.max(at.v + Math.max(wide(width), 170), at.scores + wide(key)) + 6, height: at.mixed + tall(query) + 48 };
}

/**
 * Where the matrices stand: the x of four columns, the y of the scores, of the weights, and of what is multiplied with V.
 * @typedef {{q: number, scores: number, weights: number, v: number, row: number, weighed: number, mixed: number}} At
 */

/** @param {{query: Span, key: Span, width: Span}} spans @param {boolean} drops the weights stand above what dropout leaves of them @returns {At} */
function sideBySide({ query, key, width }, drops) {
  const q = LABEL + 8;
  const scores = q + wide(width) + GAP;
  const weights = scores + wide(key) + GAP + LABEL + STEP;
  const row = HEAD + Math.max(tall(width), tall(key), drops ? tall(query) : 0) + BETWEEN;
  return { q, scores, weights, v: weights + Math.max(wide(key), 130) + GAP + LABEL, row, weighed: drops ? row - BETWEEN - tall(query) : row, mixed: row };
}

/** @param {{query: Span, key: Span, width: Span}} spans @param {boolean} drops @returns {At} */
function oneAboveTheOther({ query, key, width }, drops) {
  const q = LABEL + 8;
  const row = HEAD + tall(width) + BETWEEN;
  const mixed = row + tall(query) + BELOW + Math.max(tall(key), drops ? tall(query) + 50 : 0) + BETWEEN;
  return { q, scores: q + wide(width) + GAP, weights: q, v: q + wide(key) + GAP + LABEL, row, weighed: drops ? mixed - BETWEEN - tall(query) : mixed, mixed };
}

const MASKED = "mask, softmax";

/** From the scores across to the weights, which stand higher where dropout follows. @param {At} at @param {number} width @param {(top: number) => number} middle */
function maskedBeside({ scores, weights, row, weighed }, width, middle) {
  const [from, to] = [scores + width + 8, weights - LABEL - 4];
  const [low, high] = [middle(row), middle(weighed)];
  return arrow(low === high ? [[from, low], [to, low]] : [[from, low], [from + 8, low], [from + 8, high], [to, high]], MASKED, [(from + to) / 2 + (low === high ? 0 : 4), high - 7]);
}

/** From below the scores down to the weights. @param {At} at @param {number} height */
function maskedBelow({ scores, weights, row, weighed }, height) {
  const [from, to] = [row + height + 44, weighed - 60];
  return arrow([[scores + 12, from], [scores + 12, from + 8], [weights + 12, from + 8], [weights + 12, to]], MASKED, [weights + 20, (from + 8 + to) / 2 + 4], "start");
}

/** @param {Point[]} points @param {string} text @param {Point} where the text stands @param {Arrow["anchor"]} [anchor] @returns {Arrow} */
function arrow(points, text, [x, y], anchor = "middle") {
  return { points, text, x, y, anchor };
}

/** @param {Span} along */
function wide(along) {
  return (along.to - along.from) * CELL.w;
}

/** @param {Span} along */
function tall(along) {
  return (along.to - along.from) * CELL.h;
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
 * @param {"weights" | "dropped"} [mixing] the matrix that V is mixed by
 * @returns {Lit}
 */
export function litBy(id, row, column, mixing = "weights") {
  if (id === "scores") return { rows: [["q", row]], columns: [["k", column]], cells: [["scores", row, column]] };
  if (id === "weights") return { rows: [["scores", row]], columns: [], cells: [["weights", row, column]] };
  if (id === "dropped") return { rows: [], columns: [], cells: [["weights", row, column], ["dropped", row, column]] };
  if (id === "heads") return { rows: [[mixing, row]], columns: [["v", column]], cells: [["heads", row, column]] };
  return { rows: [], columns: [], cells: [[id, row, column]] };
}
