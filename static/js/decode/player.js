/** Going through a decoding: which step is on screen, how far it has been seen, and playing on by itself. */

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions @typedef {import("../core/types.js").Step} Step
 * @typedef {{step: Step | null, furthest: number, playing: boolean, wait: number}} Playing
 */

/** How long a step stays, in milliseconds. */
export const SPEEDS = [{ title: "slow", wait: 1600 }, { title: "normal", wait: 700 }, { title: "fast", wait: 200 }];

const MOST_WAITING = 3;

/**
 * @typedef {object} Player
 * @property {() => Playing} get
 * @property {(listener: () => void) => void} subscribe
 * @property {(by: number) => Promise<boolean>} move   forward or back by some steps
 * @property {(step: number) => Promise<boolean>} to
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
  let now = { step: null, furthest: 0, playing: false, wait: SPEEDS[1].wait };
  /** @type {(() => void)[]} */
  const listeners = [];
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
    if (now.playing) set({ playing: false });
  }

  /** @param {number} step */
  const to = (step) => actions.goToStep(Math.max(0, step));

  /** @param {number} by */
  async function move(by) {
    if (waiting >= MOST_WAITING) return false;
    waiting += 1;
    going = going.catch(() => false).then(() => moveNow(by)).finally(() => { waiting -= 1; });
    return going;
  }

  /** @param {number} by */
  async function moveNow(by) {
    const { step } = store.get();
    if (step === null || step + by < 0) return false;
    if (by > 0 && (await actions.stepAt(step)).finished) return false;
    return to(step + by);
  }

  async function playOn() {
    if (!now.playing) return;
    if (!(await move(1))) return pause();
    if (now.playing && !now.step?.finished) timer = window.setTimeout(playOn, now.wait);
    else pause();
  }

  async function toggle() {
    if (now.playing) return pause();
    set({ playing: true });
    if (now.step?.finished) await to(0);
    timer = window.setTimeout(playOn, now.step?.finished ? now.wait : 0);
  }

  store.subscribe(["decoding", "step"], async ({ decoding, step }, changed) => {
    if (changed.has("decoding")) set({ step: null, furthest: 0, playing: false });
    if (!decoding || step === null) return clearTimeout(timer);
    const found = await actions.stepAt(step).catch(() => null);
    if (found && store.get().decoding === decoding && store.get().step === step) set({ step: found, furthest: Math.max(now.furthest, step) });
  });

  return { get: () => now, subscribe: (listener) => { listeners.push(listener); }, move, to, toggle, pace: (wait) => set({ wait }) };
}
