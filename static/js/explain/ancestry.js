/** Everything that a number was made from, back to the ids. */

import { el } from "../core/dom.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{element: HTMLElement, show: (explanation: import("../core/types.js").Explanation | null) => void}}
 */
export function createAncestry(store) {
  void store;
  const element = el("div", { class: "ancestry", hidden: true });
  return { element, show(explanation) { void explanation; } };
}
