/** One run as it goes: server-sent events, which the browser resumes by itself after the last point that came. */

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Log} Log */

/**
 * @param {string} id
 * @param {{log: (log: Log) => void, run: (run: Run) => void, end: () => void}} on   `log` is all that is known, the newest last
 * @returns {() => void} stop listening
 */
export function listen(id, on) {
  const source = new EventSource(`/api/runs/${id}/events`);
  /** @type {Log} */
  let log = { points: [], looks: [] };
  source.addEventListener("points", ({ data }) => {
    const { points, evaluations } = JSON.parse(data);
    log = { points: joined(log.points, points), looks: joined(log.looks, evaluations) };
    on.log(log);
  });
  source.addEventListener("run", ({ data }) => on.run(JSON.parse(data)));
  source.addEventListener("end", () => {
    source.close();
    on.end();
  });
  return () => source.close();
}

/**
 * A log and what comes after it. Steps that are taken again replace what was known of them. Pure.
 * @template {{step: number}} T
 * @param {T[]} known
 * @param {T[]} more
 * @returns {T[]}
 */
export function joined(known, more) {
  if (!more.length) return known;
  return [...(known.length && known[known.length - 1].step >= more[0].step ? known.filter(({ step }) => step < more[0].step) : known), ...more];
}
