/** The strip below the matrices: the chosen cell's sum with its operands, and a button that plays it term by term. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { mark } from "./arithmetic-draw.js";
import { still } from "./motion.js";
import { products, shares } from "./sum.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix @typedef {import("../core/types.js").Values} Values */

const TERM = 600;

/**
 * @typedef {object} Shown
 * @property {{id: Matrix["id"], row: number, column: number}} pick
 * @property {import("./attention.js").Roles} role
 * @property {Record<"q" | "k" | "v" | "scores" | "masked" | "weights" | "heads" | "softmax", Values>} values
 * @property {(over: string, place: number) => string} label
 * @property {Map<Matrix["id"], import("./arithmetic-draw.js").Shown>} shown
 * @property {(value: number) => string} write
 */

export function createSumPanel() {
  const what = el("p", { class: "dg-sum-what" });
  const how = el("p", { class: "dg-sum-how soft small" });
  const sum = el("p", { class: "dg-sum-terms mono" });
  const button = el("button", { type: "button", class: "button dg-play", text: "▶ play", title: "play the sum term by term", on: { click: play } });
  const element = el("div", { class: "dg-sum", role: "region", "aria-label": "How the chosen cell comes about" }, el("div", { class: "dg-sum-left" }, what, how), sum, button);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Shown | null} */
  let now = null;

  function stop() {
    clearTimeout(timer);
    for (const { ring } of now?.shown.values() ?? []) ring.querySelectorAll(".now").forEach((mark) => mark.remove());
    sum.querySelectorAll(".now").forEach((word) => word.classList.remove("now"));
  }

  function play() {
    stop();
    const last = Math.max(-1, ...[...sum.querySelectorAll("[data-pair]")].map((word) => Number(/** @type {HTMLElement} */ (word).dataset.pair)));
    const term = (/** @type {number} */ i) => {
      stop();
      if (i > last || !now) return;
      for (const word of sum.querySelectorAll(`[data-pair="${i}"]`)) word.classList.add("now");
      for (const [id, row, column] of operands(now.pick, i)) mark(now.shown.get(id), row, column, "dg-ring now");
      timer = setTimeout(() => term(i + 1), TERM);
    };
    term(0);
  }

  return {
    element, stop,
    /** @param {Shown} shown */
    show(shown) {
      stop();
      now = shown;
      const { title, says, pieces } = written(shown);
      fill(what, ...title);
      how.textContent = says;
      const { role } = shown;
      const colours = { row: axisColour(role.softmax.over.at(-2) ?? ""), column: axisColour(role.softmax.over.at(-1) ?? ""), result: "var(--ink)" };
      fill(sum, ...pieces.map(({ text, from, pair }) => (from ? el("span", { class: "dg-term", vars: { "--axis": colours[from] }, data: pair === undefined ? {} : { pair }, text }) : text)));
      button.hidden = still() || !pieces.some((piece) => piece.pair !== undefined);
    },
  };
}

/** Which cells a term is made of. @param {Shown["pick"]} pick @param {number} i @returns {[Matrix["id"], number, number][]} */
function operands({ id, row, column }, i) {
  if (id === "scores") return [["q", row, i], ["k", i, column]];
  if (id === "weights") return [["scores", row, i]];
  if (id === "heads") return [["weights", row, i], ["v", i, column]];
  return [];
}

/**
 * The chosen cell in words and as a sum.
 * @param {Shown} shown
 * @returns {{title: (Node | string)[], says: string, pieces: import("./sum.js").Piece[]}}
 */
function written({ pick: { id, row, column }, role, values, label, write, shown }) {
  const line = (/** @type {Values} */ from, /** @type {number} */ at) => { const wide = from.shape.at(-1) ?? 1; return Array.from(from.values.slice(at * wide, (at + 1) * wide), Number); };
  const down = (/** @type {Values} */ from, /** @type {number} */ at) => { const wide = from.shape.at(-1) ?? 1; return Array.from({ length: from.values.length / wide }, (_, i) => Number(from.values[i * wide + at])); };
  const [query, key] = role.softmax.over.slice(-2);
  const token = (/** @type {string} */ over, /** @type {number} */ place) => el("bdi", { class: "dg-token", vars: { "--axis": axisColour(over) }, text: label(over, place) });
  const result = (/** @type {Values} */ from) => line(from, row)[column];

  if (id === "scores") {
    const q = line(values.q, row);
    return { title: ["score of ", token(query, row), ` (query ${row}) with `, token(key, column), ` (key ${column})`], says: "row of Q times column of Kᵀ", pieces: products(q, line(values.k, column), result(values.scores), write, { root: q.length }) };
  }
  if (id === "weights") {
    return { title: ["weight that ", token(query, row), ` (query ${row}) gives `, token(key, column), ` (key ${column})`], says: "softmax: each score’s exponential as a share of its row", pieces: shares(line(values.masked, row), column, result(values.softmax), write) };
  }
  if (id === "heads") {
    return { title: ["what ", token(query, row), ` (query ${row}) takes from the values, column ${column}`], says: "row of weights times column of V", pieces: products(line(values.weights, row), down(values.v, column), result(values.heads), write) };
  }
  const matrix = /** @type {Matrix} */ (shown.get(id)?.matrix);
  const found = values[id];
  const value = matrix.turned ? line(found, column)[row] : result(found);
  const [place, over] = matrix.turned ? [column, matrix.columns.over] : [row, matrix.rows.over];
  return { title: [`${matrix.title} of `, token(over, place), `, column ${matrix.turned ? row : column}`], says: "made by a linear layer and cut into heads, one level out", pieces: [{ text: write(value), from: "result" }] };
}
