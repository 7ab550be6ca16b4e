/** The steps of a decoding as the server computes them: server-sent events, which the browser resumes by itself after the last that came. */

/**
 * @param {string} decoding
 * @param {{step: (step: import("./types.js").Step) => void, end: () => void, lost: () => void}} on   `lost`: no more will come
 * @returns {() => void} stop listening
 */
export function listen(decoding, on) {
  const source = new EventSource(`/api/decodings/${decoding}/events`);
  source.addEventListener("step", ({ data }) => on.step(JSON.parse(data)));
  source.addEventListener("end", () => {
    source.close();
    on.end();
  });
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) on.lost(); });
  return () => source.close();
}
