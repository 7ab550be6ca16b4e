/** A browser opens six connections to one server. Streams of all tabs together keep to fewer, so that every tab still gets its answers. */

const SLOTS = ["glassformer.stream.1", "glassformer.stream.2", "glassformer.stream.3"];

/**
 * Take a slot, where one is free. Where the browser has no locks between tabs (a page without https) there always is.
 * @param {AbortSignal} signal gives it back
 * @returns {Promise<boolean>}
 */
export async function slot(signal) {
  if (!globalThis.navigator?.locks) return true;
  for (const name of SLOTS) if (await take(name, signal)) return true;
  return false;
}

/** @param {string} name @param {AbortSignal} signal @returns {Promise<boolean>} */
function take(name, signal) {
  return new Promise((resolve, reject) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && !signal.aborted ? new Promise((free) => signal.addEventListener("abort", () => free(null))) : null;
    }).catch(reject);
  });
}
