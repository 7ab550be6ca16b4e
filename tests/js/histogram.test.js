import assert from "node:assert/strict";
import { test } from "node:test";

import { binned } from "../../static/js/tensor/bins.js";

test("every finite value is in one bin, the largest too", () => {
  const bins = binned(Float32Array.of(0, 1, 2, 3, 10), 5);
  assert.equal(bins.counts.reduce((a, b) => a + b), 5);
  assert.deepEqual(bins.edges, [0, 2, 4, 6, 8, 10, 12]);
  assert.deepEqual(bins.counts, [2, 2, 0, 0, 0, 1]);
});

test("infinities and NaN are counted apart", () => {
  const bins = binned([NaN, -Infinity, Infinity, 1, 2]);
  assert.equal(bins.finite, 2);
  assert.equal(bins.other, 3);
});

test("edges are round numbers, and zero is one of them when values lie on both sides", () => {
  const bins = binned(Float32Array.of(-0.731, 0.9, 0.113));
  assert.ok(bins.edges.some((edge) => edge === 0));
});

test("one value, or one value again and again, makes one bar", () => {
  for (const values of [[3.25], [3.25, 3.25, 3.25], [0, 0], [-7]]) {
    const bins = binned(values);
    assert.deepEqual(bins.counts, [values.length]);
    assert.ok(bins.edges[0] <= values[0] && values[0] <= bins.edges[1]);
  }
});

test("nothing finite makes no bars", () => {
  assert.deepEqual(binned([NaN, -Infinity]), { edges: [], counts: [], finite: 0, other: 2 });
});

test("ids come as 64-bit integers", () => {
  assert.deepEqual(binned(BigInt64Array.of(1n, 1n, 4n), 3).counts, [2, 0, 0, 1]);
});
