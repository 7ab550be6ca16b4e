import assert from "node:assert/strict";
import { test } from "node:test";

import { keepCompare } from "../../static/js/core/compare.js";
import { changeInFull, changeText, changeWords } from "../../static/js/tensor/change.js";
import { allNew, differenceOf, NEW, OTHER, rowsThere, SAME } from "../../static/js/tensor/difference.js";

/** @param {number[]} shape @param {any} values @param {object} [more] */
const part = (shape, values, more = {}) => ({
  name: "x", axes: ["batch", "query", "key"].slice(-shape.length), over: ["batch", "tgt", "tgt"].slice(-shape.length), shape, start: shape.map(() => 0), step: shape.map(() => 1), full: shape, values, ...more,
});
const floats = (...values) => Float32Array.from(values);

test("cells that only this step has are new, the others are compared by their bits", () => {
  const [change, kinds, before] = differenceOf(part([1, 2, 2], floats(1, 2, 3, 4)), part([1, 1, 1], floats(0.5)), null);
  assert.deepEqual([...kinds.values], [OTHER, NEW, NEW, NEW]);
  assert.deepEqual([change.values[0], before.values[0]], [0.5, 0.5]);
  assert.ok(Number.isNaN(before.values[1]));
  assert.deepEqual([...allNew(part([2, 2], floats(1, 2, 3, 4)))[1].values], [NEW, NEW, NEW, NEW]);
});

test("−∞ from −∞ and NaN from NaN are the same, zero and minus zero are not", () => {
  const [change, kinds] = differenceOf(part([5], floats(-Infinity, NaN, 0, -Infinity, 1)), part([5], floats(-Infinity, NaN, -0, 2, NaN)), null);
  assert.deepEqual([...kinds.values], [SAME, SAME, OTHER, OTHER, OTHER]);
  assert.deepEqual([...change.values].slice(0, 4), [0, 0, 0, -Infinity]);
  assert.ok(Number.isNaN(change.values[4]));
});

test("masks change by one, an id is the same or another", () => {
  assert.deepEqual([...differenceOf(part([3], Uint8Array.of(1, 0, 1)), part([3], Uint8Array.of(1, 1, 0)), null)[0].values], [0, -1, 1]);
  const [change, kinds, before] = differenceOf(part([2], BigInt64Array.of(7n, 9n)), part([2], BigInt64Array.of(7n, 3n)), null);
  assert.deepEqual([[...change.values], [...kinds.values], [...before.values]], [[0, 1], [SAME, OTHER], [7, 3]]);
});

test("each row of a beam is compared with the row that it came from", () => {
  const [change, kinds] = differenceOf(part([3, 1, 1], floats(1, 2, 3)), part([2, 1, 1], floats(2, 1)), [1, 0, null]);
  assert.deepEqual([...change.values], [0, 0, 0]);
  assert.deepEqual([...kinds.values], [SAME, SAME, NEW]);
});

test("parts and thinned parts meet at the places they share", () => {
  const own = part([1, 1, 3], floats(4, 6, 8), { start: [0, 2, 4], step: [1, 1, 2] });
  const other = part([1, 2, 2], floats(0, 0, 3, 6), { start: [0, 1, 4], step: [1, 1, 2] });
  assert.deepEqual([...differenceOf(own, other, null)[1].values], [OTHER, SAME, NEW]);
});

test("a scalar is one cell", () => {
  assert.deepEqual([...differenceOf(part([], floats(2)), part([], floats(1)), null)[0].values], [1]);
});

test("rows belong together when one prefix begins with the other", () => {
  const row = (sentence, ...ids) => ({ sentence, prefix: ids.map((id) => ({ id })) });
  assert.deepEqual(rowsThere([row(0, 1, 5, 6), row(0, 1, 7, 6), row(1, 1, 5, 6)], [row(0, 1, 7), row(0, 1, 5), row(1, 1, 9)]), [1, 0, null]);
  assert.deepEqual(rowsThere([row(0, 1, 5)], [row(0, 1, 7, 8), row(0, 1, 5, 8)]), [1]);
});

test("the step before goes along, another step stays, and leaving the decoding forgets it", () => {
  const decoding = { id: "a" };
  assert.deepEqual(keepCompare({ decoding, step: 4, compare: 3 }, { step: 5 }), { step: 5, compare: 4 });
  assert.deepEqual(keepCompare({ decoding, step: 4, compare: 1 }, { step: 5 }), { step: 5 });
  assert.deepEqual(keepCompare({ decoding, step: 1, compare: 0 }, { step: 0 }), { step: 0, compare: 0 });
  assert.deepEqual(keepCompare({ decoding, step: 0, compare: 0 }, { step: 1 }), { step: 1, compare: 0 });
  assert.deepEqual(keepCompare({ decoding, step: 4, compare: 3 }, { decoding: null, step: null }), { decoding: null, step: null, compare: null });
  assert.deepEqual(keepCompare({ decoding, step: 4, compare: null }, { step: 5 }), { step: 5 });
});

test("a change is written with its sign, a mask's in words", () => {
  const signed = { kind: "signed", bound: 1, blocked: false };
  const mask = { kind: "mask", bound: 1, blocked: false };
  assert.equal(changeText(0.5, signed), "+0.50");
  assert.equal(changeText(-1e-7, signed), "−1e−7");
  assert.equal(changeText(-1, mask), "blocked");
  assert.equal(changeText(1, { kind: "id", bound: 1, blocked: false }), "≠");
  assert.deepEqual([changeInFull(NEW, NaN, signed), changeInFull(SAME, 0, signed), changeInFull(OTHER, 0.125, signed), changeInFull(OTHER, -1, mask)], ["new", "same", "+0.125", "blocked"]);
  assert.equal(changeWords({ kind: OTHER, change: 0.25, before: 0.5 }, 4, signed), "; in step 5 it is 0.5, a difference of +0.25");
  assert.equal(changeWords({ kind: OTHER, change: -1, before: 1 }, 4, mask), "; in step 5 it is allowed");
  assert.equal(changeWords({ kind: SAME, change: 0, before: 1 }, 4, signed), "; the same bits in step 5");
  assert.equal(changeWords({ kind: NEW, change: 0, before: NaN }, 4, signed), "; new: step 5 has no such cell");
});
