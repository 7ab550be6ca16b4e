/** The switches of the sheet. Each runs the same sentences with one option changed, and says what that shows. */

import { el, fill } from "../core/dom.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions
 * @typedef {{name: string, title: string, on: any, off: any, says: {on: string, off: string}}} Switch
 */

/** @type {Switch[]} */
const SWITCHES = [
  { name: "causal", title: "causal mask", on: true, off: false, says: { on: "hides later positions; take it away and see the leak", off: "taken away: every position sees every other" } },
  { name: "shift", title: "shift the target", on: "right", off: "none", says: { on: "each label is one place ahead; make the mistake of not shifting", off: "the mistake: each label is what is fed" } },
];

/**
 * Run what is typed with an option changed; where the server refuses, the options that worked come back.
 * @param {Store} store
 * @param {Actions} actions
 * @param {Record<string, any>} patch   undefined takes an option away
 */
export async function rerun(store, actions, patch) {
  const { input } = store.get();
  const options = Object.fromEntries(Object.entries({ ...input.options, ...patch }).filter(([, value]) => value !== undefined));
  const { options: _, ...rest } = input;
  const ran = await actions.run(Object.keys(options).length ? { ...rest, options } : rest);
  if (!ran) store.set({ input: { ...store.get().input, options: input.options } });
  return ran;
}

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {{element: HTMLElement, show: () => void}}
 */
export function createSwitches(store, actions) {
  const controls = SWITCHES.map(({ name, title, on, off }) => {
    const box = el("input", { type: "checkbox", role: "switch", class: "switch", id: `sheet-${name}`, "aria-describedby": `sheet-${name}-says`, on: { change: () => void choose(name, box.checked ? on : off) } });
    return { box, says: el("span", { class: "soft small", id: `sheet-${name}-says` }), label: el("label", { for: box.id, text: title }) };
  });
  const smoothing = el("select", { class: "button", id: "sheet-smoothing", "aria-describedby": "sheet-smoothing-says", on: { change: () => void choose("smoothing", Number(smoothing.value)) } });
  const smoothingSays = el("span", { class: "soft small", id: "sheet-smoothing-says" });
  const element = el("div", { class: "sheet-switches", role: "group", "aria-label": "what if" }, ...controls.map(({ box, label, says }) => el("div", { class: "sheet-switch" }, box, label, says)),
    el("div", { class: "sheet-switch" }, smoothing, el("label", { for: smoothing.id, text: "label smoothing ε" }), smoothingSays));

  /** @param {string} name @param {any} value */
  async function choose(name, value) {
    const plain = ordinary(name);
    await rerun(store, actions, { [name]: value === plain ? undefined : value });
    show();
  }

  /** What an option is where a recipe says nothing. @param {string} name */
  function ordinary(name) {
    return name === "shift" ? "right" : store.get().model?.options.find((option) => option.name === name)?.value;
  }

  function show() {
    const { trace, model } = store.get();
    const value = (/** @type {string} */ name) => trace?.recipe.options?.[name] ?? ordinary(name);
    SWITCHES.forEach(({ name, on, says }, i) => {
      controls[i].box.checked = value(name) === on;
      controls[i].says.textContent = value(name) === on ? says.on : says.off;
    });
    const choices = model?.options.find(({ name }) => name === "smoothing")?.choices ?? [];
    const chosen = Number(value("smoothing") ?? 0);
    fill(smoothing, ...[...new Set([...choices, chosen])].sort((a, b) => a - b).map((choice) => el("option", { value: choice, selected: choice === chosen, text: choice })));
    smoothingSays.textContent = chosen ? "the label is not all that counts: terms differ from surprisals" : "the label alone counts: each term is its surprisal";
  }

  return { element, show };
}
