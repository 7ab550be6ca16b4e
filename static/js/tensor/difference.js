/** One tensor less the same tensor of another step, cell by cell over the places that both have. Pure. */

import { isSentences } from "../core/axes.js";

/**
 * @typedef {import("../core/types.js").Values} Values @typedef {import("../core/types.js").Row} Row
 *
 * What became of each cell, on the places of the newer values: how much it changed, of which kind it is, and what it was.
 * @typedef {[change: Values, kinds: Values, before: Values]} Difference
 */

/** The same bits; other bits; there is no such cell in the other step. */
export const SAME = 0;
export const OTHER = 1;
export const NEW = 2;

/**
 * @param {Values} own
 * @param {Values} other   the same tensor in the other step, or a part of it
 * @param {(number | null)[] | null} rows   for each row of the batch its row there, null where it has none; null: row for row
 * @returns {Difference} a token id that is another one has changed by 1
 */
export function differenceOf(own, other, rows) {
  const [change, kinds, before] = [new Float32Array(own.values.length), new Uint8Array(own.values.length).fill(NEW), new Float32Array(own.values.length).fill(NaN)];
  const ids = own.values instanceof BigInt64Array;
  meet(offsets(own, other, rows), (at, offset) => {
    const [now, then] = [own.values[at], other.values[offset]];
    const same = Object.is(now, then);
    kinds[at] = same ? SAME : OTHER;
    change[at] = same ? 0 : ids ? 1 : Number(now) - Number(then);
    before[at] = Number(then);
  });
  return [{ ...own, values: change }, { ...own, values: kinds }, { ...own, values: before }];
}

/**
 * All cells are new: what the other step has not at all.
 * @param {Values} own
 * @returns {Difference}
 */
export function allNew(own) {
  return differenceOf(own, { ...own, values: new Float32Array(0), shape: own.shape.map(() => 0), full: own.shape.map(() => 0) }, null);
}

/**
 * For each row of a step the row of the other step that it came from, or that came from it: of the same sentence, one prefix beginning
 * with the other.
 * @param {Pick<Row, "sentence" | "prefix">[]} here
 * @param {Pick<Row, "sentence" | "prefix">[]} there
 * @returns {(number | null)[]}
 */
export function rowsThere(here, there) {
  return here.map(({ sentence, prefix }) => {
    const found = there.findIndex((row) => row.sentence === sentence && agree(row.prefix, prefix));
    return found < 0 ? null : found;
  });
}

/** @param {import("../core/types.js").Token[]} a @param {import("../core/types.js").Token[]} b */
function agree(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i].id !== b[i].id) return false;
  return true;
}

/** How far each place of each axis is from the first in the other's values; −1 where it is not there. @param {Values} own @param {Values} other @param {(number | null)[] | null} rows */
function offsets(own, other, rows) {
  let stride = 1;
  return own.shape.map((_, i) => own.shape.length - 1 - i).map((axis) => {
    const across = stride;
    stride *= other.shape[axis];
    return Int32Array.from({ length: own.shape[axis] }, (_, k) => {
      const place = own.start[axis] + k * own.step[axis];
      const mapped = rows && isSentences(own.over[axis]) ? rows[place] ?? -1 : place;
      const at = (mapped - other.start[axis]) / other.step[axis];
      return mapped >= 0 && at >= 0 && at < other.shape[axis] && Number.isInteger(at) ? at * across : -1;
    });
  }).reverse();
}

/**
 * @param {Int32Array[]} there
 * @param {(at: number, offset: number) => void} visit
 */
function meet(there, visit, axis = 0, at = 0, offset = 0) {
  if (axis === there.length) return visit(at, offset);
  const steps = there[axis];
  for (let k = 0; k < steps.length; k++) if (steps[k] >= 0) meet(there, visit, axis + 1, at * steps.length + k, offset + steps[k]);
}
