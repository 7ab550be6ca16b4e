/** Where going back begins: softmax minus target, over how many labels count, for one position. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { full } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { sentenceAxis } from "../core/sentences.js";
import { written } from "../explain/numbers.js";

/**
 * @typedef {import("../core/store.js").Store} Store
 * @typedef {{tokens: number[], before: {probabilities: number[], target: number[], gradient: number[]}}} Row
 */

/** Of a large vocabulary, the tokens that the step moves most. */
const MOST = 6;

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: () => void}}
 */
export function createRow(store) {
  const { once } = createAnswers();
  const places = el("select", { class: "pick", "aria-label": "position", on: { change: () => { position = Number(places.value); void write(); } } });
  const says = el("p", { class: "small soft" });
  const body = el("tbody");
  const table = el("table", { class: "gr-row" }, el("thead", {}, el("tr", {}, ...["token", "softmax", "− target", "÷ count", ""].map((text) => el("th", { scope: "col", text })))), body);
  const element = el("section", { class: "gr-start", "aria-label": "Softmax minus target" }, el("h3", {}, "Where it begins ", places), says, el("div", { class: "gr-row-scroll" }, table));
  let position = 0;

  async function write() {
    const { trace, model, index } = store.get();
    const labels = trace?.tokens.labels;
    if (!trace || !model || !labels) return;
    const sentence = Math.min(index[sentenceAxis(trace)[0]] ?? 0, labels.length - 1);
    position = Math.min(position, labels[sentence].length - 1);
    fill(places, ...labels[sentence].map((label, i) => el("option", { value: i, text: `after “${visible(trace.tokens.tgt[sentence][i].text)}” (${i}): ${label.pad ? "padding" : visible(label.text)}` })));
    places.value = String(position);
    const name = logitsOf(model);
    if (!name) return;
    try {
      const row = await once(`/api/traces/${trace.id}/whatif?cell=${sentence},${position},0&logit=0`);
      if (store.get().trace === trace) draw(row, { name, sentence, label: labels[sentence][position], count: countOf(trace) });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      says.textContent = error.problem.message;
    }
  }

  /** @param {Row} row @param {{name: string, sentence: number, label: import("../core/types.js").Token, count: number}} about */
  function draw({ tokens, before }, { name, sentence, label, count }) {
    const { probabilities, target, gradient } = before;
    says.textContent = label.pad ? "A label of padding does not count, so nothing goes back from here."
      : `The gradient of a logit is softmax − target, over the ${count} labels that count: the label is pushed up, all others down.`;
    const most = gradient.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
    const order = tokens.map((_, i) => i).sort((a, b) => Math.abs(gradient[b]) - Math.abs(gradient[a]) || a - b).slice(0, MOST);
    const vocabulary = store.get().model?.vocabulary;
    const nameOf = (/** @type {number} */ token) => (token === label.id ? visible(label.text) : visible(vocabulary?.[token] ?? `#${token}`));
    fill(body, ...order.map((i) => {
      const cell = [sentence, position, tokens[i]];
      const link = el("button", { type: "button", class: "ex-link", title: `${full(gradient[i])}: open this cell of the gradient`, text: written(gradient[i]), on: { click: () => store.set({ tensor: name, cell, of: "gradient" }) } });
      return el("tr", { class: tokens[i] === label.id ? "label" : null }, el("th", { scope: "row" }, el("bdi", { text: nameOf(tokens[i]) })),
        el("td", { title: full(probabilities[i]), text: written(probabilities[i]) }), el("td", { text: target[i] === 0 ? "0" : `−${written(target[i])}` }), el("td", {}, link),
        el("td", {}, el("span", { class: gradient[i] < 0 ? "ex-bar below" : "ex-bar", "aria-hidden": "true", vars: { "--long": Math.abs(gradient[i] / most).toFixed(3) } })));
    }));
  }

  return { element, show: () => void write() };
}

/** What the log-softmax reads. @param {import("../core/types.js").Model} model */
function logitsOf({ tensors }) {
  return tensors.find(({ kind }) => kind === "log_softmax")?.reads[0];
}

/** How many labels count. @param {import("../core/types.js").Trace} trace */
function countOf({ records }) {
  return Number(records.find(({ name }) => name === "loss.count")?.summary.max ?? 0);
}
