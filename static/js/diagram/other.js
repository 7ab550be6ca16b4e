/** Another model's sizes on the same diagram: how many layers its stacks have. Pure: no DOM. */

import { layersOf, readLegend } from "./legend.js";

/**
 * How many layers each of these stacks has in another model.
 * @param {import("./legend.js").Legend} legend
 * @param {import("../core/types.js").Model} other
 * @returns {Record<string, number>}
 */
export function layersIn(legend, other) {
  const { parts } = readLegend(other);
  return Object.fromEntries([...legend.parts.keys()].map((name) => [name, layersOf(parts.get(name)).length]).filter(([, count]) => count));
}

/**
 * Whose sizes these are.
 * @param {Pick<import("../core/store.js").State, "sizesOf" | "other">} state
 */
export function whose({ sizesOf, other }) {
  if (sizesOf === null) return "";
  if (sizesOf !== "paper") return "Sizes being chosen; no values, since they were not run.";
  return other ? "The paper’s base sizes; no values, since it was not run." : "The paper’s sizes are being read…";
}
