/** A model learns before one's eyes. */

import { el } from "../core/dom.js";

/** @returns {import("../panels/frame.js").Panel} */
export function create() {
  return { element: el("div", { class: "train" }), show: () => {} };
}
