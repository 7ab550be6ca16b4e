/** How the loss reaches back into every tensor. */

import { el } from "../core/dom.js";

/** @returns {import("../panels/frame.js").Panel} */
export function create() {
  return { element: el("div", { class: "gradients" }), show: () => {} };
}
