/** The variants of a model, each a switch that changes both the numbers and the drawing. */

import { el, fill } from "../core/dom.js";
import { createMenu } from "../core/menu.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions
 * @typedef {import("../core/types.js").Option} Option @typedef {import("../core/types.js").Recipe} Recipe
 */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
export function createSettings(store, actions) {
  const menu = createMenu("Settings", { class: "settings", text: "Settings" });
  /** @type {string | null} the setting that was refused last, and why */
  let refused = null;
  let why = "";

  /** Try other settings; where the server refuses them, those that worked come back. @param {string} name @param {Partial<Recipe>} patch */
  async function change(name, patch) {
    const { input, decoding } = store.get();
    const { options, seed } = input;
    const ran = await (decoding ? actions.startDecoding : actions.run)({ ...input, ...patch });
    const { problem } = store.get();
    refused = ran || !problem ? null : name;
    why = problem?.message ?? "";
    if (!ran) store.set({ input: { ...store.get().input, options, seed } });
    if (refused !== null) store.set({ problem: null });
    render();
  }

  /** @param {string} name @param {any} value */
  const choose = (name, value) => change(name, { options: { ...store.get().input.options, [name]: value } });

  function render() {
    const { model, input } = store.get();
    const held = menu.panel.contains(document.activeElement) ? document.activeElement?.id : null;
    const changed = Object.keys(input.options ?? {}).filter((name) => name !== "mode").length;
    menu.button.textContent = changed ? `Settings (${changed})` : "Settings";
    fill(menu.panel,
      el("p", { class: "menu-lead small soft", text: model?.trained ? "A trained model keeps the form it was trained in; what changes only the arithmetic can be tried." : "Each changes the numbers and the drawing." }),
      ...(model?.options ?? []).map((option) => setting(option, choose, refused === option.name ? why : null)),
      seedSetting(input.seed ?? model?.seed ?? 0, (seed) => change("seed", { seed }), refused === "seed" ? why : null),
      el("button", { type: "button", class: "button", id: "setting-reset", disabled: !changed && input.seed === undefined, text: "As the model is made", on: { click: () => change("", { options: undefined, seed: undefined }) } }));
    if (held) document.getElementById(held)?.focus();
  }

  store.subscribe(["model", "input"], (state, changed) => {
    if (changed.has("model")) render();
  });
  render();
  return menu.root;
}

/**
 * @param {Option} option
 * @param {(name: string, value: any) => void} choose
 * @param {string | null} problem
 */
function setting({ name, choices, value, says }, choose, problem) {
  const id = `setting-${name}`;
  const yesNo = choices.length === 2 && choices.every((choice) => typeof choice === "boolean");
  const control = yesNo ? el("input", { type: "checkbox", role: "switch", id, class: "switch", checked: value, "aria-describedby": `${id}-says`, on: { change: (/** @type {any} */ event) => choose(name, event.target.checked) } })
    : el("select", { id, class: "button", "aria-describedby": `${id}-says`, on: { change: (/** @type {any} */ event) => choose(name, choices[event.target.selectedIndex]) } },
      ...choices.map((choice) => el("option", { text: choice, selected: choice === value })));
  return row(id, name.replaceAll("_", " "), says, control, problem);
}

/**
 * @param {number} seed
 * @param {(seed: number) => void} choose
 * @param {string | null} problem
 */
function seedSetting(seed, choose, problem) {
  const control = el("input", { type: "number", min: 0, step: 1, class: "button seed", id: "setting-seed", value: seed, "aria-describedby": "setting-seed-says", on: { change: (/** @type {any} */ event) => choose(Number(event.target.value)) } });
  return row("setting-seed", "seed", "What random weights and dropout are drawn from: the same seed, the same numbers.", control, problem);
}

/** @param {string} id @param {string} title @param {string} says @param {HTMLElement} control @param {string | null} problem */
function row(id, title, says, control, problem) {
  return el("div", { class: "setting" },
    el("label", { for: id, class: "setting-title", text: title }), control,
    el("span", { class: "small soft setting-says", id: `${id}-says`, text: says }),
    problem && el("p", { class: "problem small", role: "alert", text: problem }));
}
