/** What is said of a training: pure functions. */

import { count, ordinal, percent, size } from "../core/format.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Plan} Plan @typedef {import("./train-types.js").RunState} RunState */

/** @type {RunState[]} states in which a process is at work on a run, or will be */
const UNDER_WAY = ["queued", "starting", "running", "scoring"];
/** @type {RunState[]} */
const STANDING = ["paused", "interrupted", "stopped", "failed"];

/** @type {Record<RunState, string>} */
const STATES = {
  queued: "waiting its turn", starting: "starting", running: "learning", paused: "paused", scoring: "being scored", interrupted: "interrupted", stopped: "stopped",
  finished: "finished", diverged: "diverged", failed: "failed", loaded: "loaded from a file",
};

const PLACES = ["", "next", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/**
 * How a run stands: "learning", "third in line".
 * @param {Pick<Run, "state" | "place">} run
 */
export function inWords({ state, place }) {
  if (state === "queued" && place) return `${PLACES[place] ?? ordinal(place)} in line`;
  return STATES[state] ?? state;
}

/**
 * What may be done with a run now.
 * @param {RunState} state
 */
export function allowed(state) {
  return {
    pause: ["queued", "starting", "running"].includes(state), resume: STANDING.includes(state), step: STANDING.includes(state),
    stop: [...UNDER_WAY, "paused", "interrupted"].includes(state) && state !== "scoring", remove: state !== "scoring", live: [...UNDER_WAY, "paused"].includes(state), moves: UNDER_WAY.includes(state),
  };
}

/**
 * Whose a run is, where that matters: who sees and steers it, and who can only look.
 * @param {Pick<Run, "yours" | "owned">} run
 */
export function whose({ yours, owned }) {
  if (!yours) return owned ? "Begun in another browser: here one can look, not change it." : "The teacher's: one can look, not change it.";
  return owned ? "Only this browser lists and changes it; whoever has the link can look." : "";
}

/**
 * A duration as one says it: 40 s, 3 min, 1 h 20 min.
 * @param {number} seconds
 */
export function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/**
 * How far a run is: "step 420 of 2 000, 48 steps a second, 33 s left".
 * @param {Run} run
 */
export function progress({ state, step, steps, steps_per_second: rate, seconds_left: left, seconds }) {
  if (state === "loaded") return step ? `weights of step ${count(step)}` : "";
  const parts = [step < steps || state !== "finished" ? `step ${count(step)} of ${count(steps)}` : `all ${count(steps)} steps`];
  if (state === "running" && Number(rate) > 0) parts.push(`${pace(Number(rate))} steps a second`);
  if (state === "running" && left !== null) parts.push(`${duration(left)} left`);
  if (state !== "running" && Number(seconds) >= 1) parts.push(`${duration(Number(seconds))} of training`);
  return parts.join(", ");
}

/**
 * What a training will cost. The seconds are those of earlier runs on this machine, scaled to this one.
 * @param {Plan} plan
 * @param {Run[]} runs
 */
export function cost({ steps, batch, parameters, operations, seconds: usual, bytes, held_out: tests }, runs) {
  const kept = Object.values(tests).reduce((sum, each) => sum + each, 0);
  const seconds = estimate({ steps, operations }, runs);
  return [
    `${count(parameters)} parameters`, `${count(steps)} steps of ${count(batch)} sentences`, seconds === null ? `about ${duration(usual)} on an ordinary processor` : `about ${duration(seconds)} at the pace of your last runs`,
    size(bytes), `${count(kept)} sentences kept for the test`,
  ].join(" · ");
}

/**
 * Seconds of a training, after the run on this machine whose steps cost most alike; null where there is none.
 * @param {{steps: number, operations: number}} plan
 * @param {Run[]} runs
 * @returns {number | null}
 */
export function estimate({ steps, operations }, runs) {
  const each = operations / steps;
  const known = runs.filter(({ steps_per_second: rate, operations: all, step }) => Number(rate) > 0 && all && step > 20)
    .map((run) => ({ ratio: each / (Number(run.operations) / run.steps), rate: Number(run.steps_per_second) }))
    .sort((a, b) => Math.abs(Math.log(a.ratio)) - Math.abs(Math.log(b.ratio)));
  return known.length && known[0].ratio < 4 && known[0].ratio > 0.25 ? steps / known[0].rate * known[0].ratio : null;
}

/**
 * A sentence that the model wrote, word by word: whether each is right, and whether it is another one than before. A sentence of one word goes letter by letter.
 * @param {{tgt: string, written: string | null}} sample
 * @param {string | null} [before]   what it wrote the last time
 * @returns {{text: string, right: boolean, changed: boolean}[]}
 */
export function judged({ tgt, written }, before) {
  if (written === null) return [];
  const gap = written.includes(" ") || tgt.includes(" ") ? " " : "";
  const [wanted, earlier] = [tgt.split(gap), before?.split(gap)];
  return written.split(gap).map((text, i) => ({ text, right: text === wanted[i], changed: earlier !== undefined && text !== earlier[i] }));
}

/**
 * How well the held-out sentences go: "61.2 % of held-out tokens right".
 * @param {number | undefined} accuracy
 */
export function heldOut(accuracy) {
  return accuracy === undefined ? "" : `${percent(accuracy)} of held-out tokens right`;
}

/**
 * How a change of state is told to someone who hears the page.
 * @param {Run} run
 */
export function told(run) {
  return `${run.name}: ${inWords(run)}. ${run.message || progress(run)}`;
}

/**
 * The share of the steps that are taken: 42 %.
 * @param {Pick<Run, "step" | "steps">} run
 */
export function percentDone({ step, steps }) {
  return `${Math.floor(step / Math.max(steps, 1) * 100)} %`;
}

/** @param {number} rate */
function pace(rate) {
  return rate >= 10 ? count(Math.round(rate)) : rate.toFixed(1);
}
