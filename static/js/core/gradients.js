/** Which tensors have a gradient, and what is remarkable about one. Pure. */

/**
 * @typedef {import("./store.js").State} State @typedef {import("./types.js").Record_} Record_
 *
 * What is known of one gradient without its values. `mark`: nothing reads the tensor, it is all 0, or it is vanishing.
 * @typedef {{name: string, shape: number[], parameter: boolean, norm: number, rms: number, mark: "zero" | "unread" | "vanishing" | null, summary: import("./types.js").Summary}} Gradient
 * @typedef {{id: string, loss: number, norm: number, records: Map<string, Gradient>}} Gradients   `id` is the trace's, `norm` that of all parameters together
 */

/** @type {Record<NonNullable<Gradient["mark"]>, {word: string, says: string}>} */
export const GRADIENT_MARKS = {
  zero: { word: "zero", says: "Every cell is exactly 0: on this batch the loss does not move with it, and a step would leave it alone." },
  unread: { word: "unread", says: "Nothing on the way to the loss reads this tensor, so its gradient is 0 by definition." },
  vanishing: { word: "vanishing", says: "Its cells are less than a hundred-thousandth of the largest of their kind: hardly anything of the loss arrives here." },
};

/**
 * Which of the two is shown of a tensor: ids, masks and runs without a target have no gradient.
 * @param {Pick<State, "trace" | "of">} state
 * @param {Record_ | undefined} record
 * @returns {"value" | "gradient"}
 */
export function shownOf({ trace, of }, record) {
  return of === "gradient" && record && whyNone(trace, record) === "" ? "gradient" : "value";
}

/**
 * Why a tensor has no gradient; empty where it has one.
 * @param {State["trace"]} trace
 * @param {Pick<Record_, "dtype">} record
 */
export function whyNone(trace, { dtype }) {
  if (!trace?.tokens.labels) return "There is no loss without a target, and no gradient without a loss.";
  if (dtype === "bool") return "A mask has no gradient: it says yes or no, and there is no little more of yes.";
  if (dtype.startsWith("int")) return "Whole numbers have no gradient: there is no id between two tokens, and a count counts.";
  return "";
}

/** The gradients of the trace on screen, once they are there. @param {Pick<State, "trace" | "gradients">} state */
export function gradientsHere({ trace, gradients }) {
  return trace && gradients?.id === trace.id ? gradients : null;
}
