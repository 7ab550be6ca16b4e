/** Where the cross-attention of a trace is: the weights whose rows run over one sequence and whose columns run over another. */

import { isSentences } from "../core/axes.js";

/** @typedef {import("../core/types.js").Trace} Trace @typedef {import("../core/types.js").Model} Model @typedef {import("../core/types.js").Record_} Record_ */

/**
 * The weights of every cross-attention, from the first decoder layer to the last.
 * @param {Trace} trace
 * @param {Model} model
 * @returns {Record_[]}
 */
export function crossWeights(trace, model) {
  const attention = new Set(blocks(model.tree).filter(({ kind }) => kind === "MultiHeadAttention").map(({ name }) => name));
  const weights = new Set(model.tensors.filter(({ kind, block }) => kind === "softmax" && attention.has(block)).map(({ name }) => name));
  return trace.records.filter(({ name, over }) => weights.has(name) && over.at(-1) !== over.at(-2));
}

/**
 * The axis that tells the heads apart: the one that is neither sentence, row nor column; −1 if there is none.
 * @param {Record_} record
 */
export function headAxis({ over }) {
  return over.findIndex((name, i) => !isSentences(name) && i < over.length - 2);
}

/**
 * One head's map, or the average over the heads.
 * @param {ArrayLike<number | bigint>} values heads, rows, columns
 * @param {number[]} shape
 * @param {number | null} head null for the average
 * @returns {Float64Array} rows times columns
 */
export function mapOf(values, shape, head) {
  const [heads, rows, columns] = shape.length === 3 ? shape : [1, ...shape];
  const size = rows * columns;
  const map = new Float64Array(size);
  const taken = head === null ? Array.from({ length: heads }, (_, i) => i) : [head];
  for (const each of taken) for (let i = 0; i < size; i++) map[i] += Number(values[each * size + i]) / taken.length;
  return map;
}

/** @param {import("../core/types.js").Part} part @returns {import("../core/types.js").Part[]} */
function blocks(part) {
  return [part, ...part.parts.flatMap(blocks)];
}
