/** Sentences to start from, by a click. */

import { el, fill } from "../core/dom.js";
import { createMenu } from "../core/menu.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
export function createExamples(store, actions) {
  const menu = createMenu("Examples", { text: "Examples" });

  function render() {
    const { model } = store.get();
    fill(menu.panel, ...(model?.examples ?? []).map((example) => el("button", {
      type: "button", class: "menu-item", on: { click: () => choose(example) },
    }, el("b", { class: "menu-title", text: example.title }), ...example.src.map((sentence, i) => el("span", { class: "small pair" },
      el("bdi", { class: "of-src", text: sentence }), " → ", el("bdi", { class: "of-tgt", text: example.tgt[i] }))))));
  }

  /** @param {import("../core/types.js").Example} example */
  function choose({ src, tgt }) {
    menu.close();
    void actions.run({ ...store.get().input, model: store.get().trace?.model ?? store.get().input.model, src, tgt });
  }

  store.subscribe(["model"], render);
  render();
  return menu.root;
}
