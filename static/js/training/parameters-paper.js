/** Our count beside the one the paper prints: what it is made of, how else one could count, and what the paper does not say. */

import { el } from "../core/dom.js";
import { count } from "../core/format.js";

/** @typedef {import("../core/types.js").Paper} Paper @typedef {import("../core/types.js").Counted} Counted @typedef {import("../core/types.js").Item} Item */

/**
 * @param {Paper} paper
 * @param {(sizes: Record<string, number>) => void} see   show the sizes of the paper's other model
 * @returns {HTMLElement}
 */
export function besideThePaper(paper, see) {
  const { name, items, otherwise, beside } = paper;
  return el("section", { class: "params-paper", "aria-label": `Beside the paper's ${millions(paper.printed)}` },
    el("h3", { text: `Beside the paper’s ${millions(paper.printed)}` }),
    el("p", { text: `Table 3 prints ${millions(paper.printed)} for ${name}. Counted here, with one table for source, target and output: ` }, el("b", { class: "mono", text: count(paper.counted) }), `, ${apart(paper)}.`),
    list("what ours is made of", items),
    list("the same sizes, counted otherwise", otherwise),
    el("p", { text: `None of these gives ${millions(paper.printed)}. The vocabulary is the other thing that the paper leaves open: “about 37000 tokens” (section 5.1). It alone would close the gap with a table of ${between(paper)} rows instead of ${count(paper.vocabulary)}; but ${beside.name}, ${millions(beside.printed)} in the paper, would need ${between(beside)}. No one vocabulary gives both. What else was counted, the paper does not say.` }),
    el("button", { type: "button", class: "button small-button", text: `See ${beside.name}: ${count(beside.counted)}`, on: { click: () => see(beside.options) } }));
}

/** "1 880 504 fewer" @param {Counted} counted */
export function apart({ difference }) {
  return difference === 0 ? "the same" : `${count(Math.abs(difference))} ${difference > 0 ? "fewer" : "more"}`;
}

/** @param {number} number */
export function millions(number) {
  return `${number / 1e6} million`;
}

/** @param {Counted} counted */
function between({ rows: [least, most] }) {
  return `${count(least)} to ${count(most)}`;
}

/** @param {string} title @param {Item[]} items */
function list(title, items) {
  return el("table", { class: "params-items" }, el("caption", { text: title }), el("tbody", {}, ...items.map((item) => el("tr", {},
    el("th", { scope: "row" }, item.title, el("span", { class: "soft small", text: item.says })), el("td", { class: "number", text: count(item.count) })))));
}
