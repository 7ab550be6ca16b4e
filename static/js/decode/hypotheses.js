/** Which row is on screen: a tab for each sentence, and in a beam a chip for each hypothesis that was fed, the best first. */

import { el, fill } from "../core/dom.js";
import { logarithm } from "../core/format.js";
import { rowsOf } from "../core/prefixes.js";
import { blanksSeen, visible } from "../core/tokens.js";

/** @typedef {import("../core/types.js").Step} Step @typedef {import("../core/types.js").Row} Row */

const TAIL = 12;

/**
 * @param {(place: number) => void} choose   a row of the pass
 */
export function createHypotheses(choose) {
  const tabs = el("div", { class: "row-tabs", role: "group", "aria-label": "sentence" });
  const chips = el("div", { class: "hypotheses", role: "group", "aria-label": "hypotheses of this step, the best first" });

  return {
    tabs, chips,
    /**
     * @param {Step} step @param {number} place
     * @param {{sentences: number, beam: boolean, unit: string, steps: (Step | undefined)[]}} about
     */
    show(step, place, { sentences, beam, unit, steps }) {
      const shown = step.rows[place].sentence;
      const held = [tabs, chips].find((group) => group.contains(document.activeElement));
      tabs.hidden = sentences < 2;
      fill(tabs, ...Array.from({ length: sentences }, (_, sentence) => tab(step, sentence, sentence === shown, choose)));
      const nodes = new Map((steps[step.step - 1]?.nodes ?? []).map((node) => [node.id, node]));
      const mine = beam ? rowsOf(step, shown) : [];
      chips.hidden = !beam;
      fill(chips, ...mine.map((each, rank) => chip(step.rows[each], { rank, unit, score: nodes.get(step.rows[each].node)?.score ?? null, on: each === place, act: () => choose(each) })));
      /** @type {HTMLElement | null | undefined} */ (held?.querySelector("[aria-pressed=true]"))?.focus();
    },
  };
}

/** @param {Step} step @param {number} sentence @param {boolean} on @param {(place: number) => void} choose */
function tab(step, sentence, on, choose) {
  const [first] = rowsOf(step, sentence);
  const row = step.rows[first];
  const ended = !row || row.done || row.reason !== null && rowsOf(step, sentence).every((each) => step.rows[each].reason !== null);
  return el("button", {
    type: "button", class: "sentence-tab", "aria-pressed": String(on), "aria-label": `sentence ${sentence + 1}${ended ? ", ended" : ""}`, "aria-disabled": row ? null : "true",
    title: ended ? "this sentence has ended" : null, text: `${sentence + 1}${ended ? " ✓" : ""}`, on: { click: () => { if (row) choose(first); } },
  });
}

/** @param {Row} row @param {{rank: number, unit: string, score: number | null, on: boolean, act: () => void}} about */
function chip(row, { rank, unit, score, on, act }) {
  const texts = row.prefix.slice(1).map(({ text }) => (unit === "character" ? text : visible(text)));
  const whole = blanksSeen(texts.join(unit === "character" ? "" : " ")) || "nothing yet";
  const fate = row.reason === "end" ? "ends" : row.reason === "length" ? "ends: length limit" : row.chosen === null ? "nothing of it stays" : "";
  const scored = score === null ? "" : logarithm(Number(score));
  return el("button", {
    type: "button", class: `hypothesis${row.chosen === null ? " dies" : ""}`, "aria-pressed": String(on), title: [`hypothesis ${rank + 1}: ${whole}`, scored && `score ${scored}`, fate].filter(Boolean).join(", "), on: { click: act },
  }, el("span", { class: "hypothesis-rank", text: rank + 1 }), el("bdi", { class: "hypothesis-text", text: whole.length > TAIL ? `…${whole.slice(-TAIL)}` : whole }),
  el("span", { class: "hypothesis-score", text: scored }), fate && el("span", { class: "hypothesis-fate", text: row.chosen === null ? "†" : row.reason ? "✓" : "", "aria-hidden": "true" }));
}
