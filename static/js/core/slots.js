/** A browser opens six connections to one server. Streams of all tabs together keep to fewer, so that every tab still gets its answers. */

const SLOTS = ["glassformer.stream.1", "glassformer.stream.2", "glassformer.stream.3"];

/**
 * Wait until a stream may be opened. Where the browser has no locks between tabs (a page without https) it may at once.
 * @param {AbortSignal} signal gives the slot back
 * @returns {Promise<void>}
 */
export async function slot(signal) {
  const { locks } = navigator;
  if (!locks) return;
  for (const name of SLOTS) if (await take(name, { ifAvailable: true }, signal)) return;
  await take(SLOTS[Math.floor(Math.random() * SLOTS.length)], { signal }, signal);
}

/** @param {string} name @param {LockOptions} options @param {AbortSignal} signal @returns {Promise<boolean>} */
function take(name, options, signal) {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, options, (lock) => {
      resolve(lock !== null);
      return lock && !signal.aborted ? new Promise((free) => signal.addEventListener("abort", () => free(null))) : null;
    });
    held.catch(reject);
  });
}
