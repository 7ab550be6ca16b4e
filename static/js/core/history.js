/** The address and the store in step: going somewhere makes an entry in the browser's history, pointing and playing replace it. */

import { writeAddress } from "./address.js";
import { afterPaint } from "./dom.js";

/** @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State */

/** @type {WeakSet<Store>} stores that are being set to what the address already says */
const following = new WeakSet();
/** @type {WeakSet<Store>} stores that are passing by a place, which is not worth an entry */
const passing = new WeakSet();

/** @type {(keyof State)[]} */
const PLACES = ["trace", "at", "tensor", "decoding"];

/**
 * Keep the address in step with the store. A step of a decoding is on the screen first and in the address right after: browsers take their time.
 * @param {Store} store
 */
export function keepAddress(store) {
  /** @type {{address: string, goes: boolean} | null} an address that is about to be written */
  let late = null;

  function write() {
    if (late !== null) put(late.address, late.goes);
    late = null;
  }

  store.subscribe([...PLACES, "cell", "trail", "of", "ancestry", "sizesOf", "index", "step", "compare", "panel"], (state, changed) => {
    if (!state.trace) return;
    const address = writeAddress(state);
    if (address === (late?.address ?? location.pathname + location.search)) return;
    const goes = goesSomewhere(state, changed) && !following.has(store) && !passing.has(store) && location.pathname !== "/";
    if (goes) write();
    late = { address, goes: goes || (late?.goes ?? false) };
    if (state.decoding && changed.has("step") && !changed.has("decoding")) afterPaint(write);
    else write();
  });
  globalThis.addEventListener("popstate", () => { late = null; }, { capture: true });
  globalThis.addEventListener("pagehide", write);
}

/** Browsers refuse an address when there were very many in a short time; the next one is written again. @param {string} address @param {boolean} goes */
function put(address, goes) {
  try {
    if (goes) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  } catch {
    // the view is right, and its address comes with the next step
  }
}

/**
 * Set the store to what the address says, without making a new entry in the history.
 * @param {Store} store
 * @param {Partial<State>} patch
 */
export function followTo(store, patch) {
  during(following, store, patch);
}

/**
 * Set the store to a place on the way to another, whose entry it shares.
 * @param {Store} store
 * @param {Partial<State>} patch
 */
export function passTo(store, patch) {
  during(passing, store, patch);
}

/** @param {WeakSet<Store>} marks @param {Store} store @param {Partial<State>} patch */
function during(marks, store, patch) {
  marks.add(store);
  try {
    store.set(patch);
  } finally {
    marks.delete(store);
  }
}

/** @param {State} state @param {Set<keyof State>} changed */
function goesSomewhere(state, changed) {
  return PLACES.some((field) => changed.has(field)) || (state.decoding !== null && changed.has("step")) || (state.sizesOf === "paper" && changed.has("sizesOf"));
}
