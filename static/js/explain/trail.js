/** The way one came: each cell that was followed, as a way back. */

import { axisWords } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { longTitle, whereabouts } from "../tensor/naming.js";
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
      const blocks = blocksAlong([...state.trail.map(({ name }) => name), state.tensor ?? ""].map((name) => (state.model ? whereabouts(state.model, name) : [])));
      const block = (/** @type {number} */ place) => blocks[place] && el("span", { class: "ex-block", text: blocks[place] });
      const hops = state.trail.map((hop, place) => el("li", {}, block(place), hopButton(state, hop, place)));
      fill(list, ...hops, el("li", { "aria-current": "true" }, block(hops.length), el("span", {}, ...axisWords(here))));
      list.scrollTop = list.scrollHeight;
    },
  };
}

/**
 * What stands before each cell of a way: the block it is in, where that is another than the last one's, and its layer where that is another.
 * @param {string[][]} places where each is, from the inside out
 * @returns {string[]} "" where it is the block before
 */
export function blocksAlong(places) {
  const outside = places.map((path) => [...path].reverse().slice(0, 2));
  return outside.map(([layer = "", block = ""], i) => {
    const [lastLayer = "", lastBlock = ""] = outside[i - 1] ?? [];
    if (layer === lastLayer) return block === lastBlock ? "" : block;
    return [layer, block].filter(Boolean).join(" · ");
  });
}

/** @param {import("../core/store.js").State} state @param {import("../core/trail.js").Hop} hop @param {number} place */
function hopButton(state, { name, cell, of }, place) {
  const context = contextAt(state, name, cell, of);
  const title = state.model ? longTitle(state.model, name) : name;
  return el("button", { type: "button", class: "ex-hop", data: { place: String(place) }, title: `back to ${title}` }, ...(context ? axisWords(shortCell(context, cell)) : [name]));
}
