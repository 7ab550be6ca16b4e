import assert from "node:assert/strict";
import { test } from "node:test";

import { boundOf, constantsOf, headBound, keysOf, sideOf } from "../../static/js/explain/ancestry-rows.js";

const share = (values) => ({ name: "src_embed.embedded", over: "src", values, cells: values.map((_, place) => [0, place, 3]), total: 0 });

test("tokens stand in the order of the sentence, and those that add nothing are counted", () => {
  const side = sideOf(share([0.5, -2, 0, 0]));
  assert.deepEqual(side.rows.map(({ place, value }) => [place, value]), [[0, 0.5], [1, -2]]);
  assert.deepEqual(side.rows[1].hop, { name: "src_embed.embedded", cell: [0, 1, 3] });
  assert.deepEqual([side.left, side.rest, side.silent], [0, 0, 2]);
});

test("of many tokens those that add most are shown, and the others add up", () => {
  const side = sideOf(share([1, -5, 2, 3, -0.5]), 2);
  assert.deepEqual(side.rows.map(({ place }) => place), [1, 3]);
  assert.deepEqual([side.left, side.rest], [3, 2.5]);
});

test("the largest blocks of constants are shown, the others add up, and one is not left over alone", () => {
  const block = (value) => ({ block: "b", names: ["b.offset"], value });
  const { shown, left, rest, total } = constantsOf([5, -4, 3, 2].map(block), 2);
  assert.deepEqual([shown.map(({ value }) => value), left, rest, total], [[5, -4], 2, 5, 6]);
  assert.equal(constantsOf([5, -4, 3].map(block), 2).left, 0);
  assert.deepEqual(constantsOf([0, 0].map(block)).shown, []);
});

test("bars are as long as the largest part, whatever its sign, and never divided by nothing", () => {
  assert.equal(boundOf([sideOf(share([1, -3]))], [2]), 3);
  assert.equal(boundOf([sideOf(share([0, 0]))], []), 1);
});

test("a grid has the keys that any head takes something from, and one scale for all blocks", () => {
  const block = { block: "", heads: "", v: "", over: "tgt", values: [], cells: [], keys: [[0, 0.5, 0], [-2, 0, 0]] };
  assert.deepEqual(keysOf(block), [0, 1]);
  assert.equal(headBound([block, { ...block, keys: [["NaN", 1]] }]), 2);
});
