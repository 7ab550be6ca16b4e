/** What the inspector says about itself, above a tensor and above the start alike. */

import { el } from "../core/dom.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {HTMLElement}
 */
export function createAsides(store) {
  const paper = el("p", { class: "notice", hidden: true, text: "Values and sizes here are those of this run, not of the paper's base sizes." });
  const missing = el("p", { class: "notice", role: "status", hidden: true });

  function write() {
    const { paperSizes, missing: name, tensor } = store.get();
    if (name !== null && tensor !== null) return store.set({ missing: null });
    paper.hidden = !paperSizes;
    missing.hidden = name === null;
    missing.textContent = name === null ? "" : `This run has no tensor named “${name}”.`;
  }

  store.subscribe(["paperSizes", "missing", "tensor"], write);
  write();
  return el("div", { class: "asides" }, paper, missing);
}
