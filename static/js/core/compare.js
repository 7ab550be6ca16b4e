/** Which earlier or later step of a decoding the one on screen is compared with. Pure. */

/** @typedef {import("./store.js").State} State */

/**
 * A change, made whole: there is something to compare with only while decoding, and "the step before" goes along with the steps.
 * @param {Pick<State, "decoding" | "step" | "compare">} before
 * @param {Partial<State>} patch
 * @returns {Partial<State>}
 */
export function keepCompare(before, patch) {
  if ("compare" in patch || before.compare === null) return patch;
  if ("decoding" in patch && patch.decoding?.id !== before.decoding?.id) return { ...patch, compare: null };
  const { step } = patch;
  if (step === undefined || step === null || before.step === null || step === before.step) return patch;
  return before.compare === stepBefore(before.step) ? { ...patch, compare: stepBefore(step) } : patch;
}

/** @param {number} step */
export function stepBefore(step) {
  return Math.max(0, step - 1);
}
