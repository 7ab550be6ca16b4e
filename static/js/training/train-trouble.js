/** A training that diverged: in which tensor, at which step, and what is left. */

import { el } from "../core/dom.js";
import { count } from "../core/format.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Broken} Broken */

/**
 * @param {Run} run
 * @param {(broken: Broken) => void} go   to the tensor, in the last good checkpoint
 */
export function whatBroke({ diverged, message, model }, go) {
  const broken = /** @type {Broken} */ (diverged);
  const kept = model?.split("@")[1];
  return el("div", { class: "tr-broken", role: "group", "aria-label": "what went wrong" },
    el("div", {}, el("h3", { text: `The training broke at step ${count(broken.step)}` }), el("p", { text: message || broken.says }),
      el("p", { class: "small", text: "A lower learning rate, a longer warm-up or a smaller model often learns where this one did not." })),
    model && el("button", { type: "button", class: "button", text: `Open ${broken.tensor} at step ${kept}`, on: { click: () => go(broken) } }));
}
