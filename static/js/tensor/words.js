/** One cell in words: which place on each axis, and what its value means there. */

import { countsFromOne, isSentences, placeLabel, tokensAlong } from "../core/axes.js";
import { full, percent } from "../core/format.js";
import { isBeam, rowTitle } from "../core/sentences.js";
import { visible } from "../core/tokens.js";
import { isShare, maskWords } from "../core/scale.js";

/**
 * @typedef {import("../core/types.js").Record_} Record_ @typedef {import("../core/types.js").Tensor} Tensor
 * @typedef {import("../core/types.js").Trace} Trace @typedef {import("../core/types.js").Model} Model @typedef {import("./arrange.js").Layout} Layout
 */

/** A piece of a sentence; `over` is the axis whose colour it wears. @typedef {{text: string, over?: string, strong?: boolean}} Piece */

/**
 * @typedef {object} Told
 * @property {Record_} record
 * @property {Tensor | undefined} tensor
 * @property {Layout} layout
 * @property {Trace} trace
 * @property {Model} model
 * @property {number} sentence
 * @property {import("../core/scale.js").Scale} scale
 */

/**
 * "head 1, sentence 1: query “dog” (1) gives 0.4312 of its attention to key “run” (2)".
 * @param {Told} told
 * @param {number[]} cell
 * @param {number} value
 * @param {{blocked?: boolean}} [known] `blocked` when the score behind a weight is blocked
 * @returns {Piece[]}
 */
export function cellWords(told, cell, value, { blocked = false } = {}) {
  const { record, layout } = told;
  const outer = record.axes.map((_, i) => i).filter((i) => i !== layout.row && i !== layout.column).reverse();
  const pieces = outer.flatMap((i, at) => [...(at ? [{ text: ", " }] : []), placeWords(told, i, cell[i])]);
  if (outer.length && layout.column !== null) pieces.push({ text: ": " });
  return [...pieces, ...drawnWords(told, cell, value, blocked)];
}

/** @param {Told} told @param {number[]} cell @param {number} value @param {boolean} blocked @returns {Piece[]} */
function drawnWords(told, cell, value, blocked) {
  const { record, tensor, layout, model } = told;
  const column = layout.column === null ? null : placeWords(told, layout.column, cell[layout.column], cell);
  const row = layout.row === null ? null : placeWords(told, layout.row, cell[layout.row]);
  const number = { text: full(value), strong: true };
  if (record.dtype === "bool" && row && column && layout.row !== null && !isSentences(record.over[layout.row])) {
    return [row, { text: value ? " may look at " : " may not look at ", strong: true }, column];
  }
  const places = [row, column].filter((piece) => piece !== null).flatMap((piece, i) => [...(i ? [{ text: ", " }] : []), piece]);
  if (record.dtype === "bool") return [...places, { text: ": " }, { text: value ? maskWords(told.scale).yes : maskWords(told.scale).no, strong: true }];
  if (tensor?.kind === "softmax" && row && column) {
    if (blocked) return [row, { text: " gives nothing, exactly " }, number, { text: ", to " }, column, { text: ", which is blocked" }];
    return [row, { text: " gives " }, number, { text: " of its attention to " }, column];
  }
  if (isShare(tensor) && row && column) return [row, { text: ": " }, column, { text: " has probability " }, number, { text: ` (${percent(value)})` }];
  if (tensor?.kind === "mask" && value === -Infinity) return [...places, { text: ": " }, { text: "blocked (−∞)", strong: true }];
  if (tensor?.kind === "log_softmax") return [...places, { text: ": " }, number, { text: `, a probability of ${percent(Math.exp(value))}` }];
  if (record.dtype.startsWith("int") && model.vocabulary?.[value] !== undefined) return [...places, { text: ": id " }, number, { text: ` is “${visible(model.vocabulary[value])}”` }];
  const plainly = places.length ? [...places, { text: ": " }, number] : [number];
  return tensor?.kind === "gradient" ? [...plainly, { text: `: ${movesLoss(value)}` }] : plainly;
}

/** What a cell of a gradient says. @param {number} value */
function movesLoss(value) {
  if (value === 0) return "the loss does not move with it";
  return Number.isFinite(value) ? `a little more here, ${value > 0 ? "more" : "less"} loss` : "not a number";
}

/**
 * "query “dog” (1)", "head 2", "d_model 3"; a label tells what it is predicted after.
 * @param {Told} told
 * @param {number} axis
 * @param {number} place
 * @param {number[]} [cell] names the sentence where sentences are the rows
 * @returns {Piece}
 */
export function placeWords({ record, layout, trace, model, sentence }, axis, place, cell) {
  const over = record.over[axis];
  if (isSentences(over)) return { text: rowTitle(trace, place), over };
  if (countsFromOne(over)) return { text: `${record.axes[axis]} ${place + 1}`, over };
  const name = record.axes[axis];
  const row = cell && layout.row !== null && isSentences(record.over[layout.row]) ? cell[layout.row] : sentence;
  const label = visible(placeLabel(trace, model, over, place, row, name));
  if (hasOwnTokens(trace, name, over)) {
    return { text: `${name.replace(/s$/, "")} “${label}”, predicted after “${visible(placeLabel(trace, model, over, place, row))}” (position ${place})`, over };
  }
  return { text: label === String(place) || label === `#${place}` ? `${name} ${place}` : `${name} “${label}” (${place})`, over };
}

/** @param {Trace} trace @param {string} name @param {string} over */
function hasOwnTokens(trace, name, over) {
  return tokensAlong(trace, name, over) !== tokensAlong(trace, over, over);
}

/**
 * How places are counted, said where a reading first names one: "(1) is position 1, counted from 0."; empty where none is counted from 0.
 * @param {Pick<Told, "record" | "layout" | "trace">} told
 * @param {number[]} cell
 */
export function countingWords({ record, layout, trace }, cell) {
  const first = [layout.row, layout.column].find((axis) => axis !== null && !countsFromOne(record.over[axis]));
  if (first === undefined || first === null) return "";
  const [name, over, place] = [record.axes[first], record.over[first], cell[first]];
  const bracketed = tokensAlong(trace, name, over) && !hasOwnTokens(trace, name, over);
  const others = record.over.some(countsFromOne) ? `; heads and ${isBeam(trace) ? "rows" : "sentences"} are counted from 1` : "";
  return bracketed ? `(${place}) is position ${place}, counted from 0${others}.` : `${name.replace(/s$/, "")} position ${place}, counted from 0${others}.`;
}

/** @param {Piece[]} pieces */
export function plain(pieces) {
  return pieces.map((piece) => piece.text).join("");
}
