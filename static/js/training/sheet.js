/** A batch laid open, position by position. */

import { el } from "../core/dom.js";

/** @returns {import("../panels/frame.js").Panel} */
export function create() {
  return { element: el("div", { class: "sheet" }), show: () => {} };
}
