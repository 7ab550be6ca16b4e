/** The line under the maps: the cell that is pointed at, or how to read them. */

import { axisWords } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { cellWords } from "../tensor/words.js";
import { titleOf } from "./labels.js";

/** @typedef {{plan: import("./maps-plan.js").Plan, contexts: import("../tensor/context.js").Context[], board: import("./maps-board.js").Board}} Shown */

const HINT = "Point at a cell to read it; click to go there.";

/**
 * @returns {{element: HTMLElement, hint: (shown: Shown) => void, tell: (shown: Shown, i: number, at: {cell: number[], value: number}) => void}}
 */
export function createSays() {
  const element = el("p", { class: "maps-says small soft", text: HINT });
  return {
    element,
    hint({ contexts, board }) {
      const left = board.maps.map((map, i) => [titleOf(contexts[i]), map.thinning()]).filter(([, words]) => words);
      element.classList.add("soft");
      element.textContent = [HINT, ...left.map(([name, words]) => `Of ${name}: ${words}.`)].join(" ");
    },
    tell({ contexts }, i, { cell, value }) {
      element.classList.remove("soft");
      fill(element, ...axisWords([{ text: `${titleOf(contexts[i])}, ` }, ...cellWords(contexts[i], cell, value)]));
    },
  };
}
