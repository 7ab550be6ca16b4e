/** Explanations of cells that are pointed at or played: the terms in their order, as many as are wanted. */

import { ServerError } from "../core/api.js";
import { standing } from "../core/trail.js";
import { explanationOf } from "./asking.js";

/**
 * @param {import("../core/store.js").Store} store
 * @param {number[]} cell of the open tensor
 * @param {number} [count]  how many terms at most
 * @returns {Promise<import("../core/types.js").Explanation | null>} null when the server has none
 */
export async function explanationAt(store, cell, count) {
  const { trace } = store.get();
  const open = standing({ ...store.get(), cell });
  if (!trace || !open) return null;
  try {
    return await explanationOf(trace.id, open, { order: "place", count });
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return null;
  }
}
