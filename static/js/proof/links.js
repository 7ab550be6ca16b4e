/** A cell that a proof speaks of, as a way to it. */

import { axisWords } from "../core/axes.js";
import { el } from "../core/dom.js";
import { contextAt, shortCell } from "../explain/labels.js";
import { longTitle } from "../tensor/naming.js";

/**
 * @param {import("../core/store.js").Store} store
 * @param {{name: string, cell: number[]}} place
 * @returns {HTMLElement}
 */
export function placeLink(store, { name, cell }) {
  const state = store.get();
  const context = contextAt(state, name, cell);
  const title = `open this cell of ${state.model ? longTitle(state.model, name) : name}`;
  return el("button", { type: "button", class: "link proof-place", title, data: { place: `${name} ${cell.join(".")}` }, on: { click: () => store.set({ tensor: name, cell, pointed: null }) } },
    ...(context ? axisWords(shortCell(context, cell)) : [name]));
}
