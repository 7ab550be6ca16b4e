/** On a phone the inspector is a sheet: a handle over the timeline that names the tensor, and pulls it up. */

import { el } from "../core/dom.js";

/** @typedef {import("../core/store.js").Store} Store */

/**
 * @param {HTMLElement} inspector
 * @param {Store} store
 * @returns {HTMLButtonElement} the handle
 */
export function createSheet(inspector, store) {
  const says = el("span", { class: "sheet-says" });
  const handle = el("button", { type: "button", class: "sheet-handle", "aria-controls": inspector.id, on: { click: () => pull(!document.body.classList.contains("sheet-up")) } }, says, el("span", { class: "sheet-sign", "aria-hidden": "true" }));

  /** Whether anything was on screen yet: a link to a tensor opens on it. */
  let begun = false;

  /** @param {boolean} up */
  function pull(up) {
    document.body.classList.toggle("sheet-up", up);
    handle.setAttribute("aria-expanded", String(up));
    if (!up) return;
    inspector.scrollTop = 0;
    const { scrollHeight, clientHeight } = document.documentElement;
    if (scrollHeight > clientHeight) handle.scrollIntoView({ block: "start" });
  }

  function name() {
    const { tensor, model } = store.get();
    says.textContent = tensor ?? (model ? `About ${model.title}` : "About this model");
  }

  store.subscribe(["tensor", "model"], (state, changed) => {
    name();
    const linked = changed.has("model") && !begun;
    begun ||= state.trace !== null;
    const opened = changed.has("trace") && (state.cell !== null || linked) && !document.body.classList.contains("sheet-up");
    if (changed.has("tensor") && (changed.size === 1 || opened)) pull(state.tensor !== null);
  });
  inspector.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !document.body.classList.contains("sheet-up")) return;
    pull(false);
    handle.focus();
  });
  name();
  pull(false);
  return handle;
}
