/** One step of Adam with every parameter at once: what the loss of this batch is before and after. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { full } from "../core/format.js";
import { written } from "../explain/numbers.js";

/** @typedef {{rate: number, step: number | null, before: number | string, after: number | string}} WholeStep */

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{element: HTMLElement, show: () => void}}
 */
export function createWhole(store) {
  const { once } = createAnswers();
  const rate = el("input", { type: "text", inputmode: "decimal", class: "gr-number", value: "0.001", "aria-label": "learning rate of the step", on: { keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") void take(); } } });
  const button = el("button", { type: "button", class: "pick", text: "take one step", title: "a copy of the model takes it; what is on screen stays as it is", on: { click: () => void take() } });
  const result = el("p", { class: "gr-whole-result", role: "status" });
  const element = el("section", { class: "gr-start", "aria-label": "One step with every parameter" },
    el("h3", {}, "Where it leads ", el("span", { class: "gr-whole-fields" }, el("label", {}, el("span", { class: "soft small", text: "rate " }), rate), button)), result);
  let shown = "";

  async function take() {
    const { trace } = store.get();
    const value = Number(rate.value.replace("−", "-").replace(",", "."));
    if (!trace) return;
    if (!(value > 0 && value <= 100)) return void (result.textContent = "A rate is above 0 and at most 100.");
    const late = setTimeout(() => { result.textContent = "Taking the step and running the batch again …"; }, 150);
    try {
      const found = await once(`/api/traces/${trace.id}/optimiser?rate=${value}`);
      clearTimeout(late);
      if (store.get().trace === trace) fill(result, ...words(found));
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      result.textContent = error.problem.message;
    } finally {
      clearTimeout(late);
    }
  }

  return {
    element,
    show() {
      const id = store.get().trace?.id ?? "";
      if (id === shown) return;
      shown = id;
      result.textContent = "One step of Adam moves every weight against its gradient. A larger rate goes further, and too large a one goes past.";
    },
  };
}

/** @param {WholeStep} step */
function words({ before, after, rate }) {
  const change = Number(after) - Number(before);
  const mono = (/** @type {number | string} */ value) => el("b", { class: "mono", title: full(value), text: written(value, { decimals: 4 }) });
  const end = change < 0 ? `${written(-change)} less.` : change > 0 ? `${written(change)} more: the step goes past the place where the loss is low.` : "the same.";
  return ["The loss of this batch goes from ", mono(before), " to ", mono(after), ` at rate ${full(rate)}: ${end}`];
}
