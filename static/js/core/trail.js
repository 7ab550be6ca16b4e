/** The way from a cell to what it was made of: the cells that were followed one after the other. Pure. */

import { shownOf } from "./gradients.js";

/**
 * @typedef {import("./store.js").State} State @typedef {import("./types.js").Trace} Trace
 * @typedef {{name: string, cell: number[], of?: "value" | "gradient"}} Hop        one cell of one tensor, or of its gradient
 * @typedef {{at: number, cell: number[], of?: "value" | "gradient"}} Numbered     the same, the tensor as its place among the trace's records
 */

const MOST = 32;

/**
 * Go to a cell that the selected one is made of, or that it goes into, and remember where from.
 * @param {State} state @param {Hop} to
 * @returns {Partial<State>}
 */
export function followed(state, to) {
  const here = standing(state);
  return { ...going(to), trail: here ? [...state.trail, here].slice(-MOST) : [] };
}

/**
 * Go back to a cell of the trail; what came after it is cut off.
 * @param {State} state @param {number} [place] the last one by default
 * @returns {Partial<State> | null} null where there is nothing to go back to
 */
export function backTo({ trail }, place = trail.length - 1) {
  const to = trail[place];
  return to ? { ...going(to), trail: trail.slice(0, place) } : null;
}

/**
 * A change, made whole: a trail leads to one cell of one trace, and ends where anything else is chosen.
 * @param {State} before @param {Partial<State>} patch
 * @returns {Partial<State>}
 */
export function keepTrail(before, patch) {
  if ("trail" in patch || before.trail.length === 0) return patch;
  const moved = (/** @type {"trace" | "tensor" | "cell" | "of"} */ field) => field in patch && patch[field] !== before[field];
  return moved("trace") || moved("tensor") || moved("of") || (moved("cell") && String(patch.cell ?? "") !== String(before.cell ?? "")) ? { ...patch, trail: [] } : patch;
}

/** @param {Trace} trace @param {Hop[]} trail @returns {Numbered[]} */
export function numbered({ records }, trail) {
  return trail.map(({ name, cell, of }) => ({ at: records.findIndex((record) => record.name === name), cell, ...kind(of) })).filter(({ at }) => at >= 0);
}

/** @param {Trace} trace @param {Numbered[]} trail @returns {Hop[]} none where a cell is not of this trace */
export function named({ records }, trail) {
  const fits = trail.length <= MOST && trail.every(({ at, cell }) => records[at]?.shape.length === cell.length && cell.every((place, i) => place < records[at].shape[i]));
  return fits ? trail.map(({ at, cell, of }) => ({ name: records[at].name, cell, ...kind(of) })) : [];
}

/** The cell that is explained: a single number needs no choosing. @param {State} state @returns {Hop | null} */
export function standing({ trace, tensor, cell, of }) {
  const record = trace?.records.find(({ name }) => name === tensor);
  if (!record) return null;
  const chosen = record.shape.length === 0 ? [] : cell;
  return chosen?.length === record.shape.length ? { name: record.name, cell: chosen, ...kind(shownOf({ trace, of }, record)) } : null;
}

/** @param {Hop} to @returns {Partial<State>} */
function going({ name, cell, of = "value" }) {
  return { tensor: name, cell, of, pointed: null, operand: null };
}

/** A gradient says that it is one. @param {Hop["of"]} of @returns {Pick<Hop, "of">} */
function kind(of) {
  return of === "gradient" ? { of } : {};
}
