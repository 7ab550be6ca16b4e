/** What is learned, and how much of it there is. */

import { el } from "../core/dom.js";

/** @returns {import("../panels/frame.js").Panel} */
export function create() {
  return { element: el("div", { class: "parameters" }), show: () => {} };
}
