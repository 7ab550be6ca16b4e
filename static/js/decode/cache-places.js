/** Where kept keys and values, and the logits, are among the tensors of a trace. Pure. */

import { isSentences } from "../core/axes.js";

/**
 * @typedef {import("../core/types.js").Trace} Trace @typedef {import("../core/types.js").Model} Model @typedef {import("../core/types.js").Record_} Record_
 */

/**
 * The keys and the values of an attention block: what its scores and what its mix read last.
 * @param {Trace} trace
 * @param {Model} model
 * @param {string} block
 * @returns {Record_[]}
 */
export function pairOf(trace, model, block) {
  const last = (/** @type {string} */ kind) => model.tensors.find((tensor) => tensor.block === block && tensor.kind === kind)?.reads.at(-1);
  return [last("dot"), last("mix")].flatMap((name) => trace.records.find((record) => record.name === name) ?? []);
}

/**
 * What the log-probabilities are made from.
 * @param {Trace} trace
 * @param {Model} model
 * @returns {Record_ | undefined}
 */
export function logitsOf(trace, model) {
  const name = model.tensors.find(({ kind }) => kind === "log_softmax")?.reads[0];
  return trace.records.find((record) => record.name === name);
}

/**
 * The first cell of one place's row: in the chosen head, of the chosen row of the pass.
 * @param {Pick<Record_, "axes" | "over" | "shape">} record
 * @param {Record<string, number>} index
 * @param {number} row
 * @param {number} place
 */
export function cellOfPlace({ axes, over, shape }, index, row, place) {
  return over.map((name, i) => (isSentences(name) ? row : i === over.length - 2 ? place : i === over.length - 1 ? 0 : Math.min(index[axes[i]] ?? 0, shape[i] - 1)));
}
