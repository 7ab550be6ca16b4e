/** What the inspector says about itself, above a tensor and above the start alike. */

import { el } from "../core/dom.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {HTMLElement}
 */
export function createAsides(store) {
  const others = el("p", { class: "notice", hidden: true });
  const missing = el("p", { class: "notice", role: "status", hidden: true });

  function write() {
    const { sizesOf, missing: name, tensor } = store.get();
    if (name !== null && tensor !== null) return store.set({ missing: null });
    others.hidden = sizesOf === null;
    others.textContent = `Values and sizes here are those of this run, not ${sizesOf === "paper" ? "of the paper's base sizes" : "those being chosen"}.`;
    missing.hidden = name === null;
    missing.textContent = name === null ? "" : `This run has no tensor named “${name}”.`;
  }

  store.subscribe(["sizesOf", "missing", "tensor"], write);
  write();
  return el("div", { class: "asides" }, others, missing);
}
