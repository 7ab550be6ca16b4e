/** The model picker: what there is, how large it is, and whether it has learned anything. */

import { el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { createMenu } from "../core/menu.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
export function createModels(store, actions) {
  const menu = createMenu("Models", { class: "models", buttonClass: "button picker" });
  const choose = (/** @type {string} */ id) => {
    menu.close();
    void actions.chooseModel(id);
  };

  function render() {
    const { models, model, input } = store.get();
    const current = models.find(({ id }) => id === (model?.id ?? input.model));
    fill(menu.button, el("span", { class: "picker-label soft small", text: "model" }), el("b", { text: current?.title ?? input.model }),
      current && el("span", { class: "soft small picker-about", text: about(current) }));
    fill(menu.panel, ...models.map((each) => el("button", {
      type: "button", class: "menu-item", "aria-current": each.id === current?.id ? "true" : null, on: { click: () => choose(each.id) },
    }, el("span", { class: "menu-title" }, el("b", { text: each.title }), el("span", { class: "soft small", text: about(each) })), el("span", { class: "small", text: each.says }))));
  }

  store.subscribe(["models", "model", "input"], (state, changed) => {
    if (changed.has("models") || changed.has("model") || !state.model) render();
  });
  render();
  return menu.root;
}

/** @param {import("../core/types.js").ModelSummary} model */
function about({ parameters, trained }) {
  return `${count(parameters)} parameters, ${trained ? "trained" : "random"}`;
}
