/** The address and the store in step: going somewhere makes an entry in the browser's history, stepping and pointing replace it. */

import { writeAddress } from "./address.js";

/** @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State */

/** @type {WeakSet<Store>} stores that are being set to what the address already says */
const following = new WeakSet();

/** @type {(keyof State)[]} */
const PLACES = ["trace", "at", "tensor", "decoding", "paperSizes"];

/**
 * Keep the address in step with the store.
 * @param {Store} store
 */
export function keepAddress(store) {
  store.subscribe([...PLACES, "cell", "trail", "ancestry", "index", "step", "compare", "panel"], (state, changed) => {
    if (!state.trace) return;
    const address = writeAddress(state);
    if (address === location.pathname + location.search) return;
    if (goesSomewhere(state, changed) && !following.has(store) && location.pathname !== "/") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  });
}

/**
 * Set the store to what the address says, without making a new entry in the history.
 * @param {Store} store
 * @param {Partial<State>} patch
 */
export function followTo(store, patch) {
  following.add(store);
  try {
    store.set(patch);
  } finally {
    following.delete(store);
  }
}

/** @param {State} state @param {Set<keyof State>} changed */
function goesSomewhere(state, changed) {
  if (changed.has("decoding")) return true;
  if (state.decoding && changed.has("step")) return false;
  return PLACES.some((field) => changed.has(field));
}
