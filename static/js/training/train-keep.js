/** What is done with a training and its model: scored, downloaded, deleted. */

import { el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { allowed } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run */

/**
 * @param {{score: (run: Run) => void, remove: (run: Run) => void}} on
 * @returns {{element: HTMLElement, show: (run: Run) => void}}
 */
export function createKeep({ score, remove }) {
  const element = el("div", { class: "tr-keep" });
  /** @type {Run | null} */
  let run = null;
  let asks = "";
  let written = "";

  /** @param {boolean} sure */
  function asking(sure) {
    asks = sure ? run?.id ?? "" : "";
    write();
    /** @type {HTMLElement | null} */ (element.querySelector(sure ? ".tr-sure" : ".tr-delete"))?.focus();
  }

  /** @param {(run: Run) => void} work */
  const withRun = (work) => () => { if (run) work(run); };

  function write() {
    if (!run) return;
    const { id, model, state, yours, checkpoints } = run;
    const known = `${id} ${model !== null} ${state} ${yours} ${asks}`;
    if (known === written) return;
    written = known;
    const held = element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.act : undefined;
    if (asks === id) {
      fill(element, el("span", { text: `Delete it with its ${count(checkpoints.length)} checkpoints? Links to them end.` }),
        el("button", { type: "button", class: "button tr-sure", text: "Delete for good", on: { click: withRun(remove) } }), el("button", { type: "button", class: "button", text: "Keep it", on: { click: () => asking(false) } }));
      return;
    }
    const quiet = !allowed(state).moves;
    fill(element, model && state !== "loaded" && quiet && el("button", { type: "button", class: "button", data: { act: "score" }, text: "Score", title: "Exact match, tokens, BLEU and chrF of the checkpoint on screen, else the last", on: { click: withRun(score) } }),
      model && el("a", { class: "button", data: { act: "weights" }, href: `/api/runs/${id}/weights.safetensors`, download: `${id}.safetensors`, text: "Weights ↓" }),
      model && el("a", { class: "button", data: { act: "card" }, href: `/api/runs/${id}/config.json`, download: `${id}.json`, text: "Config ↓" }),
      yours && allowed(state).remove && el("button", { type: "button", class: "button tr-delete", data: { act: "delete" }, text: "Delete …", on: { click: () => asking(true) } }));
    if (held) /** @type {HTMLElement | null} */ (element.querySelector(`[data-act="${held}"]`))?.focus();
  }

  return {
    element,
    show(next) {
      if (next.id !== run?.id) asks = "";
      run = next;
      write();
    },
  };
}
