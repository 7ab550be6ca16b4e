/** The target beside what is written. */

import { el } from "../core/dom.js";

/**
 * @param {import("../core/store.js").Store} _store
 * @param {import("../core/actions.js").Actions} _actions
 * @returns {import("./panels.js").Panel}
 */
export function create(_store, _actions) {
  return { element: el("div", { class: "target" }), show: () => {} };
}
