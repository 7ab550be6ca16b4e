/** Label smoothing: how much, and its three conventions by name with their losses side by side, each from a run of its own. */

import { ServerError, json } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { CONVENTIONS } from "./loss-words.js";
import { rerun } from "./sheet-switches.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions @typedef {import("../core/types.js").Recipe} Recipe
 * @typedef {import("./sheet.js").Sheet} Sheet @typedef {{once: (address: string) => Promise<any>}} Answers
 */

/** What the conventions are told apart by while nothing is smoothed. */
const EXAMPLE = 0.1;
/** Larger runs are compared only when somebody asks. */
const LARGE = 24 * 2 ** 20;

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {Answers} answers
 * @returns {{element: HTMLElement, show: () => void}}
 */
export function createSmoothing(store, actions, { once }) {
  const amounts = el("div", { class: "loss-amounts", role: "group", "aria-label": "label smoothing ε" });
  const says = el("p", { class: "soft small" });
  const cards = CONVENTIONS.map(({ name, title, says: text }) => {
    const value = el("span", { class: "loss-value", text: "…" });
    const floor = el("span", { class: "mono small" });
    return { name, value, floor, button: el("button", { type: "button", class: "loss-convention", data: { convention: name }, on: { click: () => void choose({ smoothing: amount() || EXAMPLE, smoothing_over: name }) } }, el("b", { text: title }), value, floor, el("span", { class: "soft small", text })) };
  });
  const ask = el("button", { type: "button", class: "button", text: "Work out the three losses", hidden: true, on: { click: () => void compare() } });
  const element = el("section", { class: "loss-smoothing", "aria-label": "label smoothing" }, el("h3", { text: "Label smoothing" }), el("div", { class: "loss-amount-row" }, el("span", { text: "ε" }), amounts), says, ask, el("div", { class: "loss-conventions" }, ...cards.map(({ button }) => button)));
  let shown = "";

  /** @param {string} name */
  function option(name) {
    const { trace, model } = store.get();
    return trace?.recipe.options?.[name] ?? model?.options.find((one) => one.name === name)?.value;
  }

  function amount() {
    return Number(option("smoothing") ?? 0);
  }

  /** @param {Record<string, any>} patch */
  async function choose(patch) {
    const held = document.activeElement?.getAttribute("data-amount") ?? null;
    await rerun(store, actions, patch);
    if (held !== null) /** @type {HTMLElement | null} */ (amounts.querySelector(`[data-amount="${held}"]`))?.focus();
  }

  async function compare() {
    const { trace } = store.get();
    if (!trace) return;
    ask.hidden = true;
    const eps = amount() || EXAMPLE;
    await Promise.all(cards.map(async ({ name, value, floor }) => {
      const sheet = await sheetOf(trace.recipe, { smoothing: eps, smoothing_over: name }).catch((/** @type {unknown} */ error) => { if (!(error instanceof ServerError)) throw error; });
      if (store.get().trace !== trace) return;
      value.textContent = sheet ? fixed(Number(sheet.mean), 4) : "—";
      floor.textContent = sheet ? `floor ${fixed(Number(sheet.floor), 4)}` : "";
    }));
  }

  /** @param {Recipe} recipe @param {Record<string, any>} patch @returns {Promise<Sheet>} */
  async function sheetOf(recipe, patch) {
    const { id } = await json("/api/traces", { body: { ...recipe, options: { ...recipe.options, ...patch } } });
    return once(`/api/traces/${id}/sheet`);
  }

  function show() {
    const { trace, model } = store.get();
    if (!trace || !model || shown === trace.id) return;
    shown = trace.id;
    const eps = amount();
    const choices = model.options.find(({ name }) => name === "smoothing")?.choices ?? [];
    fill(amounts, ...[...new Set([...choices, eps])].sort((a, b) => a - b).map((choice) => el("button", { type: "button", class: "button small-button", "aria-pressed": String(choice === eps), data: { amount: choice }, text: choice, on: { click: () => void choose({ smoothing: choice || undefined }) } })));
    says.textContent = eps ? `The label is worth less than 1, and ε = ${eps} is shared. By whom is told in three ways; each gives another loss:` : `Off: the label is worth 1. With ε = ${EXAMPLE} the three ways in use give three losses; press one to try it:`;
    for (const { name, button } of cards) button.setAttribute("aria-pressed", String(eps > 0 && option("smoothing_over") === name));
    const large = trace.bytes > LARGE;
    ask.hidden = !large;
    if (large) for (const { value, floor } of cards) { value.textContent = "—"; floor.textContent = ""; }
    else void compare();
  }

  return { element, show };
}
