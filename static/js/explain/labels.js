/** What a cell is called: the tensor's own name, and the places with their tokens, each in its axis' colour. Pure. */

import { countsFromOne, isSentences, placeLabel, tokensAlong } from "../core/axes.js";
import { rowTitle } from "../core/sentences.js";
import { visible } from "../core/tokens.js";
import { contextOf } from "../tensor/context.js";
import { ownName } from "../tensor/naming.js";
import { placeWords } from "../tensor/words.js";

/**
 * @typedef {import("../tensor/context.js").Context} Context @typedef {import("../tensor/words.js").Piece} Piece
 * @typedef {import("../core/store.js").State} State
 */

/**
 * The context of a tensor that a cell is chosen in; tied weights are found by any of their names.
 * @param {State} state @param {string} name @param {(number | null)[]} cell @param {"value" | "gradient"} [of]   which of the two the cell is of
 * @returns {Context | null}
 */
export function contextAt(state, name, cell, of = "value") {
  const places = cell.map((place) => place ?? 0);
  const context = contextOf({ ...state, of, tensor: name, cell: places });
  if (context || !state.model) return context;
  const known = state.model.tensors.find(({ shared_with: aliases }) => aliases?.includes(name));
  return known ? contextOf({ ...state, of, tensor: known.name, cell: places }) : null;
}

/**
 * "weights[head 1, dog, run]"; a place that is run along is a dot.
 * @param {Context} context @param {(number | null)[]} cell @param {number[]} [said] axes whose places are said elsewhere
 * @returns {Piece[]}
 */
export function shortCell(context, cell, said = []) {
  const { record } = context;
  const axes = record.axes.map((_, i) => i).filter((i) => !(alone(record, i) && cell[i] !== null) && !said.includes(i));
  if (axes.length === 0) return [{ text: titleOf(context) }];
  return [{ text: `${titleOf(context)}[` }, ...axes.flatMap((i, at) => [...(at ? [{ text: ", " }] : []), shortPlace(context, i, cell)]), { text: "]" }];
}

/**
 * "weights", or "∂L/∂weights" of its gradient: L is the loss.
 * @param {Pick<Context, "record" | "of">} context
 */
export function titleOf({ record, of }) {
  return of === "gradient" ? `∂L/∂${ownName(record.name)}` : ownName(record.name);
}

/**
 * The axes of an operand on which it stands in the explained cell's own head or sentence, as the explanation's heading says.
 * @param {Pick<import("../core/types.js").Explanation, "over">} explanation @param {Pick<import("../core/types.js").Operand, "takes">} operand
 * @returns {number[]}
 */
export function saidAbove({ over }, { takes }) {
  return takes.flatMap((axis, i) => (axis !== null && axis >= 0 && countsFromOne(over[axis]) ? [i] : []));
}

/**
 * @param {Context} context @param {number} axis @param {(number | null)[]} cell
 * @returns {Piece}
 */
function shortPlace(context, axis, cell) {
  const { trace, model, record } = context;
  const place = cell[axis];
  const over = record.over[axis];
  if (place === null) return { text: "·", over };
  if (isSentences(over)) return { text: rowTitle(trace, place), over };
  if (countsFromOne(over)) return { text: `${record.axes[axis]} ${place + 1}`, over };
  return { text: visible(placeLabel(trace, model, over, place, sentenceOf(context, cell), record.axes[axis])), over };
}

/**
 * " from query “dog” (1) to key “run” (2), head 1, sentence 1"; the only sentence goes without saying.
 * @param {Context} context @param {number[]} cell
 * @returns {Piece[]}
 */
export function cellInWords(context, cell) {
  const { trace, record, layout } = context;
  const drawn = /** @type {number[]} */ ([layout.row, layout.column].filter((axis) => axis !== null && !alone(record, axis)));
  const outer = record.axes.map((_, i) => i).filter((i) => !drawn.includes(i) && !alone(record, i)).reverse();
  const crossing = drawn.length === 2 && drawn.every((axis) => tokensAlong(trace, record.axes[axis], record.over[axis]) !== null);
  return [...drawn, ...outer].flatMap((axis, at) => {
    const between = crossing && at < 2 ? [" from ", " to "][at] : at ? ", " : " at ";
    return [{ text: between }, placeWords(context, axis, cell[axis], cell)];
  });
}

/**
 * The places along the axes that a line of cells runs along.
 * @param {Context} context @param {(number | null)[]} line @param {number[]} cell one of the line's
 * @returns {Piece[]}
 */
export function placeAlong(context, line, cell) {
  const axes = line.map((at, axis) => (at === null ? axis : -1)).filter((axis) => axis >= 0);
  const telling = axes.filter((axis) => !alone(context.record, axis));
  return (telling.length ? telling : axes).flatMap((axis, i) => [...(i ? [{ text: ", " }] : []), shortPlace(context, axis, cell)]);
}

/** Whether an axis counts sentences of which there is one. @param {Context["record"]} record @param {number} axis */
function alone({ over, shape }, axis) {
  return isSentences(over[axis]) && shape[axis] === 1;
}

/** Whose tokens name the places: a cell's own sentence, where it is of one. @param {Context} context @param {(number | null)[]} cell */
function sentenceOf({ record, sentence }, cell) {
  return cell[record.over.findIndex(isSentences)] ?? sentence;
}
