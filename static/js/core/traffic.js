/** What was asked of the server and is not answered yet. */

/**
 * `again` is when it is tried again, where the server was too busy; `quiet`: nobody waits for it.
 * @typedef {{since: number, again: number | null, quiet: boolean}} Asking
 */

/** @type {Set<Asking>} */
const asked = new Set();
/** @type {((asked: Set<Asking>) => void)[]} */
const listeners = [];

function tell() {
  for (const listener of listeners) listener(asked);
}

/** @param {(asked: Set<Asking>) => void} listener */
export function onTraffic(listener) {
  listeners.push(listener);
}

/** @param {boolean} quiet @returns {Asking} */
export function begin(quiet) {
  const asking = { since: Date.now(), again: null, quiet };
  asked.add(asking);
  tell();
  return asking;
}

/** @param {Asking} asking */
export function end(asking) {
  asked.delete(asking);
  tell();
}

/** @param {Asking} asking @param {number} wait in milliseconds */
export function postpone(asking, wait) {
  asking.again = Date.now() + wait;
  tell();
}
