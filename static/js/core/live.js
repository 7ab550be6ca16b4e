/** The steps of a decoding as the server computes them. */

/**
 * @param {string} decoding
 * @param {{step: (step: import("./types.js").Step) => void, end: () => void, lost: () => void}} on   `lost`: no more will come
 * @returns {() => void} stop listening
 */
export function listen(decoding, on) {
  /** @type {(() => void) | null} */
  let close = null;
  let wanted = true;

  void import("./stream.js").then(({ openStream }) => {
    if (!wanted) return;
    close = openStream(`/api/decodings/${decoding}/events`, { hear: (name, data) => { if (name === "step") on.step(data); }, over: (problem) => (problem ? on.lost() : on.end()) });
  }, on.lost);
  return () => {
    wanted = false;
    close?.();
  };
}
