/** What a training writes now: held-out sentences, with what is wrong in them and what has changed. */

import { el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { judged } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Evaluation} Evaluation @typedef {import("./train-types.js").Sample} Sample */

/** @returns {{element: HTMLElement, show: (run: Run) => void}} */
export function createSamples() {
  const title = el("h3", { text: "What it writes" });
  const aside = el("span", { class: "soft small" });
  const list = el("ol", { class: "tr-sample-list" });
  const key = el("p", { class: "tr-sample-key small" }, el("span", { class: "of-src", text: "source" }), el("span", { class: "tr-wanted", text: "right answer" }), el("span", { class: "of-tgt", text: "what it writes" }));
  const element = el("section", { class: "tr-samples", "aria-label": "what it writes" }, el("div", { class: "tr-line" }, title, aside), key, list);
  /** @type {{id: string, now: Evaluation | null, before: Evaluation | null}} */
  let known = { id: "", now: null, before: null };

  return {
    element,
    show({ id, evaluation }) {
      element.hidden = evaluation === null;
      if (id !== known.id) known = { id, now: null, before: null };
      if (!evaluation || evaluation.step === known.now?.step && list.childElementCount) return;
      known = { id, now: evaluation, before: known.now };
      aside.textContent = `held-out sentences, after step ${count(evaluation.step)}`;
      fill(list, ...evaluation.samples.map((sample, i) => row(sample, known.before?.samples[i])));
    },
  };
}

/** @param {Sample} sample @param {Sample | undefined} before */
function row(sample, before) {
  const words = judged(sample, before?.src === sample.src ? before.written : undefined);
  const gap = sample.tgt.includes(" ") || sample.written?.includes(" ") ? " " : "";
  return el("li", { class: `tr-sample ${sample.right ? "right" : "wrong"}` },
    el("span", { class: "tr-sample-sign", "aria-hidden": "true", text: sample.right ? "✓" : "✗" }),
    el("bdi", { class: "of-src", text: sample.src }),
    el("bdi", { class: "tr-wanted", title: "the target", text: sample.tgt }),
    sample.written === null ? el("span", { class: "soft", text: "finds no end yet" }) : el("bdi", { class: "of-tgt", "aria-label": `writes ${sample.written}, ${sample.right ? "right" : "wrong"}` },
      ...words.flatMap(({ text, right, changed }, i) => [i ? gap : "", el(right ? "span" : "mark", { class: changed ? "changed" : null, text })])));
}
