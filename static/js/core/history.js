/** The address and the store in step: going somewhere makes an entry in the browser's history, stepping and pointing replace it. */

import { writeAddress } from "./address.js";
import { afterPaint } from "./dom.js";

/** @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State */

/** @type {WeakSet<Store>} stores that are being set to what the address already says */
const following = new WeakSet();

/** @type {(keyof State)[]} */
const PLACES = ["trace", "at", "tensor", "decoding"];

/**
 * Keep the address in step with the store. A step of a decoding is on the screen first and in the address right after: browsers take their time.
 * @param {Store} store
 */
export function keepAddress(store) {
  /** @type {string | null} an address that is about to be written */
  let late = null;

  function write() {
    if (late !== null) history.replaceState(null, "", late);
    late = null;
  }

  store.subscribe([...PLACES, "cell", "trail", "of", "ancestry", "sizesOf", "index", "step", "compare", "panel"], (state, changed) => {
    if (!state.trace) return;
    const address = writeAddress(state);
    if (address === (late ?? location.pathname + location.search)) return;
    const goes = goesSomewhere(state, changed) && !following.has(store) && location.pathname !== "/";
    if (goes) {
      write();
      return history.pushState(null, "", address);
    }
    late = address;
    if (state.decoding && changed.has("step")) afterPaint(write);
    else write();
  });
  globalThis.addEventListener("popstate", () => { late = null; }, { capture: true });
  globalThis.addEventListener("pagehide", write);
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
  return PLACES.some((field) => changed.has(field)) || (state.sizesOf === "paper" && changed.has("sizesOf"));
}
