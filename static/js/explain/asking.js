/** Asking the server for explanations; an answer never changes, so it is kept. */

import { createAnswers } from "../core/answers.js";

/** @typedef {import("../core/types.js").Explanation} Explanation @typedef {{order?: "size" | "place", start?: number, count?: number}} Rows */

const answers = createAnswers();

/**
 * One cell explained, by its largest terms first.
 * @param {string} trace
 * @param {import("../core/trail.js").Hop} hop
 * @param {Rows} [rows] which terms, where there are many
 * @returns {Promise<Explanation>}
 */
export function explanationOf(trace, { name, cell, of }, { order = "size", start = 0, count = 0 } = {}) {
  const query = new URLSearchParams({ cell: cell.join(","), order });
  if (of === "gradient") query.set("of", of);
  if (start) query.set("start", String(start));
  if (count) query.set("count", String(count));
  return answers.once(`/api/traces/${trace}/explanations/${name}?${query}`.replaceAll("%2C", ","));
}
