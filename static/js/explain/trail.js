/** The way one came: each cell that was followed, as a way back. */

import { axisWords } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { longTitle } from "../tensor/naming.js";
import { contextAt, shortCell } from "./labels.js";

/**
 * @param {import("../core/store.js").Store} store
 * @param {(place: number) => void} back
 * @returns {{element: HTMLElement, show: (here: import("../tensor/words.js").Piece[]) => void}}
 */
export function createTrail(store, back) {
  const list = el("ol", { class: "ex-trail" });
  const element = el("nav", { class: "ex-way", "aria-label": "The way here", hidden: true }, list);
  list.addEventListener("click", (event) => {
    const place = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"))?.dataset.place;
    if (place !== undefined) back(Number(place));
  });

  return {
    element,
    show(here) {
      const state = store.get();
      element.hidden = state.trail.length === 0;
      if (element.hidden) return fill(list);
      const hops = state.trail.map((hop, place) => el("li", {}, hopButton(state, hop, place)));
      fill(list, ...hops, el("li", { "aria-current": "true" }, el("span", {}, ...axisWords(here))));
      list.scrollTop = list.scrollHeight;
    },
  };
}

/** @param {import("../core/store.js").State} state @param {import("../core/trail.js").Hop} hop @param {number} place */
function hopButton(state, { name, cell }, place) {
  const context = contextAt(state, name, cell);
  const title = state.model ? longTitle(state.model, name) : name;
  return el("button", { type: "button", class: "ex-hop", data: { place: String(place) }, title: `back to ${title}` }, ...(context ? axisWords(shortCell(context, cell)) : [name]));
}
