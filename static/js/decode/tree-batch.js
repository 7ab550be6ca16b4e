/** The rows of a step: the prefixes that were fed as one batch, and what became of each. */

import { el } from "../core/dom.js";
import { logarithm } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { textOf } from "./tree-words.js";

/**
 * @typedef {import("../core/types.js").Tree} Tree @typedef {import("../core/types.js").Step} Step @typedef {import("../core/types.js").Row} Row
 * @typedef {{tree: Tree, step: Step, sentence: number, shown: number, unit: string, choose: (row: number) => void}} Batch
 */

const KINDS = /** @type {Record<string, string>} */ ({ beam: "a step of beam search", greedy: "a step of greedy decoding", sample: "a step of sampling" });

/**
 * @param {Batch} batch
 * @returns {HTMLElement[]}
 */
export function drawBatch({ tree, step, sentence, shown, unit, choose }) {
  const { rows } = step;
  const said = `${KINDS[tree.strategy.kind]} is one forward pass over ${rows.length} ${rows.length === 1 ? "prefix" : "prefixes"}`;
  const mine = rows.map((row, place) => ({ row, place })).filter(({ row }) => nodeOf(tree, row).sentence === sentence);
  const part = mine.length < rows.length ? `, ${mine.length} of them of this sentence` : "";
  const list = el("ol", { class: "batch" }, ...mine.map(({ row, place }) => line(tree, row, { place, step, shown, unit, choose })));
  return [el("p", { class: "batch-says" }, el("b", { text: `Step ${step.step + 1}: ` }), `${said}${part}.`), mine.length ? list : el("p", { class: "soft small", text: "This sentence has ended: none of its hypotheses is fed any more." })];
}

/** @param {Tree} tree @param {Row} row @param {{place: number, step: Step, shown: number, unit: string, choose: (row: number) => void}} about */
function line(tree, row, { place, step, shown, unit, choose }) {
  const node = nodeOf(tree, row);
  const text = node.step < 0 ? visible(node.token.text) : textOf(tree.nodes, node.id, unit);
  const after = tree.nodes.filter(({ parent, fate, step: made }) => parent === node.id && fate !== "dropped" && made === step.step).map(({ token }) => visible(token.text));
  const on = String(place === shown);
  const score = tree.divisors ? ` · over penalty ${logarithm(node.score)}` : "";
  return el("li", {}, el("button", { type: "button", class: "batch-row", "aria-pressed": on, title: "Show this prefix: its tensors and its attention", on: { click: () => choose(place) } },
    el("span", { class: "batch-place", text: place + 1 }),
    el("span", { class: "batch-prefix", title: text }, el("bdi", { text })),
    el("span", { class: after.length ? "batch-after" : "soft" }, row.done ? "has ended" : after.length ? el("bdi", { text: `→ ${after.join(", ")}` }) : "→ nothing: it dies"),
    el("span", { class: "batch-score", text: node.step < 0 ? "nothing written yet" : `log-probability ${logarithm(node.total)}${score}` })));
}

/** @param {Tree} tree @param {Row} row */
function nodeOf(tree, row) {
  return tree.nodes[row.node];
}
