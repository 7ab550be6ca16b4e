/** What the inspector shows before a tensor is chosen: what this page is, ways in, and the model's facts. */

import { sizeText } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { createWhole } from "../proof/whole.js";
import { facts } from "./facts.js";
import { tensorLink } from "./links.js";
import { longTitle } from "./naming.js";

/**
 * @typedef {import("../core/types.js").Model} Model @typedef {import("../core/types.js").Trace} Trace @typedef {import("../core/types.js").Tensor} Tensor
 * @typedef {import("../core/store.js").Store} Store
 */

/**
 * The start of one model; its story is told anew for each run.
 * @param {Model} model @param {Store} store
 * @returns {{element: HTMLElement, tell: (trace: Trace) => void}}
 */
export function start(model, store) {
  const list = el("ol", { class: "story" });
  const whole = createWhole(store);
  const element = el("div", { class: "start" },
    el("h1", { tabindex: -1, text: "Every number inside a Transformer" }),
    el("p", { text: "The diagram shows one real run of the model. Each arrow carries a tensor: click it, and its values appear here, with where they come from." }),
    el("p", { class: "soft", text: model.says }),
    el("section", { class: "card", "aria-label": "Ways in" }, el("h2", { text: "The story of this run" }), list),
    whole.element,
    ...facts(model, store));
  return {
    element,
    tell(trace) {
      fill(list, ...story(model, trace, store));
      whole.tell(trace);
    },
  };
}

/** The run in a few steps, each with the tensor that shows it. @param {Model} model @param {Trace} trace @param {Store} store */
function story(model, trace, store) {
  const there = new Map(trace.records.map((record) => [record.name, record]));
  const chosen = ways(model).filter(({ tensor }) => tensor && there.has(tensor.name));
  return chosen.map(({ tensor, before, link, after }) => {
    const record = /** @type {import("../core/types.js").Record_} */ (there.get(/** @type {Tensor} */ (tensor).name));
    return el("li", {}, before, tensorLink(record.name, link, longTitle(model, record.name), store), after, " ", sizeText(record.shape, record.axes, record.over, store));
  });
}

/** Found in the legend by what they are, not by their names. @param {Model} model */
function ways({ tensors }) {
  const crossing = (/** @type {Tensor} */ tensor) => new Set(tensor.over.slice(-2)).size === 2;
  const first = (/** @type {string} */ kind, /** @type {(tensor: Tensor) => boolean} */ test = () => true) => tensors.find((tensor) => tensor.kind === kind && test(tensor));
  const same = tensors.filter((tensor) => tensor.kind === "same" && tensor.block === "");
  const memory = same.reduce((/** @type {Tensor | undefined} */ most, tensor) => (tensor.feeds.length > (most?.feeds.length ?? 0) ? tensor : most), undefined);
  return [
    { tensor: first("given"), before: "Words become ", link: "token ids", after: ", one row a sentence." },
    { tensor: first("add"), before: "Each id becomes a vector, and its position is added: ", link: "the sum", after: "." },
    { tensor: memory, before: "The encoder lets the source words look at one another and leaves ", link: "the memory", after: "." },
    { tensor: first("dot", crossing), before: "Each target position compares itself with each source position: ", link: "the scores of cross-attention", after: "." },
    { tensor: first("softmax", crossing), before: "The softmax makes shares of them: ", link: "the attention weights", after: ", each row adding up to 1." },
    { tensor: first("exp"), before: "At the end stands a probability for each token: ", link: "the probabilities", after: "." },
    { tensor: tensors.filter((tensor) => tensor.kind === "divide" && tensor.axes.length === 0)[0], before: "How surprised the model is by the right answers is ", link: "the loss", after: "." },
  ];
}
