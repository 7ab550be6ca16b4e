/** How far both ways are apart, and why keys and values may be kept, in words with links. */

import { stepBefore } from "../core/compare.js";
import { el } from "../core/dom.js";
import { visible } from "../core/tokens.js";
import { tiny } from "../proof/words.js";
import { opened } from "../panels/open.js";
import { logitsOf, pairOf } from "./cache-places.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("./cache.js").Saving} Saving @typedef {import("../core/dom.js").Child} Child */

/**
 * @param {Saving} saving
 * @param {Store} store
 * @returns {Child[]}
 */
export function apart(saving, store) {
  const { trace, model } = store.get();
  const logits = trace && model && logitsOf(trace, model);
  const [row, position, token] = saving.cell;
  const fed = trace?.tokens.tgt[row]?.[position];
  const text = model?.vocabulary?.[token] ?? `#${token}`;
  const where = `“${visible(text)}” after “${visible(fed?.text ?? "")}” (${position})`;
  const link = logits ? el("button", { type: "button", class: "link", title: "open this logit", text: where, on: { click: () => store.set(opened(logits, saving.cell)) } }) : where;
  return Number(saving.max_abs) === 0 ? ["Logits with and without are the same bits. ", sameBest(saving)]
    : ["Logits with and without differ by at most ", el("b", { class: "mono", text: tiny(saving.max_abs) }), ", at ", link, ". ", sameBest(saving)];
}

/**
 * Whether keeping changed any choice.
 * @param {Pick<Saving, "changed" | "positions">} saving
 */
export function sameBest({ changed, positions }) {
  if (changed === 0) return positions === 1 ? "The best token is the same." : `The best token is the same at all ${positions} positions.`;
  return `At ${changed} of ${positions} positions another token is best.`;
}

/**
 * @param {Saving} saving
 * @param {Store} store
 * @returns {Child[]}
 */
export function allowed(saving, store) {
  const { trace, model } = store.get();
  const layer = saving.layers.find((each) => each.new === 1 && each.shape[2] === saving.step + 1);
  const [keys] = trace && model && layer ? pairOf(trace, model, layer.name) : [];
  const before = stepBefore(saving.step);
  const link = keys && saving.step > 0 && el("button", {
    type: "button", class: "button small-button", text: `See it: keys of step ${saving.step + 1} less those of step ${before + 1}`, on: { click: () => store.set({ ...opened(keys, null), compare: before }) },
  });
  return [el("p", {}, el("b", { text: "Self-attention: " }), "the causal mask lets no position look at a later one, so a new token changes no earlier row. "),
    el("p", {}, el("b", { text: "Cross-attention: " }), "its keys and values come from the memory, which does not change while the decoder writes."), link];
}
