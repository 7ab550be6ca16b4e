/** The line under a heatmap: the cell under the pointer, the keyboard's cursor or the selection, in words. */

import { axisWords } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { isBlocked, lookUp } from "./cells.js";
import { changeWords } from "./change.js";
import { cellOf, slabsOf } from "./picture.js";
import { differenceSlabs } from "./tally.js";
import { cellWords, countingWords, plain } from "./words.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {{panel: number, row: number, column: number}} Place */

/**
 * `tell` writes the line; `say` has a screen reader speak it, and is false where the value is still to come.
 * @typedef {{element: HTMLElement, tell: (picture: Picture, place: Place | null) => void, say: (picture: Picture, place: Place | null) => boolean}} Readout
 */

/** @returns {Readout} */
export function createReadout() {
  const line = el("p", { class: "readout" });
  const counting = el("p", { class: "counting soft small" });
  const voice = el("p", { class: "visually-hidden", "aria-live": "polite" });
  return {
    element: el("div", {}, line, counting, voice),
    tell(picture, place) {
      const pieces = place && wordsAt(picture, place);
      line.classList.toggle("soft", !pieces);
      counting.textContent = place && pieces ? countingWords(picture.context, cellOf(picture.context, place)) : "";
      if (!pieces) fill(line, "Point at a cell to read it; click to see where it comes from.");
      else fill(line, ...axisWords(pieces));
    },
    say(picture, place) {
      const pieces = place && wordsAt(picture, place);
      if (pieces) voice.textContent = plain(pieces);
      return pieces !== null;
    },
  };
}

/** @param {Picture} picture @param {Place} place */
function wordsAt(picture, place) {
  const { context } = picture;
  const { panel, row, column } = place;
  const value = lookUp(slabsOf(picture, panel, 0), row, column);
  if (value === undefined) return null;
  const words = cellWords(context, cellOf(context, place), value, { blocked: isBlocked(value, row, column, context.scale, slabsOf(picture, panel, 1)) });
  const [change, kind, before] = ([0, 1, 2]).map((which) => lookUp(differenceSlabs(picture, panel, /** @type {0} */ (which)), row, column));
  if (!picture.against || kind === undefined) return words;
  return [...words, { text: changeWords({ kind, change: Number(change), before: Number(before) }, picture.against.step, context.scale) }];
}
