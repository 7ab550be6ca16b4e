/** What is learned, and how much of it there is: the counts, the sizes they follow from, and the paper's count beside them. */

import { el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { changed } from "../core/sizes.js";
import { besideThePaper, millions } from "./parameters-paper.js";
import { createSizes } from "./parameters-sizes.js";
import { createTable } from "./parameters-table.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Model} Model */

/**
 * @param {Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions) {
  const sizes = createSizes(store, actions);
  const table = createTable(store);
  const figures = el("div", { class: "params-figures" });
  const paper = el("div", { class: "params-beside" });
  const element = el("div", { class: "params" }, el("div", { class: "params-side" }, figures, sizes.element), el("div", { class: "params-main" }, table.element, paper));
  /** @type {Model["paper"]} */
  let compared = null;

  function show() {
    const { model, other } = store.get();
    if (!model) return;
    const counted = other ?? model;
    fill(figures, ...totals(model, other), counted.paper && el("button", { type: "button", class: "link small params-go", text: `beside the paper’s ${millions(counted.paper.printed)} ↓`, on: { click: () => paper.scrollIntoView({ behavior: "smooth" }) } }));
    sizes.show();
    table.show(counted);
    if (compared !== counted.paper) fill(paper, counted.paper && besideThePaper(counted.paper, (options) => store.set({ sizesOf: changed(model, options) })));
    compared = counted.paper;
  }

  store.subscribe(["model", "other", "sizesOf", "refused"], () => { if (element.isConnected) show(); });
  return { element, tools: [table.orders], show };
}

/**
 * The sums, and what they are for the run where other sizes are being chosen.
 * @param {Model} model
 * @param {Model | null} other
 * @returns {(HTMLElement | false)[]}
 */
function totals(model, other) {
  const { parameters: now } = other ?? model;
  const { parameters: ran } = model;
  const figure = (/** @type {string} */ title, /** @type {number} */ number, /** @type {number} */ before) => el("div", {}, el("dt", { text: title }), el("dd", {}, el("b", { class: "mono", text: count(number) }),
    other !== null && el("span", { class: "small soft", text: number === before ? " stays" : ` was ${count(before)}` })));
  return [el("dl", { class: "params-totals" }, figure("parameters in all", now.total, ran.total), figure("tables with a row for each token", now.embeddings, ran.embeddings), figure("without them", now.without_embeddings, ran.without_embeddings)),
    other !== null && now.total === ran.total && el("p", { class: "small params-stays", text: "The count stays: heads share out the same matrices." })];
}
