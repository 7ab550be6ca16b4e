/** How the terms become the loss. */

import { el } from "../core/dom.js";

/** @returns {import("../panels/frame.js").Panel} */
export function create() {
  return { element: el("div", { class: "loss" }), show: () => {} };
}
