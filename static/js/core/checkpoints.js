/** The sentences on screen through another checkpoint of the model that is on screen: the numbers move, the view stays. */

import { ServerError } from "./api.js";
import { followTo } from "./history.js";

/** @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State @typedef {import("./types.js").Recipe} Recipe */

/**
 * The training that a model comes from: run-1234abcd for run-1234abcd@500, null for a model that was not trained here.
 * @param {string | undefined} model
 * @returns {string | null}
 */
export function runOf(model) {
  return model?.startsWith("run-") ? model.split("@")[0] : null;
}

/** Whether two models have the same form and vocabulary: they are one, or checkpoints of one training. @param {string} one @param {string} other */
export function sameModel(one, other) {
  return one === other || (runOf(one) !== null && runOf(one) === runOf(other));
}

/**
 * @param {Store} store
 * @param {(recipe: Recipe) => Promise<Partial<State>>} traceOf
 * @returns {(model: string) => Promise<boolean>} quiet: false where it does not come about, or something else was asked for meanwhile
 */
export function createCheckpoints(store, traceOf) {
  return async function show(model) {
    const { trace, decoding, phase } = store.get();
    if (!trace || decoding || phase === "running") return false;
    try {
      const patch = await traceOf({ ...trace.recipe, model });
      const { trace: still, phase: now, input } = store.get();
      if (still !== trace || now === "running" || !patch.trace) return false;
      followTo(store, { ...patch, input: untouched(input, trace.recipe) ? patch.trace.recipe : { ...input, model } });
      return true;
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      return false;
    }
  };
}

/** Whether the sentences in the bar are those on screen. @param {Recipe} input @param {Recipe} recipe */
function untouched(input, recipe) {
  const sentences = (/** @type {Recipe} */ { src, tgt }) => JSON.stringify([src, tgt]);
  return sentences(input) === sentences(recipe);
}
