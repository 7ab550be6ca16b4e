import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange } from "../../static/js/tensor/arrange.js";
import { rowSums, slabOf, valueAt } from "../../static/js/tensor/slab.js";
import { cellAt, inView, moved, revealing, stepOf, whole, zoomed } from "../../static/js/tensor/span.js";
import { indexText, runs, thinningWords } from "../../static/js/tensor/tiles.js";

const weights = { axes: ["batch", "head", "query", "key"], over: ["batch", "head", "tgt", "src"], shape: [2, 2, 2, 3] };
const large = { axes: ["in", "out"], over: ["d_model", "d_ff"], shape: [2048, 2048] };

/** @param {object} record @param {object} spans */
function slices(record, { rows, columns }, places = record.shape.map(() => 0), alone = null) {
  return runs(rows).flatMap((row) => runs(columns).map((column) => indexText(record, arrange(record), { places, alone, rows: row, columns: column })));
}

test("a small tensor comes whole in one request, all sentences and heads with it", () => {
  assert.deepEqual(slices(weights, { rows: whole(2, 60, 30), columns: whole(3, 150, 54) }), [""]);
});

test("2048 by 2048 in a window comes thinned in one request", () => {
  assert.deepEqual(slices(large, { rows: whole(2048, 440, 30), columns: whole(2048, 450, 54) }), ["in:0-2048/8,out:0-2048/8"]);
});

test("zoomed in, only the tiles in view are asked for, and all cells of them", () => {
  const spans = { rows: zoomed(whole(4096, 440, 30, 30), 1e6, 220), columns: zoomed(whole(4096, 450, 54, 54), 1e6, 225) };
  assert.equal(stepOf(spans.rows), 1);
  assert.equal(spans.rows.px, 30);
  const asked = slices({ ...large, shape: [4096, 4096] }, spans);
  assert.ok(asked.length <= 4);
  assert.ok(asked.every((index) => /^in:(1536-2048|2048-2560),out:(1536-2048|2048-2560)$/.test(index)), asked.join(" "));
});

test("the last tile ends where the tensor ends", () => {
  assert.deepEqual(runs(moved(zoomed(whole(700, 400, 20, 20), 1e6, 0), 699)), [{ start: 512, stop: 700, step: 1 }]);
});

test("a large tensor with sentences and heads comes one sentence at a time, and one head when it stands alone", () => {
  const record = { ...weights, shape: [4, 8, 128, 128] };
  const spans = { rows: whole(128, 440, 30), columns: whole(128, 450, 54) };
  assert.deepEqual(slices(record, spans, [2, 0, 0, 0]), ["batch:2"]);
  assert.deepEqual(slices(record, spans, [2, 5, 0, 0], 5), ["batch:2,head:5"]);
});

test("thinning is said in words", () => {
  assert.equal(thinningWords(1, 1), "");
  assert.equal(thinningWords(4, 4), "every 4th cell, both ways");
  assert.equal(thinningWords(2, 128), "every second row, every 128th column");
});

test("a window never leaves the tensor", () => {
  const span = zoomed(whole(1000, 400, 20, 20), 8, 200);
  assert.ok(span.offset >= 0 && span.offset + span.room / span.px <= 1000 + 1e-9);
  assert.equal(moved(span, -1e9).offset, 0);
  assert.equal(inView(moved(span, 1e9))[1], 1000);
  assert.deepEqual(inView(whole(1000, 400, 20)), [0, 1000]);
});

test("what lies under the pointer stays there while zooming", () => {
  const before = zoomed(whole(4096, 400, 20, 20), 40, 200);
  const after = zoomed(before, 1.5, 123);
  assert.ok(Math.abs(before.offset + 123 / before.px - (after.offset + 123 / after.px)) < 1e-6);
});

test("a thinned cell stands for the first of its group", () => {
  const span = whole(2048, 256, 30);
  assert.equal(stepOf(span), 8);
  assert.equal(cellAt(span, 0), 0);
  assert.equal(cellAt(span, 1.5), 8);
  assert.equal(cellAt(span, 256), null);
});

test("revealing a cell moves the window no further than needed", () => {
  const span = zoomed(whole(100, 300, 10, 30), 10, 0);
  assert.equal(revealing(span, 3), span);
  assert.equal(revealing(span, 10).offset, 1);
  assert.equal(revealing(moved(span, 50), 20).offset, 20);
});

test("a slab finds its matrix among sentences and heads without copying", () => {
  const values = { values: Float32Array.from({ length: 24 }, (_, i) => i), axes: weights.axes, shape: weights.shape, start: [0, 0, 0, 0], step: [1, 1, 1, 1] };
  const slab = slabOf(values, { row: "query", column: "key" }, { batch: 1, head: 0 });
  assert.equal(slab.data, values.values);
  assert.equal(valueAt(slab, 0, 0), 12);
  assert.equal(valueAt(slab, 1, 2), 17);
  assert.equal(valueAt(slab, 2, 0), undefined);
  assert.deepEqual(rowSums(slab), [12 + 13 + 14, 15 + 16 + 17]);
});

test("a slab of a thinned slice knows which cells of the whole it holds", () => {
  const values = { values: Float32Array.of(1, 2, 3, 4), axes: ["in", "out"], shape: [2, 2], start: [8, 0], step: [4, 16] };
  const slab = slabOf(values, { row: "in", column: "out" }, {});
  assert.equal(valueAt(slab, 12, 16), 4);
  assert.equal(valueAt(slab, 13, 16), undefined);
});

test("a list and a single number are matrices too", () => {
  const list = slabOf({ values: Float32Array.of(1, 2), axes: ["out"], shape: [2], start: [0], step: [1] }, { row: null, column: "out" }, {});
  assert.deepEqual([list.rows, list.columns, valueAt(list, 0, 1)], [1, 2, 2]);
  const number = slabOf({ values: Float32Array.of(5), axes: [], shape: [], start: [], step: [] }, { row: null, column: null }, {});
  assert.equal(valueAt(number, 0, 0), 5);
});
