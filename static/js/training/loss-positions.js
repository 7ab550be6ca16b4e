/** The positions of a sentence as buttons: what is to be said at each. */

import { el } from "../core/dom.js";
import { visible } from "../core/tokens.js";

/**
 * What the panel shows: a sentence of a trace, its positions, and the entropy of the target at each.
 * @typedef {{trace: string, sentence: number, places: import("./sheet.js").Place[], names: ReturnType<typeof import("./sheet-places.js").namesOf>, entropy: ArrayLike<number>}} Shown
 */

/**
 * @param {import("./sheet.js").Place[]} places
 * @param {number} chosen
 * @param {(position: number) => void} choose
 * @returns {HTMLElement[]}
 */
export function positions(places, chosen, choose) {
  return places.map(({ label, counted }, position) => el("button", {
    type: "button", class: `loss-position${counted ? "" : " out"}`, "aria-pressed": String(position === chosen), "aria-label": `position ${position}, label “${visible(label.text)}”${counted ? "" : ", left out"}`, data: { position },
    on: { click: () => choose(position) },
  }, el("span", { class: "soft", text: position }), el("bdi", { text: visible(label.text) })));
}
