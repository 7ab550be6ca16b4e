/** The scores of a training on sentences that it never saw. */

import { el, fill } from "../core/dom.js";
import { count, percent } from "../core/format.js";

/** @typedef {import("./train-types.js").Test} Test @typedef {import("./train-types.js").Measure} Measure */

/**
 * @param {Record<string, Test>} tests
 * @param {number} step
 */
export function scoresTable(tests, step) {
  const [{ bleu, chrf }] = Object.values(tests);
  return el("section", { class: "tr-scores", "aria-label": "scores" },
    el("div", { class: "tr-line" }, el("h3", { text: "Scores" }), el("span", { class: "soft small", text: `on held-out sentences, written greedily, step ${count(step)}` })),
    el("div", { class: "tr-scroll", tabindex: 0, role: "group", "aria-label": "scores by test" }, el("table", {},
      el("thead", {}, el("tr", {}, ...["test", "sentences right", "tokens right", "BLEU", "chrF"].map((text) => el("th", { scope: "col", text })))),
      el("tbody", {}, ...Object.entries(tests).map(([name, test]) => el("tr", {}, el("th", { scope: "row", text: name }),
        el("td", {}, el("b", { text: percent(test.exact / Math.max(test.sentences, 1)) }), el("span", { class: "soft small", text: ` ${count(test.exact)} of ${count(test.sentences)}${endless(test)}` })),
        el("td", { text: test.tokens.total ? percent(test.tokens.right / test.tokens.total) : "undefined" }), measure(test.bleu), measure(test.chrf)))))),
    ...whyUndefined(tests).map((text) => el("p", { class: "small", text })),
    el("p", { class: "soft small", text: "BLEU counts the runs of words that agree with the right answer, chrF those of letters; both go from 0 to 100." }),
    el("p", { class: "soft small tr-signature" }, el("span", { text: `BLEU ${bleu.signature}` }), el("br"), el("span", { text: `chrF ${chrf.signature}` })));
}

/**
 * Which measures have no value, of which test, and why. Pure.
 * @param {Record<string, Pick<Test, "bleu" | "chrf">>} tests
 * @returns {string[]}
 */
export function whyUndefined(tests) {
  return Object.entries(tests).flatMap(([name, { bleu, chrf }]) => Object.entries({ BLEU: bleu, chrF: chrf }).filter(([, { score }]) => score === null).map(([title, { why }]) => `${title} of “${name}” is undefined: ${why}`));
}

/** @param {Measure} measure */
function measure({ score, why }) {
  return el("td", { class: score === null ? "soft" : null, title: why || null, text: score === null ? "undefined" : score.toFixed(1) });
}

/** @param {HTMLElement} root @param {{scores: Record<string, Test> | null, step: number}} run */
export function showScores(root, { scores, step }) {
  const key = scores ? JSON.stringify([scores, step]) : "";
  if (root.dataset.shown === key) return;
  root.dataset.shown = key;
  fill(root, scores && Object.keys(scores).length ? scoresTable(scores, step) : null);
}

/** @param {Test} test */
function endless({ endless: number }) {
  return number ? `, ${count(number)} without end` : "";
}
