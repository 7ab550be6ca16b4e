/** Cross-entropy as what it is made of: the target's own entropy, which stays, and the divergence, which learning takes away. */

import { el } from "../core/dom.js";
import { fixed } from "../core/format.js";

/**
 * @param {{entropy: number, term: number, before: number | null}} parts   `before`: the cross-entropy as it was run, where a logit is another now
 * @returns {HTMLElement}
 */
export function parts({ entropy, term, before }) {
  const divergence = Math.max(0, term - entropy);
  const most = Math.max(term, before ?? 0, 1e-9);
  const words = `cross-entropy ${fixed(term, 4)} = entropy ${fixed(entropy, 4)} + divergence ${fixed(divergence, 4)}`;
  return el("div", { class: "loss-parts", role: "img", "aria-label": words },
    el("div", { class: "loss-stack", "aria-hidden": "true" }, el("span", { class: "entropy", vars: { "--share": entropy / most } }), el("span", { class: "divergence", vars: { "--share": divergence / most } }), before !== null && el("span", { class: "loss-was", vars: { "--at": before / most } })),
    el("p", { class: "small" }, "cross-entropy ", number(term), " = ", el("span", { class: "key entropy" }), "entropy of q ", number(entropy), " + ", el("span", { class: "key divergence" }), "divergence of p from q ", number(divergence)),
    el("p", { class: "soft small", text: entropy > 0 ? "The entropy does not move with p: it is this position’s floor." : "Without smoothing q is certain, its entropy is 0, and the divergence is all." }));
}

/** @param {number} value */
function number(value) {
  return el("b", { class: "mono", text: fixed(value, 4) });
}
