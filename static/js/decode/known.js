/** The steps of a decoding that are known: those that were looked at, those before them, and those that arrived as the server computed them. */

/**
 * @typedef {import("../core/types.js").Step} Step @typedef {import("../core/actions.js").Actions} Actions
 *
 * @typedef {object} Known
 * @property {() => (Step | undefined)[]} steps   by number; gaps where a step was not looked at
 * @property {() => number | null} last   the number of the last step, once it is known
 * @property {(listener: () => void) => void} subscribe   hear that more are known, at most once a frame
 * @property {(step: Step) => void} learn
 * @property {(step: number) => Promise<void>} before   fill in the steps before one
 * @property {() => void} follow   let the steps to come arrive as they are computed
 * @property {() => void} rest   let no more arrive
 * @property {(step: number) => Promise<void>} arrived   wait a while for a step that is on its way
 * @property {() => Promise<number | null>} whole   wait for the end; its number
 * @property {() => void} forget
 */

/** How long a step is waited for that was to come by itself; then it is asked for. */
const PATIENCE = 1500;

/**
 * @param {Pick<Actions, "stepAt" | "follow">} actions
 * @returns {Known}
 */
export function createKnown(actions) {
  /** @type {(Step | undefined)[]} */
  let steps = [];
  /** @type {number | null} */
  let last = null;
  /** @type {(() => void) | null} */
  let stop = null;
  /** @type {(() => void)[]} who waits for the next arrival */
  let waiting = [];
  /** @type {(() => void)[]} */
  const listeners = [];
  let told = 0;

  function tell() {
    cancelAnimationFrame(told);
    told = requestAnimationFrame(() => { for (const listener of listeners) listener(); });
  }

  function wake() {
    const all = waiting;
    waiting = [];
    for (const each of all) each();
  }

  /** @param {Step} step */
  function learn(step) {
    if (steps[step.step]) return;
    steps[step.step] = step;
    if (step.finished) last = step.step;
    tell();
    wake();
  }

  function rest() {
    stop?.();
    stop = null;
    wake();
  }

  function follow() {
    if (stop || last !== null) return;
    stop = actions.follow({ step: learn, end: rest, lost: rest });
  }

  /** @param {() => boolean} enough */
  async function until(enough) {
    while (stop && !enough()) await new Promise((resolve) => { waiting.push(() => resolve(undefined)); });
  }

  return {
    steps: () => steps,
    last: () => last,
    subscribe: (listener) => { listeners.push(listener); },
    learn, follow, rest,
    async before(step) {
      const mine = steps;
      for (let i = step - 1; i >= 0; i--) {
        if (mine[i]) continue;
        const found = await actions.stepAt(i).catch(() => null);
        if (!found || mine !== steps) return;
        learn(found);
      }
    },
    async arrived(step) {
      await Promise.race([until(() => steps[step] !== undefined || last !== null), new Promise((go) => setTimeout(go, PATIENCE))]);
    },
    async whole() {
      const mine = steps;
      follow();
      await until(() => last !== null);
      for (let i = 0; last === null; i++) {
        const found = await actions.stepAt(i).catch(() => null);
        if (mine !== steps || found?.step !== i) break;
        learn(found);
      }
      return last;
    },
    forget() {
      rest();
      steps = [];
      last = null;
      tell();
    },
  };
}
