/** One sentence everywhere: the chosen sentence and the sentence of the chosen cell are never two. */

import { isSentences } from "./axes.js";

/** @typedef {import("./store.js").State} State */

/**
 * A change, made whole: who chooses a cell goes to its sentence; who chooses another sentence lets go of a cell that is not of it.
 * @param {State} before
 * @param {Partial<State>} patch
 * @returns {Partial<State>}
 */
export function oneSentence(before, patch) {
  if (!("cell" in patch || "index" in patch || "tensor" in patch)) return patch;
  const { trace, tensor, cell, index } = { ...before, ...patch };
  const record = trace?.records.find(({ name }) => name === tensor);
  const axis = record?.over.findIndex(isSentences) ?? -1;
  if (!record || !cell || axis < 0) return patch;
  const name = record.over[axis];
  if ((index[name] ?? 0) === cell[axis]) return patch;
  const cellIsNew = "cell" in patch && patch.cell !== before.cell;
  return cellIsNew ? { ...patch, index: { ...index, [name]: cell[axis] } } : { ...patch, cell: null };
}

/**
 * The axis that counts the sentences, and how many a trace has.
 * @param {import("./types.js").Trace | null} trace
 * @returns {[string, number]}
 */
export function sentenceAxis(trace) {
  return Object.entries(trace?.sizes ?? {}).find(([axis]) => isSentences(axis)) ?? ["", 1];
}

/**
 * Which sentence a row of the pass is of: a beam has several rows for one.
 * @param {import("./types.js").Trace | null} trace
 * @param {number} row
 */
export function sentenceOf(trace, row) {
  return trace?.recipe.rows?.[row] ?? row;
}

/**
 * What a row of the pass is called: "sentence 3"; where a beam has several rows for one sentence, "row 3 (sentence 1)"; the only sentence goes without saying.
 * @param {import("./types.js").Trace | null} trace
 * @param {number} row
 */
export function rowTitle(trace, row) {
  if (!isBeam(trace)) return `sentence ${row + 1}`;
  return trace?.recipe.src.length === 1 ? `row ${row + 1}` : `row ${row + 1} (sentence ${sentenceOf(trace, row) + 1})`;
}

/**
 * Whether the rows of a pass are hypotheses, of which a sentence may have several.
 * @param {import("./types.js").Trace | null} trace
 */
export function isBeam(trace) {
  return trace?.recipe.rows !== undefined;
}

/**
 * The first row of a sentence; −1 where the pass has none.
 * @param {import("./types.js").Trace | null} trace
 * @param {number} sentence
 */
export function rowOf(trace, sentence) {
  return trace?.recipe.rows ? trace.recipe.rows.indexOf(sentence) : sentence;
}
