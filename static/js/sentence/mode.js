/** The badge that says whether dropout acts, and switches it: eval as the model is used, train as it learns. */

import { el } from "../core/dom.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions */

const SAYS = {
  eval: "eval: dropout does nothing, as when the model is used. Press to run as in training.",
  train: "train: dropout sets some numbers to 0 and enlarges the rest, as while learning. Press to switch it off.",
  none: " This model's dropout is 0, so both are the same; the settings change it.",
  decoding: "eval: a decoding always runs without dropout. Leave the decoding to switch.",
};

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {HTMLElement[]} the switch, and why it is off where it is
 */
export function createMode(store, actions) {
  const badge = el("span", { class: "mode-badge" });
  const why = el("span", { class: "small soft mode-why", id: "mode-why" });
  const button = el("button", { type: "button", class: "button mode", role: "switch", "aria-label": "train mode", "aria-describedby": why.id, on: { click: toggle } }, badge);

  async function toggle() {
    const { input, trace } = store.get();
    const { mode, ...others } = input.options ?? {};
    const options = trainsIn(trace?.recipe) ? others : { ...others, mode: "train" };
    const ran = await actions.run({ ...input, options });
    if (!ran) store.set({ input: { ...store.get().input, options: input.options } });
  }

  function render() {
    const trains = trainsIn(store.get().trace?.recipe);
    badge.textContent = trains ? "train" : "eval";
    button.setAttribute("aria-checked", String(trains));
    const { decoding, model } = store.get();
    const decodes = decoding !== null;
    button.disabled = decodes;
    why.textContent = decodes ? "decoding runs without dropout" : "";
    button.title = decodes ? SAYS.decoding : `${trains ? SAYS.train : SAYS.eval}${model?.config.dropout ? "" : SAYS.none}`;
  }

  store.subscribe(["trace", "model", "decoding"], render);
  render();
  return [button, why];
}

/** @param {import("../core/types.js").Recipe | undefined} recipe */
function trainsIn(recipe) {
  return recipe?.options?.mode === "train";
}
