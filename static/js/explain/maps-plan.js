/** Which operands of a cell are drawn, how each is turned, and which of their cells belong to it. Pure. */

import { cellsOf } from "../tensor/arrange.js";
import { WHOLE } from "../tensor/tiles.js";

/**
 * @typedef {import("../core/types.js").Record_} Record_ @typedef {import("../core/types.js").Explanation} Explanation
 *
 * A tensor that is drawn: `row` and `column` are the axes of it that run down and across. `takes` tells for each of its axes which axis
 * of the explained cell gives its place: null runs along it, −1 is found by other means.
 * @typedef {object} Part
 * @property {string} name
 * @property {"value" | "gradient"} of   whether its values or its gradient are drawn
 * @property {string} role
 * @property {"left" | "above" | "result" | "plain"} stands  where it stands: as an operand of a matrix product, as its result, or in a row with others
 * @property {Pick<Record_, "name" | "axes" | "over" | "shape">} record
 * @property {number | null} row
 * @property {number | null} column
 * @property {(number | null)[]} takes
 * @property {(number | null)[]} cell   of the explanation; null runs along an axis
 *
 * @typedef {{product: boolean, parts: Part[]}} Plan
 */

/** How many cells of a long axis are drawn. */
const DRAWN = 96;

/**
 * @param {Pick<Explanation, "name" | "cell" | "operands"> & {of?: "value" | "gradient"}} explanation
 * @param {(name: string) => Pick<Record_, "name" | "axes" | "over" | "shape"> | undefined} find
 * @returns {Plan}
 */
export function planMaps({ name, of: own = "value", cell, operands }, find) {
  const known = operands.flatMap(({ name: from, of = "value", role, cell: at, takes }) => {
    const record = find(from);
    return record ? [{ name: from, of, role, record, takes, cell: at }] : [];
  });
  const result = find(name);
  const sides = result && sidesOf(known, cell.length);
  if (!result || !sides) return { product: false, parts: known.filter(isShown).map((part) => ({ ...part, stands: /** @type {const} */ ("plain"), ...drawnAxes(part.cell) })) };
  const { left, above } = sides;
  const rest = known.filter((part) => part !== left && part !== above && part.cell.length > 0);
  return {
    product: true,
    parts: [
      { ...left, stands: "left", row: left.takes.indexOf(cell.length - 2), column: left.takes.indexOf(null) },
      { ...above, stands: "above", row: above.takes.indexOf(null), column: above.takes.indexOf(cell.length - 1) },
      { name, of: own, role: "", record: result, takes: cell.map((_, i) => i), cell, stands: "result", row: cell.length - 2, column: cell.length - 1 },
      ...rest.map((part) => ({ ...part, stands: /** @type {const} */ ("plain"), ...drawnAxes(part.cell) })),
    ],
  };
}

/** @typedef {Pick<Part, "name" | "of" | "role" | "record" | "takes" | "cell">} Known */

/**
 * The two operands of a matrix product: both run along one axis, and the one gives the row, the other the column of the result.
 * @param {Known[]} known @param {number} rank
 */
function sidesOf(known, rank) {
  const lines = known.filter(({ cell }) => cell.filter((place) => place === null).length === 1);
  if (lines.length !== 2 || rank < 2) return null;
  const gives = (/** @type {Known} */ part, /** @type {number} */ axis, /** @type {number} */ other) => part.takes.includes(axis) && !part.takes.includes(other);
  const left = lines.find((part) => gives(part, rank - 2, rank - 1));
  const above = lines.find((part) => gives(part, rank - 1, rank - 2));
  return left && above ? { left, above } : null;
}

/** A lone number is no map. @param {Known} part */
function isShown({ cell }) {
  return cell.length > 0;
}

/** The last two axes, unless the operand runs along others. @param {(number | null)[]} cell @returns {{row: number | null, column: number | null}} */
function drawnAxes(cell) {
  const running = cell.map((place, i) => (place === null ? i : -1)).filter((i) => i >= 0).slice(-2);
  const others = cell.map((_, i) => i).filter((i) => !running.includes(i)).reverse();
  const drawn = [...running, ...others.slice(0, 2 - running.length)].sort((a, b) => a - b);
  return drawn.length > 1 ? { row: drawn[0], column: drawn[1] } : { row: null, column: drawn[0] ?? null };
}

/**
 * The cells of a part that go into another cell of the same tensor.
 * @param {Part} part
 * @param {number[]} cell of the explained tensor
 * @returns {(number | null)[] | null} null where only the server knows
 */
export function takenBy({ takes, record }, cell) {
  if (takes.some((axis) => axis !== null && axis < 0)) return null;
  return takes.map((axis, i) => (axis === null ? null : record.shape[i] === 1 ? 0 : cell[axis]));
}

/**
 * Where cells of a part stand in its map; null is the whole side.
 * @param {Part} part @param {(number | null)[]} cell
 * @returns {{row: number | null, column: number | null}}
 */
export function spotOf({ row, column }, cell) {
  return { row: row === null ? 0 : cell[row], column: column === null ? 0 : cell[column] };
}

/**
 * A place in a part's map as a cell of its tensor.
 * @param {Part} part @param {(number | null)[]} around a cell of the slice that is drawn @param {{row: number, column: number}} spot
 * @returns {number[]}
 */
export function cellAtSpot(part, around, { row, column }) {
  return around.map((place, i) => (i === part.row ? row : i === part.column ? column : (place ?? 0)));
}

/**
 * The slice that holds the drawn matrix, as docs/http-api.md writes it: all of a small tensor, every so many cells of a large one.
 * @param {Part} part @param {(number | null)[]} around
 */
export function sliceOf({ record: { axes, shape }, row, column }, around) {
  if (cellsOf(shape) <= WHOLE) return "";
  return axes.map((axis, i) => {
    if (i !== row && i !== column) return `${axis}:${around[i] ?? 0}`;
    const step = Math.ceil(shape[i] / DRAWN);
    return step > 1 ? `${axis}:0-${shape[i]}/${step}` : "";
  }).filter(Boolean).join(",");
}

/** How many cells stand below each other and side by side. @param {Part} part @returns {{rows: number, columns: number}} */
export function sidesOfPart({ record: { shape }, row, column }) {
  return { rows: row === null ? 1 : shape[row], columns: column === null ? 1 : shape[column] };
}
