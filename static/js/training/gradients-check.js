/** One cell of a gradient held against a central difference: the loss with the cell a little less, and a little more. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { full } from "../core/format.js";
import { difference } from "../explain/numbers.js";

/**
 * @typedef {{name: string, cell: number[], passes: boolean, recorded: number | string, analytic: number | string, numeric: number | string, lower: number | string, upper: number | string,
 *   step: number, difference: number | string}} Check
 * @typedef {{trace: string, name: string, cell: number[]}} Asked
 */

/** @returns {{element: HTMLElement, show: (asked: Asked | null) => void}} */
export function createCheck() {
  const { once } = createAnswers();
  const button = el("button", { type: "button", class: "pick", text: "check this cell", title: "move the cell a little down and up, and run the model again both times", on: { click: () => void run() } });
  const result = el("div", { class: "gr-check-result", role: "status" });
  const element = el("section", { class: "card gr-check", "aria-label": "Check of this gradient", hidden: true },
    el("div", { class: "gr-head" }, el("h2", { text: "Is it true?" }), button), result);
  /** @type {Asked | null} */
  let asked = null;

  async function run() {
    const mine = asked;
    if (!mine) return;
    const late = setTimeout(() => { if (mine === asked) result.textContent = "Running the model twice in double precision …"; }, 120);
    try {
      const check = await once(`/api/traces/${mine.trace}/gradients/${mine.name}/check?cell=${mine.cell.join(",")}`);
      if (mine === asked) fill(result, ...written(check));
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (mine === asked) result.textContent = error.problem.message;
    } finally {
      clearTimeout(late);
    }
  }

  return {
    element,
    show(next) {
      if (JSON.stringify(next) === JSON.stringify(asked)) return;
      asked = next;
      element.hidden = next === null;
      fill(result, "The check moves this cell by a hair each way, runs the model both times, and compares the slope of the loss with the gradient.");
    },
  };
}

/** @param {Check} check */
function written({ passes, recorded, analytic, numeric, lower, upper, step, difference: apart }) {
  const line = (/** @type {string} */ name, /** @type {number | string} */ value, /** @type {string} */ says) => el("div", { title: says }, el("dt", { text: name }), el("dd", { class: "mono", text: full(value) }));
  return [
    el("p", { class: "gr-losses" }, "The cell moved by ", mono(`∓${difference(step)}`), " gives the losses ", mono(digits(lower)), " and ", mono(digits(upper)), "; their difference over ", mono(difference(2 * step)), " is the slope."),
    el("dl", { class: "gr-three" },
      line("gradient, as recorded", recorded, "in float32, going back from the loss"), line("the same in float64", analytic, "going back from the loss in double precision"), line("slope of the loss", numeric, "the central difference, which knows nothing of gradients")),
    el("p", { class: passes ? "gr-verdict passes" : "gr-verdict fails" }, el("b", { text: passes ? "✓ agrees" : "✗ differs" }), ` slope and gradient are ${difference(apart)} apart`),
  ];
}

/** A loss with all the digits that tell two of them apart. @param {number | string} value */
function digits(value) {
  return typeof value === "number" ? value.toFixed(12) : value;
}

/** @param {string} text */
function mono(text) {
  return el("span", { class: "mono", text });
}
