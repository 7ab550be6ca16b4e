/** What the next step of its training did to the weight in view, for a checkpoint of a training: Adam's lines, and what the run made of them. */

import { ServerError } from "../core/api.js";
import { createAnswers } from "../core/answers.js";
import { runOf } from "../core/checkpoints.js";
import { el, fill } from "../core/dom.js";
import { count, full, short } from "../core/format.js";
import { before, line } from "./gradients-step.js";

/**
 * @typedef {{model: string, name: string, cell: number[]}} Asked
 * @typedef {import("../core/types.js").Cell_} Cell_
 * @typedef {{step: number, rate: number, loss: Cell_, norm: Cell_, clip: Cell_, says: string, weight: Cell_, gradient: Cell_, update: Cell_, after: Cell_,
 *   lines: import("./gradients-step.js").AdamLine[], run: {after: Cell_, difference: Cell_, kept: Cell_ | null}}} Inspection
 */

/** @returns {{element: HTMLElement, show: (asked: Asked | null) => void}} */
export function createRunStep() {
  const { once } = createAnswers();
  const title = el("span", { class: "soft small" });
  const body = el("div", { class: "tr-step-body" });
  const element = el("section", { class: "card gr-step", "aria-label": "The next step of its training", hidden: true }, el("h2", {}, "The next step of its training", title), body);
  let wanted = "";

  /** @param {Asked} asked @param {string} key */
  async function ask({ model, name, cell }, key) {
    try {
      const found = await once(`/api/runs/${runOf(model)}/optimiser/${name}?cell=${cell.join(",")}&step=${model.split("@")[1]}`);
      if (key !== wanted) return;
      title.textContent = ` step ${count(found.step)}, on the batch that it learned from`;
      fill(body, ...written(found));
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (key !== wanted) return;
      title.textContent = "";
      fill(body, el("p", { class: "soft", text: error.problem.message }));
    }
    element.hidden = false;
    element.dataset.step = key;
  }

  return {
    element,
    show(asked) {
      const key = asked && runOf(asked.model) ? [asked.model, asked.name, ...asked.cell].join(" ") : "";
      if (key === wanted) return;
      wanted = key;
      if (asked && key) void ask(asked, key);
      else element.hidden = true;
    },
  };
}

/** @param {Inspection} found */
function written(found) {
  const { lines, says, loss, norm, clip, run } = found;
  const clipped = Number(clip) < 1 ? `; the gradient is cut to ${full(Number(clip))} of itself` : "";
  const kept = run.kept === null || Number(run.kept) === Number(run.after) ? "" : `; the next checkpoint holds ${full(Number(run.kept))}`;
  return [
    el("div", { class: "gr-turn" }, ...before(found)), el("p", { class: "gr-step-says", text: says }), el("div", { class: "gr-lines" }, ...lines.map(line)),
    el("p", { class: "soft small", text: `Loss ${short(Number(loss))}, norm of all gradients ${short(Number(norm))}${clipped}. The run made it ${full(Number(run.after))}: a difference of ${short(Number(run.difference))} to the line above${kept}.` }),
  ];
}
