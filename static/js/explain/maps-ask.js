/** Explanations of cells that are pointed at or played: the terms in their order, as many as are wanted. */

import { ServerError } from "../core/api.js";
import { explanationOf } from "./asking.js";

/**
 * @param {import("../core/store.js").Store} store
 * @param {number[]} cell of the open tensor
 * @param {number} [count]  how many terms at most
 * @returns {Promise<import("../core/types.js").Explanation | null>} null when the server has none
 */
export async function explanationAt(store, cell, count) {
  const { trace, tensor } = store.get();
  if (!trace || !tensor) return null;
  try {
    return await explanationOf(trace.id, { name: tensor, cell }, { order: "place", count });
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return null;
  }
}
