/** The rows of a pass while decoding: a beam has several for a sentence, and each step arranges them anew. Pure. */

import { isSentences } from "./axes.js";
import { sentenceAxis } from "./sentences.js";

/**
 * @typedef {import("./types.js").Step} Step @typedef {import("./types.js").Trace} Trace @typedef {import("./types.js").Token} Token
 * @typedef {import("./recipes.js").View} View
 */

/**
 * Which row of another step is on screen there: that which goes on with a row or led to it, else the best of its sentence. A sentence without
 * rows gives way to the first one.
 * @param {Step} before
 * @param {Step} after
 * @param {number} place
 * @returns {number}
 */
export function rowAt(before, after, place) {
  const { sentence } = before.rows[Math.min(place, before.rows.length - 1)];
  return sameRow(before, after, place) ?? rowsOf(after, sentence)[0] ?? 0;
}

/**
 * Which row of another step goes on with a row, or led to it. Who follows the best goes on with the best; another hypothesis is followed for as
 * long as it lives.
 * @param {Step} before
 * @param {Step} after
 * @param {number} place
 * @returns {number | null} null where the sentence, or this hypothesis, has no row
 */
export function sameRow(before, after, place) {
  const row = before.rows[Math.min(place, before.rows.length - 1)];
  const mine = rowsOf(after, row.sentence);
  const best = before.rows[rowsOf(before, row.sentence)[0]] === row;
  return (best ? mine[0] : mine.find((i) => alike(after.rows[i].prefix, row.prefix))) ?? null;
}

/**
 * The rows of one sentence, the best hypothesis first.
 * @param {Step} step
 * @param {number} sentence
 */
export function rowsOf({ rows }, sentence) {
  return rows.map((_, i) => i).filter((i) => rows[i].sentence === sentence);
}

/**
 * The view with another row of the pass chosen; a chosen cell goes along.
 * @param {View} view
 * @param {Trace | null} trace   the trace in which the view was
 * @param {number} place
 * @returns {View}
 */
export function toRow(view, trace, place) {
  const [axis] = sentenceAxis(trace);
  if ((view.index[axis] ?? 0) === place) return view;
  const record = trace?.records.find(({ name }) => name === view.tensor);
  const cell = view.cell && record ? view.cell.map((at, i) => (isSentences(record.over[i]) ? place : at)) : view.cell;
  return { ...view, cell, index: { ...view.index, [axis]: place } };
}

/** Whether one begins with the other. @param {Token[]} a @param {Token[]} b */
function alike(a, b) {
  return a.slice(0, b.length).every(({ id }, i) => id === b[i].id);
}
