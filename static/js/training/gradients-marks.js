/** Which gradients vanish: how many in a sentence, and the list with these alone. */

import { el } from "../core/dom.js";
import { count } from "../core/format.js";

/** @typedef {import("../core/gradients.js").Gradient} Gradient */

/**
 * "Hardly anything of the loss arrives at 11 of 268 (≈ 0), and at 1 the gradient is exactly 0." Pure.
 * @param {Gradient[]} all
 * @returns {string}
 */
export function vanishing(all) {
  const [small, none] = [all.filter(({ mark }) => mark === "vanishing").length, all.filter(({ mark }) => mark === "zero").length];
  const exactly = none === 0 ? "" : `at ${count(none)} the gradient is exactly 0`;
  if (small === 0) return exactly ? `Of ${count(all.length)}, ${exactly}.` : "Something of the loss arrives everywhere: no gradient vanishes.";
  return [`Hardly anything of the loss arrives at ${count(small)} of ${count(all.length)} (≈ 0)`, exactly].filter(Boolean).join(", and ") + ".";
}

/**
 * The sentence above a list, and a button that leaves only these in it.
 * @param {Gradient[]} all
 * @param {HTMLElement} list
 * @returns {HTMLElement}
 */
export function vanishingLine(all, list) {
  const some = all.some(({ mark }) => mark === "vanishing" || mark === "zero");
  const only = el("button", {
    type: "button", class: "pick", "aria-pressed": "false", text: "only these",
    on: { click: () => { const on = only.getAttribute("aria-pressed") !== "true"; only.setAttribute("aria-pressed", String(on)); list.dataset.only = on ? "vanishing" : ""; } },
  });
  return el("p", { class: "gr-vanishing small" }, el("span", { text: vanishing(all) }), some && only);
}
