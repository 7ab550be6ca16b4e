/** What was asked of the server and is not answered yet. */

/**
 * `again`: the server was too busy, and it is about to be asked again; `quiet`: nobody waits for it.
 * @typedef {{again: boolean, quiet: boolean}} Asking
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
  const asking = { again: false, quiet };
  asked.add(asking);
  tell();
  return asking;
}

/** @param {Asking} asking */
export function end(asking) {
  asked.delete(asking);
  tell();
}

/** @param {Asking} asking @param {boolean} again */
export function postpone(asking, again) {
  asking.again = again;
  tell();
}
