/** How the loss reaches back into every tensor. */

import { el, fill } from "../core/dom.js";
import { full, short } from "../core/format.js";
import { gradientsHere } from "../core/gradients.js";
import { normList } from "./gradients-list.js";
import { createRow } from "./gradients-row.js";
import { createWhole } from "./gradients-whole.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store) {
  const says = el("p", { class: "gr-says" });
  const [row, whole] = [createRow(store), createWhole(store)];
  const list = el("div");
  const content = el("div", { class: "gr-content", hidden: true }, row.element, whole.element, list);
  const element = el("div", { class: "gradients" }, says, content);
  /** @type {import("../core/gradients.js").Gradients | null} */
  let shown = null;

  function show() {
    const { trace, model } = store.get();
    if (!trace || !model || !trace.tokens.labels) {
      content.hidden = true;
      says.textContent = "There is no loss without a target, and no gradient without a loss.";
      return;
    }
    const found = gradientsHere(store.get());
    if (!found) {
      says.textContent = "Going back from the loss …";
      return;
    }
    content.hidden = false;
    row.show();
    whole.show();
    if (found === shown) return;
    shown = found;
    fill(says, "The loss of this batch is ", mono(short(found.loss), full(found.loss)), ". Its gradient starts there at 1 and is passed back from tensor to tensor; a cell of it says how much more loss a little more in that cell makes. All parameters together: norm ", mono(short(found.norm), full(found.norm)), ".");
    fill(list, normList(found.records, model, store));
    element.dataset.trace = found.id;
  }

  store.subscribe(["gradients"], () => { if (element.isConnected) show(); });
  return { element, show };
}

/** @param {string} text @param {string} title */
function mono(text, title) {
  return el("b", { class: "mono", title, text });
}
