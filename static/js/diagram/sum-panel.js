/** The strip below the matrices: the chosen cell's sum with its operands, and a button that plays it term by term. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { full, short } from "../core/format.js";
import { still } from "../core/motion.js";
import { mark } from "./arithmetic-draw.js";
import { products, shares } from "./sum.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix @typedef {import("../core/types.js").Values} Values */

const TERM = 600;

/**
 * @typedef {object} Shown
 * @property {{id: Matrix["id"], row: number, column: number}} pick
 * @property {import("./attention.js").Roles} role
 * @property {Record<"q" | "k" | "v" | "scores" | "masked" | "weights" | "dropped" | "multiplier" | "heads", Values>} values
 * @property {string} why  why the cell is blocked; "" where it is not
 * @property {string} cut  which columns of the whole a head's columns are
 * @property {(over: string, place: number) => string} label
 * @property {Map<Matrix["id"], import("./arithmetic-draw.js").Shown>} shown
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
      for (const [id, row, column] of operands(now, i)) mark(now.shown.get(id), row, column, "dg-ring now");
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
      fill(sum, ...pieces.map(({ text, from, pair, all }) => (from || all ? el("span", { class: from ? "dg-term" : null, title: all, vars: from ? { "--axis": colours[from] } : {}, data: pair === undefined ? {} : { pair }, text }) : text)));
      button.hidden = still() || !pieces.some((piece) => piece.pair !== undefined);
    },
  };
}

/** Which cells a term is made of. @param {Shown} shown @param {number} i @returns {[Matrix["id"], number, number][]} */
function operands({ pick: { id, row, column }, shown }, i) {
  if (id === "scores") return [["q", row, i], ["k", i, column]];
  if (id === "weights") return [["scores", row, i]];
  if (id === "heads") return [[shown.has("dropped") ? "dropped" : "weights", row, i], ["v", i, column]];
  return [];
}

/**
 * The chosen cell in words and as a sum.
 * @param {Shown} shown
 * @returns {{title: (Node | string)[], says: string, pieces: import("./sum.js").Piece[]}}
 */
function written({ pick: { id, row, column }, role, values, label, shown, why, cut }) {
  const line = (/** @type {Values} */ from, /** @type {number} */ at) => { const wide = from.shape.at(-1) ?? 1; return Array.from(from.values.slice(at * wide, (at + 1) * wide), Number); };
  const down = (/** @type {Values} */ from, /** @type {number} */ at) => { const wide = from.shape.at(-1) ?? 1; return Array.from({ length: from.values.length / wide }, (_, i) => Number(from.values[i * wide + at])); };
  const [query, key] = role.softmax.over.slice(-2);
  const token = (/** @type {string} */ over, /** @type {number} */ place) => el("bdi", { class: "dg-token", vars: { "--axis": axisColour(over) }, text: label(over, place) });
  const pair = (/** @type {string} */ what, /** @type {string} */ verb) => [what, token(query, row), ` (query ${row}) ${verb} `, token(key, column), ` (key ${column})`];
  const result = (/** @type {Values} */ from) => line(from, row)[column];

  if (id === "scores") {
    const q = line(values.q, row);
    const pieces = products(q, line(values.k, column), result(values.scores), { root: q.length });
    return { title: pair("score of ", "with"), says: `row of Q times column of Kᵀ, over √${role.q.over.at(-1)}`, pieces: why ? [...pieces, { text: "   →   " }, { text: "blocked: −∞", from: "result" }, { text: `, ${why}` }] : pieces };
  }
  if (id === "weights") {
    return { title: pair("weight that ", "gives"), says: "softmax: e to each score, less the row’s largest score, as a share of the row’s sum", pieces: shares(line(values.masked, row), column, result(values.weights), why) };
  }
  if (id === "dropped") {
    const multiplier = result(values.multiplier);
    return { title: pair("what dropout leaves of the weight that ", "gives"), says: multiplier ? "weight times 1 / (1 − rate): those that stay grow" : "weight times 0: dropped", pieces: products([result(values.weights)], [multiplier], result(values.dropped)) };
  }
  if (id === "heads") {
    const mixing = shown.has("dropped") ? "what dropout leaves of the weights" : "weights";
    return { title: ["what ", token(query, row), ` (query ${row}) takes from the values, column ${column}`], says: `row of ${mixing} times column of V`, pieces: products(line(values.dropped, row), down(values.v, column), result(values.heads)) };
  }
  const matrix = /** @type {Matrix} */ (shown.get(id)?.matrix);
  const found = values[id];
  const value = matrix.turned ? line(found, column)[row] : result(found);
  const [place, over] = matrix.turned ? [column, matrix.columns.over] : [row, matrix.rows.over];
  return { title: [`${matrix.title} of `, token(over, place), `, column ${matrix.turned ? row : column}`], says: "made by a linear layer and cut into heads, one level out", pieces: [{ text: short(value), from: "result", all: full(value) }, { text: cut && `   ${cut}` }] };
}
