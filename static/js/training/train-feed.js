/** One run as it goes. */

import { openStream } from "../core/stream.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Log} Log */

/**
 * @param {string} id
 * @param {{log: (log: Log) => void, run: (run: Run) => void, end: () => void, gone: () => void}} on   `log` is all that is known, the newest last;
 *   `gone`: it was deleted
 * @returns {() => void} stop listening
 */
export function listen(id, on) {
  /** @type {Log} */
  let log = { points: [], looks: [] };

  return openStream(`/api/runs/${id}/events`, {
    hear(name, data) {
      if (name === "run") on.run(data);
      if (name !== "points") return;
      log = { points: joined(log.points, data.points), looks: joined(log.looks, data.evaluations) };
      on.log(log);
    },
    over: (problem) => (problem?.code === "ended" ? on.gone() : on.end()),
  });
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
