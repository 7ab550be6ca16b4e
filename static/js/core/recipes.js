/** From an answer of the server to what the page shows: pure functions. */

import { rowOf } from "./sentences.js";

/**
 * @typedef {import("./types.js").Trace} Trace @typedef {import("./types.js").Model} Model @typedef {import("./types.js").Recipe} Recipe
 * @typedef {import("./types.js").Part} Part @typedef {import("./types.js").Step} Step
 * @typedef {{at: string, tensor: string | null, cell: number[] | null, index: Record<string, number>}} View
 */

/**
 * A trace on screen, keeping as much of the view as it has: the block, the tensor, the cell and the places on the axes.
 * @param {Trace} trace
 * @param {Model} model
 * @param {View} view
 */
export function fitted(trace, model, { at, tensor, cell, index }) {
  const shape = tensor === null ? null : shapeOf(trace, model, tensor);
  return {
    trace, model,
    at: hasBlock(model.tree, at.split(":")[0]) ? at : "",
    tensor: shape ? tensor : null,
    missing: shape ? null : tensor,
    cell: shape && cell && cell.length === shape.length && cell.every((place, i) => place < shape[i]) ? cell : null,
    index: within(index, trace.sizes),
  };
}

/**
 * The sentences behind a trace. A trace made from a prefix has no target; the target that was typed for the same source is taken, else
 * the one of an example, else the text of the prefix.
 * @param {Trace} trace
 * @param {Model} model
 * @param {Recipe} typed what stands in the sentence bar now
 * @param {string[]} [texts] what a decoding has written so far, row by row; a beam has several rows for one sentence, the best first
 * @returns {Recipe}
 */
export function sentencesOf(trace, model, typed, texts) {
  const { prefix, rows, ...recipe } = trace.recipe;
  if (!prefix) return recipe;
  const same = (/** @type {string[]} */ src) => src.length === recipe.src.length && src.every((sentence, i) => sentence === recipe.src[i]);
  if (typed.model === recipe.model && typed.tgt?.length === recipe.src.length && same(typed.src)) return { ...recipe, tgt: typed.tgt };
  const example = model.examples.find(({ src }) => same(src));
  const byRow = texts ?? trace.tokens.tgt.map((row) => written(row, model.unit));
  return { ...recipe, tgt: example?.tgt ?? recipe.src.map((_, sentence) => byRow[rowOf(trace, sentence)] ?? "") };
}

/**
 * The places that a trace has; the same object where it has them all, so that nothing seems to have changed.
 * @param {Record<string, number>} index
 * @param {Record<string, number>} sizes
 */
function within(index, sizes) {
  const inside = Object.entries(index).filter(([axis, place]) => place < (sizes[axis] ?? Infinity));
  return inside.length === Object.keys(index).length ? index : Object.fromEntries(inside);
}

/** @param {import("./types.js").Token[]} row @param {string} unit */
function written(row, unit) {
  return row.filter((token) => !token.special && !token.pad).map((token) => token.text).join(unit === "character" ? "" : " ");
}

/** @param {Trace} trace @param {Model} model @param {string} tensor @returns {number[] | null} */
function shapeOf(trace, model, tensor) {
  return trace.records.find(({ name }) => name === tensor)?.shape ?? model.tensors.find(({ name, parameter }) => parameter && name === tensor)?.shape ?? null;
}

/** @param {Part} part @param {string} name @returns {boolean} */
function hasBlock(part, name) {
  return part.name === name || part.parts.some((inner) => hasBlock(inner, name));
}
