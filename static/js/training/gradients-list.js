/** The norm of every gradient, block by block, from the loss back to the embeddings. */

import { el } from "../core/dom.js";
import { full, short } from "../core/format.js";
import { GRADIENT_MARKS } from "../core/gradients.js";
import { logScale, tenths } from "../core/logscale.js";
import { ownName, tensorNamed, whereabouts } from "../tensor/naming.js";
import { vanishingLine } from "./gradients-marks.js";

/**
 * @typedef {import("../core/gradients.js").Gradient} Gradient @typedef {import("../core/types.js").Model} Model @typedef {import("../core/store.js").Store} Store
 * @typedef {{block: string, title: string, tensors: Gradient[], parameters: Gradient[]}} Block
 */

/**
 * The blocks in the order in which the loss reaches back into them: that of their tensors; what has parameters alone comes last.
 * @param {Gradient[]} records in the order of the run
 * @param {Model} model
 * @returns {Block[]}
 */
export function blocksBack(records, model) {
  /** @type {Map<string, Block>} */
  const blocks = new Map();
  for (const record of [...records].reverse().sort((a, b) => Number(a.parameter) - Number(b.parameter))) {
    const block = tensorNamed(model, record.name)?.block ?? "";
    const known = blocks.get(block) ?? { block, title: [...whereabouts(model, record.name)].reverse().join(" · ") || "model", tensors: [], parameters: [] };
    blocks.set(block, known);
    if (record.parameter) known.parameters.unshift(record);
    else known.tensors.push(record);
  }
  return [...blocks.values()];
}

/**
 * @param {Map<string, Gradient>} records
 * @param {Model} model
 * @param {Store} store
 * @returns {HTMLElement}
 */
export function normList(records, model, store) {
  const all = [...records.values()];
  const scale = logScale(all.filter(({ mark }) => mark === null).map(({ norm }) => norm));
  const share = (/** @type {Gradient} */ { norm }) => scale?.share(norm) ?? 0;
  const item = (/** @type {Gradient} */ gradient) => el("li", {}, itemButton(gradient, share(gradient), store));
  const list = (/** @type {Gradient[]} */ some, /** @type {string} */ name) => el("ul", { class: "gr-items", "aria-label": name }, ...some.map(item));
  const rows = blocksBack(all, model).map(({ title, tensors, parameters }) => el("section", { class: "gr-block", "aria-label": title },
    el("h3", { text: title }), list(tensors, `tensors of ${title}`), list(parameters, `parameters of ${title}`)));
  const whole = el("div", { class: "gr-list" },
    el("div", { class: "gr-columns soft small" }, el("span", { text: scale ? `tensors, logarithmic from ${tenths(scale.least)} to ${tenths(scale.most)}` : "tensors" }), el("span", { text: "parameters" })), ...rows);
  whole.prepend(vanishingLine(all, whole));
  return whole;
}

/** @param {Gradient} gradient @param {number} share @param {Store} store */
function itemButton({ name, norm, mark, parameter }, share, store) {
  const words = [name, `norm of the gradient ${full(norm)}`, ...(mark ? [GRADIENT_MARKS[mark].says] : [])].join(": ");
  return el("button", {
    type: "button", class: "gr-item", title: words, data: { tensor: name, mark: mark ?? "" }, vars: { "--norm": share.toFixed(3) },
    on: {
      click: () => store.set({ tensor: name, cell: null, of: "gradient", pointed: null }), pointerenter: () => store.set({ pointed: name }), pointerleave: () => store.set({ pointed: null }),
      focus: () => store.set({ pointed: name }), blur: () => store.set({ pointed: null }),
    },
  }, el("span", { class: parameter ? "gr-name mono" : "gr-name", text: ownName(name) }), el("span", { class: "gr-bar", "aria-hidden": "true" }), el("span", { class: "gr-norm mono", text: mark === "unread" ? "unread" : short(norm) }), mark === "vanishing" && el("span", { class: "gr-mark", text: "≈ 0" }));
}
