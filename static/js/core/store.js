/** The one small store: what the page shows. Views read it, change it by `set`, and are told which fields changed. */

import { GREEDY } from "./way.js";

/**
 * @typedef {object} State
 * @property {import("./types.js").ModelSummary[]} models   the models there are
 * @property {import("./types.js").Model | null} model      the legend of the trace's model
 * @property {import("./types.js").Trace | null} trace      the trace on screen
 * @property {import("./types.js").Recipe} input            what stands in the sentence bar, run or not
 * @property {"idle" | "running"} phase
 * @property {import("./types.js").Recipe | null} sent   what was sent to be run and has not come back
 * @property {number} most        how many sentences, or rows of a decoding, this server runs at once
 * @property {import("./types.js").Problem | null} problem  the last error, shown until the next success
 * @property {string} at          the block the diagram is zoomed to; "" is the whole model
 * @property {string | null} tensor   the tensor in the inspector
 * @property {string | null} missing  a tensor that was asked for and that this trace has not
 * @property {number[] | null} cell   the selected cell of that tensor, over all its axes
 * @property {import("./trail.js").Hop[]} trail   the cells that led here, each a reader of the next, the first one first
 * @property {import("./trail.js").Hop | null} operand   the operand's cell under the pointer or focus in an explanation
 * @property {"value" | "gradient"} of   whether tensors show what they are or how much the loss moves with them
 * @property {import("./gradients.js").Gradients | null} gradients   those of a trace, once somebody looks at them
 * @property {Record<string, number>} index   the chosen place on each axis that is not drawn: {batch: 0, head: 1}
 * @property {import("./types.js").Decoding | null} decoding
 * @property {number | null} step     the decoding step on screen
 * @property {number | null} compare   the step whose tensors are taken from those on screen
 * @property {import("./way.js").Way} way   how the next decoding chooses, and the one on screen does
 * @property {string | null} panel    the panel open above the strip
 * @property {string | null} axis     the axis under the pointer or focus (what it runs over): everything that has it lights up
 * @property {string | null} pointed  the tensor under the pointer or focus
 * @property {number[] | null} hovered   the cell of the open tensor under the pointer or the keyboard's cursor
 * @property {string[]} lit   the tensors that the cell in view is made of
 * @property {boolean} ancestry   whether the whole ancestry of the selected cell is open
 * @property {import("./sizes.js").Sizes | null} sizesOf   the sizes that the diagram shows instead of this trace's
 * @property {import("./types.js").Model | null} other   the model that has such sizes, as far as it is known
 * @property {import("./unopened.js").Unopened | null} unopened   the link that the address is and that could not be opened: then nothing is drawn
 * @property {import("./sizes.js").Refused | null} refused   why there is no model with the sizes asked for
 */

/**
 * @typedef {(state: State, changed: Set<keyof State>) => void} Listener
 * @typedef {{get: () => State, set: (patch: Partial<State>) => void, subscribe: (fields: (keyof State)[], listener: Listener) => () => void}} Store
 */

/** @returns {State} */
export function initialState() {
  return {
    models: [], model: null, trace: null, input: { model: "tiny", src: [], tgt: [] }, phase: "idle", sent: null, most: 8, problem: null,
    at: "", tensor: null, missing: null, cell: null, trail: [], operand: null, of: "value", gradients: null, index: {}, decoding: null, step: null, compare: null, panel: null, way: GREEDY, axis: null, pointed: null, hovered: null, lit: [], ancestry: false, sizesOf: null, other: null, refused: null, unopened: null,
  };
}

/**
 * @param {State} state
 * @param {(before: State, patch: Partial<State>) => Partial<State>} [settle] makes a change whole before anybody is told of it
 * @returns {Store}
 */
export function createStore(state, settle = (_, patch) => patch) {
  let current = state;
  /** @type {Set<{fields: Set<keyof State>, listener: Listener}>} */
  const listeners = new Set();

  return {
    get: () => current,
    set(asked) {
      const patch = settle(current, asked);
      const changed = /** @type {Set<keyof State>} */ (new Set());
      for (const key of /** @type {(keyof State)[]} */ (Object.keys(patch))) if (!Object.is(current[key], patch[key])) changed.add(key);
      if (changed.size === 0) return;
      current = { ...current, ...patch };
      for (const { fields, listener } of [...listeners]) if ([...fields].some((field) => changed.has(field))) listener(current, changed);
    },
    subscribe(fields, listener) {
      const entry = { fields: new Set(fields), listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}
