/** The trainings there are, each a button that brings it into view. A button stays the same element while its run goes on. */

import { el } from "../core/dom.js";
import { seen } from "../core/seen.js";
import { inWords, percentDone } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run */

/**
 * @param {(id: string | null) => void} choose
 * @returns {{element: HTMLElement, show: (runs: Run[], chosen: string | null) => void}}
 */
export function createTabs(choose) {
  const element = el("div", { class: "tr-tabs", role: "group", "aria-label": "trainings" });
  const fresh = tab(null);
  fresh.append(el("b", { text: "+ New training" }));
  /** @type {Map<string, {button: HTMLElement, name: HTMLElement, state: HTMLElement}>} */
  const made = new Map();

  /** @param {string | null} id */
  function tab(id) {
    return el("button", { type: "button", class: "tr-tab", on: { click: () => choose(id) } });
  }

  /** @param {string} id */
  function make(id) {
    const [button, name, state] = [tab(id), el("b", { class: "tr-tab-name" }), el("span", { class: "small" })];
    button.append(name, state);
    made.set(id, { button, name, state });
    return { button, name, state };
  }

  return {
    element,
    show(runs, chosen) {
      const buttons = [fresh, ...runs.map((run) => {
        const { button, name, state } = made.get(run.id) ?? make(run.id);
        name.textContent = seen(run.name);
        state.textContent = run.state === "running" ? percentDone(run) : inWords(run);
        state.dataset.state = run.state;
        button.setAttribute("aria-pressed", String(run.id === chosen));
        return button;
      })];
      fresh.setAttribute("aria-pressed", String(chosen === null));
      if (buttons.length !== element.childElementCount || buttons.some((button, i) => element.children[i] !== button)) element.replaceChildren(...buttons);
    },
  };
}
