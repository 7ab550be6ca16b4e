/** The model picker: what there is, how large it is, and whether it has learned anything. */

import { json } from "../core/api.js";
import { runOf, sameModel } from "../core/checkpoints.js";
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
    const { models, trace, input } = store.get();
    const current = models.find(({ id }) => sameModel(id, trace?.model ?? input.model));
    if (!current && runOf(trace?.model)) void refresh();
    fill(menu.button, el("span", { class: "picker-label soft small", text: "model" }), el("b", { text: current?.title ?? input.model }), stepOf(trace?.model),
      current && el("span", { class: "soft small picker-about", text: about(current) }));
    fill(menu.panel, ...models.map((each) => item(each, each.id === current?.id, () => choose(each.id))));
  }

  /** Models that were trained meanwhile. */
  async function refresh() {
    const { models } = await json("/api/models").catch(() => ({ models: null }));
    if (models && JSON.stringify(models) !== JSON.stringify(store.get().models)) store.set({ models });
  }

  menu.button.addEventListener("click", () => { if (!menu.panel.hidden) void refresh(); });
  store.subscribe(["models", "model", "trace", "input"], ({ model, trace }, changed) => {
    if (changed.has("models") || changed.has("model") || !model || changed.has("trace") && runOf(trace?.model)) render();
  });
  render();
  return menu.root;
}

/**
 * @param {import("../core/types.js").ModelSummary} model
 * @param {boolean} current
 * @param {() => void} choose
 */
function item(model, current, choose) {
  const { id, title, says, too_large: reason } = model;
  return el("button", {
    type: "button", class: `menu-item${runOf(id) ? " own" : ""}`, "aria-current": current ? "true" : null, "aria-disabled": reason ? "true" : null, on: reason ? {} : { click: choose },
  }, el("span", { class: "menu-title" }, el("b", { text: title }), el("span", { class: "soft small", text: about(model) })),
  el("span", { class: "small", text: reason ? `${reason[0].toUpperCase()}${reason.slice(1)}.` : says }));
}

/** Which checkpoint of a training it is. @param {string | undefined} model */
function stepOf(model) {
  return runOf(model) ? el("span", { class: "small", text: `step ${count(Number(model?.split("@")[1]))}` }) : null;
}

/** @param {import("../core/types.js").ModelSummary} model */
function about({ parameters, trained }) {
  return `${count(parameters)} parameters, ${trained ? "trained" : "random"}`;
}
