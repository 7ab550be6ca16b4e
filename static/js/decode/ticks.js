/** The timeline's ticks: what each known step wrote, as seen from the row that is on screen. Pure. */

import { sameRow } from "../core/prefixes.js";

/**
 * @typedef {import("../core/types.js").Step} Step @typedef {import("../core/types.js").Token} Token
 * @typedef {{token: Token | null, logProb: number | null, when: "before" | "now" | "after"}} Tick   no token: the step is not known, or chose none here
 */

/**
 * @param {(Step | undefined)[]} steps   the known ones, by number
 * @param {Step} shown   the step on screen
 * @param {number} place   the row on screen
 * @returns {Tick[]} one for each step up to the last known one
 */
export function ticks(steps, shown, place) {
  const row = shown.rows[place];
  const path = pathTo(steps, row.node);
  return Array.from({ length: Math.max(steps.length, shown.step + 1) }, (_, i) => {
    if (i < shown.step) return { token: row.prefix[i + 1], logProb: path.get(i) ?? null, when: /** @type {const} */ ("before") };
    const step = i === shown.step ? shown : steps[i];
    const there = step?.rows[i === shown.step ? place : sameRow(shown, step, place) ?? -1];
    return { token: there?.chosen ?? null, logProb: there?.chosen && !there.done ? Number(there.log_prob) : null, when: i === shown.step ? "now" : "after" };
  });
}

/** The log-probabilities along a hypothesis, by the step that made each. @param {(Step | undefined)[]} steps @param {number} node @returns {Map<number, number>} */
function pathTo(steps, node) {
  const made = new Map(steps.flatMap((step) => step?.nodes ?? []).map((each) => [each.id, each]));
  const path = new Map();
  for (let each = made.get(node); each; each = made.get(each.parent ?? -1)) path.set(each.step, Number(each.log_prob));
  return path;
}
