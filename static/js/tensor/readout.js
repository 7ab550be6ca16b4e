/** The line under a heatmap: the cell under the pointer, the keyboard's cursor or the selection, in words. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { isBlocked, lookUp } from "./cells.js";
import { slabsOf } from "./picture.js";
import { cellWords, plain } from "./words.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {{panel: number, row: number, column: number}} Place */

/**
 * `tell` writes the line; `say` has a screen reader speak it, and is false where the value is still to come.
 * @typedef {{element: HTMLElement, tell: (picture: Picture, place: Place | null) => void, say: (picture: Picture, place: Place | null) => boolean}} Readout
 */

/** @returns {Readout} */
export function createReadout() {
  const line = el("p", { class: "readout" });
  const voice = el("p", { class: "visually-hidden", "aria-live": "polite" });
  return {
    element: el("div", {}, line, voice),
    tell(picture, place) {
      const pieces = place && wordsAt(picture, place);
      line.classList.toggle("soft", !pieces);
      if (!pieces) fill(line, "Point at a cell to read it; click to select it.");
      else fill(line, ...pieces.map(({ text, over, strong }) => (over || strong ? el("bdi", { class: strong ? "strong" : "on-axis", vars: over ? { "--axis": axisColour(over) } : {}, text }) : text)));
    },
    say(picture, place) {
      const pieces = place && wordsAt(picture, place);
      if (pieces) voice.textContent = plain(pieces);
      return pieces !== null;
    },
  };
}

/** @param {Picture} picture @param {Place} place */
function wordsAt(picture, { panel, row, column }) {
  const { context } = picture;
  const { record, layout, places, scale } = context;
  const value = lookUp(slabsOf(picture, panel, 0), row, column);
  if (value === undefined) return null;
  const cell = record.shape.map((_, i) => (i === layout.panel ? panel : i === layout.row ? row : i === layout.column ? column : places[i]));
  return cellWords(context, cell, value, { blocked: isBlocked(value, row, column, scale, slabsOf(picture, panel, 1)) });
}
