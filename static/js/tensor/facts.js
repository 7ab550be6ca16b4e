/** The model in figures: parameters by block with their sums, and how it was trained. */

import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { partNamed, partTitle } from "./naming.js";

/**
 * @typedef {import("../core/types.js").Model} Model
 * @typedef {{title: string, count: number, formula: string, names: string[]}} Line blocks of one kind and size
 */

/**
 * @param {Model} model
 * @param {import("../core/store.js").Store} store
 * @returns {HTMLElement[]}
 */
export function facts(model, store) {
  const { total, embeddings, without_embeddings: without } = model.parameters;
  const tables = countsOutput(model) ? "embeddings and output matrix" : "embeddings";
  const shown = [
    el("section", { class: "card", "aria-label": "Parameters" },
      el("h2", {}, "Parameters ", el("span", { class: "soft small", text: model.trained ? "trained" : `random, seed ${model.seed}` })),
      el("dl", { class: "figures" }, ...[["in all", total], [tables, embeddings], [`without ${tables}`, without]].map(([name, number]) => el("div", {}, el("dt", { text: name }), el("dd", { text: count(Number(number)) })))),
      table(lines(model), store)),
  ];
  if (model.card) shown.push(el("section", { class: "card", "aria-label": "Training" }, el("h2", { text: "How it was trained" }), card(model.card)));
  return shown;
}

/** Whether the output has a matrix of its own, which then counts among the tables with one row a token. @param {Model} model */
function countsOutput(model) {
  return model.tensors.some(({ parameter, axes, block }) => parameter && axes.length > 1 && partNamed(model.tree, block)?.kind === "Generator");
}

/** Blocks that have the same formula and title share a line. @param {Model} model @returns {Line[]} */
function lines(model) {
  /** @type {Map<string, Line>} */
  const made = new Map();
  for (const { name, count: number, formula } of model.parameters.blocks) {
    const title = titleOf(model, name);
    const line = made.get(`${title} ${formula}`) ?? { title, count: number, formula, names: [] };
    line.names.push(name);
    made.set(`${title} ${formula}`, line);
  }
  return [...made.values()];
}

/** @param {Line[]} rows @param {import("../core/store.js").Store} store */
function table(rows, store) {
  const head = ["block", "how many", "each"].map((text, i) => el("th", { scope: "col", class: i ? "number" : null, text }));
  return el("table", { class: "parameters" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows.map(({ title, count: number, formula, names }) => el("tr", {},
    el("th", { scope: "row" }, el("button", { type: "button", class: "link", text: title, title: `show ${names[0]} in the diagram`, on: { click: () => store.set({ at: names[0] }) } }), el("span", { class: "sum mono", text: `${formula.replace(/(\d)(?=(\d{3})+(?!\d))/g, "$1 ")}` })),
    el("td", { class: "number", text: `${names.length} ×` }), el("td", { class: "number", text: count(number) })))));
}

/** @param {Record<string, any>} facts */
function card(facts) {
  return el("dl", { class: "axes" }, ...Object.entries(facts).flatMap(([name, value]) => [
    el("dt", { text: name.replaceAll("_", " ") }), el("dd", {}, name === "command" ? el("code", { text: value }) : typeof value === "object" ? JSON.stringify(value) : String(value)),
  ]));
}

/** @param {Model} model @param {string} name */
function titleOf(model, name) {
  const part = partNamed(model.tree, name);
  if (!part) return name.replaceAll("_", " ");
  return part.mixes || /\d$/.test(part.name) ? part.title : partTitle(model, part);
}
