/** Whether the server answers, and whether it is still the one that this page came from. */

import { visitor } from "./visitor.js";

/** @typedef {"up" | "down" | "changed"} Reach   `changed`: another version of Glassformer answers */

/** @type {Reach} */
let now = "up";
/** @type {Set<() => void>} who waits for the server */
const waiting = new Set();
/** @type {((reach: Reach) => void)[]} */
const listeners = [];

/** @param {(reach: Reach) => void} listener */
export function onReach(listener) {
  listeners.push(listener);
}

/** Whether the last who asked was answered. */
export function reached() {
  return now !== "down";
}

/** @param {Reach} reach */
function set(reach) {
  if (now === reach || now === "changed") return;
  now = reach;
  for (const listener of listeners) listener(reach);
}

/** A request found nobody. */
export function lost() {
  set("down");
}

/** A request was answered. */
export function found() {
  if (now === "down") release();
  set("up");
}

function release() {
  const all = [...waiting];
  waiting.clear();
  for (const go of all) go();
}

/**
 * Wait until the server may answer again.
 * @param {AbortSignal | null} [signal]
 * @returns {Promise<void>}
 */
export function whenBack(signal) {
  return new Promise((resolve, reject) => {
    waiting.add(resolve);
    signal?.addEventListener("abort", () => {
      waiting.delete(resolve);
      reject(signal.reason);
    });
  });
}

/**
 * See whether the server answers; who waits for it then tries again, and only their being answered counts.
 * @returns {Promise<boolean>}
 */
export async function probe() {
  try {
    const answer = await fetch("/healthz", { headers: visitor(), cache: "no-store" });
    if (!answer.ok) throw new TypeError(`${answer.status}`);
    const { page } = await answer.json();
    if (page && own() && page !== own()) set("changed");
    if (waiting.size) release();
    else found();
    return true;
  } catch {
    lost();
    return false;
  }
}

/** The hash in the addresses of this page's own files. */
function own() {
  return /\/static\/(\w+)\//.exec(/** @type {HTMLScriptElement | null} */ (document.querySelector("script[type=module]"))?.src ?? "")?.[1];
}

const PATIENCE = 2;

/**
 * Load a part of the page, however long the server is away. Of another version nothing is loaded: the page asks to be reloaded.
 * @template T
 * @param {(again: string) => Promise<T>} load   `again` makes the address another one, for browsers that remember a failure
 * @returns {Promise<T>}
 */
export async function persist(load) {
  for (let tries = 0; ; tries++) {
    try {
      return await load(tries ? `?${tries}` : "");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const there = await probe();
      if (now === "changed") return new Promise(() => {});
      if (there && tries >= PATIENCE) throw error;
      if (!there) await whenBack();
    }
  }
}
