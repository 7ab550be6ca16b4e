/** The values that the maps draw: fetched once for each slice, and at hand from then on. */

import { ServerError, tensors } from "../core/api.js";
import { sliceOf } from "./maps-plan.js";

/**
 * @typedef {import("./maps-plan.js").Part} Part @typedef {import("../core/types.js").Values} Values @typedef {{part: Part, around: (number | null)[]}} Wanted
 * @typedef {{index: string, of: "value" | "gradient", names: string[]}} Group
 *
 * @typedef {object} Slices
 * @property {string} trace
 * @property {(part: Part, around: (number | null)[]) => Values | undefined} at
 * @property {(wanted: Wanted[]) => Promise<boolean>} fetch   false when the server gave none
 */

const KEPT = 64;

/**
 * @param {string} trace
 * @returns {Slices}
 */
export function createSlices(trace) {
  /** @type {Map<string, Values>} */
  const kept = new Map();
  const keyOf = (/** @type {Part} */ part, /** @type {(number | null)[]} */ around) => `${part.of} ${part.name} ${sliceOf(part, around)}`;

  return {
    trace,
    at: (part, around) => kept.get(keyOf(part, around)),
    async fetch(wanted) {
      try {
        await Promise.all(byIndex(wanted.filter(({ part, around }) => !kept.has(keyOf(part, around)))).map(async ({ index, of, names }) => {
          for (const values of await tensors(trace, names, { index, of })) kept.set(`${of} ${values.name} ${index}`, values);
        }));
        for (const key of kept.keys()) if (kept.size > KEPT) kept.delete(key);
        return wanted.every(({ part, around }) => kept.has(keyOf(part, around)));
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        return false;
      }
    },
  };
}

/** What can come in one answer. @param {Wanted[]} wanted @returns {Group[]} */
function byIndex(wanted) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const { part, around } of wanted) {
    const index = sliceOf(part, around);
    const key = `${part.of} ${index}`;
    groups.set(key, { index, of: part.of, names: [...new Set([...(groups.get(key)?.names ?? []), part.name])] });
  }
  return [...groups.values()];
}
