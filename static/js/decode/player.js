/** Going through a decoding: which step is on screen, which are known, and playing on by itself. */

import { createKnown } from "./known.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions @typedef {import("../core/types.js").Step} Step
 * @typedef {{step: Step | null, playing: boolean, wait: number, stopped: number | null}} Playing   `stopped`: the step at which a person pressed pause
 */

/** How long a step stays, in milliseconds; live shows each as soon as it is there. */
export const SPEEDS = [{ title: "slow", wait: 1600 }, { title: "normal", wait: 700 }, { title: "fast", wait: 200 }, { title: "live", wait: 0 }];

const MOST_WAITING = 3;

/**
 * @typedef {object} Player
 * @property {() => Playing} get
 * @property {import("./known.js").Known} known   the steps that are known
 * @property {(listener: () => void) => void} subscribe
 * @property {(by: number, passing?: boolean) => Promise<boolean>} move   forward or back by some steps; `passing`: one of many on the way
 * @property {(step: number, passing?: boolean) => Promise<boolean>} to
 * @property {() => Promise<boolean>} end   to the last step, once it is computed
 * @property {() => void} toggle   play or pause
 * @property {(wait: number) => void} pace
 */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {Player}
 */
export function createPlayer(store, actions) {
  /** @type {Playing} */
  let now = { step: null, playing: false, wait: SPEEDS[1].wait, stopped: null };
  /** @type {(() => void)[]} */
  const listeners = [];
  const known = createKnown(actions);
  let timer = 0;
  /** Steps asked for and not on screen yet, one after the other: quick keys wait for each other. @type {Promise<boolean>} */
  let going = Promise.resolve(true);
  let waiting = 0;

  /** @param {Partial<Playing>} patch */
  function set(patch) {
    now = { ...now, ...patch };
    for (const listener of listeners) listener();
  }

  function pause() {
    clearTimeout(timer);
    if (!now.playing) return;
    known.rest();
    set({ playing: false, stopped: now.step?.finished ? null : store.get().step });
  }

  /** @param {number} step @param {boolean} [passing] */
  const to = (step, passing) => actions.goToStep(Math.max(0, step), passing);

  /** @param {number} by @param {boolean} [passing] */
  async function move(by, passing) {
    if (waiting >= MOST_WAITING) return false;
    waiting += 1;
    going = going.catch(() => false).then(() => moveNow(by, passing)).finally(() => { waiting -= 1; });
    return going;
  }

  /** @param {number} by @param {boolean} [passing] */
  async function moveNow(by, passing) {
    const { step } = store.get();
    if (step === null || step + by < 0) return false;
    if (by > 0 && (await actions.stepAt(step)).finished) return false;
    return to(step + by, passing);
  }

  /** @param {boolean} [passing] all that is played is one entry of the history */
  async function playOn(passing) {
    if (!now.playing) return;
    await known.arrived((store.get().step ?? 0) + 1);
    if (!now.playing) return;
    if (!(await move(1, passing))) return pause();
    if (now.playing && !now.step?.finished) timer = window.setTimeout(playOn, now.wait, true);
    else pause();
  }

  async function toggle() {
    if (now.playing) return pause();
    set({ playing: true, stopped: null });
    if (now.step?.finished) await to(0);
    known.follow();
    timer = window.setTimeout(playOn, now.step?.finished ? now.wait : 0, false);
  }

  async function end() {
    pause();
    set({ stopped: null });
    const { decoding } = store.get();
    const last = await known.whole();
    return last !== null && store.get().decoding === decoding ? to(last) : false;
  }

  globalThis.addEventListener("popstate", pause);
  store.subscribe(["decoding", "step"], async ({ decoding, step }, changed) => {
    if (changed.has("decoding")) {
      clearTimeout(timer);
      known.forget();
      set({ step: null, playing: false, stopped: null });
    }
    if (!decoding || step === null) return;
    const found = await actions.stepAt(step).catch(() => null);
    if (!found || store.get().decoding !== decoding || store.get().step !== step) return;
    known.learn(found);
    set({ step: found });
    void known.before(step);
  });

  return { get: () => now, known, subscribe: (listener) => { listeners.push(listener); }, move, to, end, toggle, pace: (wait) => set({ wait }) };
}
