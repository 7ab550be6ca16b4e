import assert from "node:assert/strict";
import test from "node:test";

import { readAddress, writeAddress } from "../../static/js/core/address.js";
import { initialState } from "../../static/js/core/store.js";
import { backTo, followed, keepTrail, named, numbered, standing } from "../../static/js/core/trail.js";
import { decimalsFor, difference, inFull, written } from "../../static/js/explain/numbers.js";
import { saidAbove, shortCell } from "../../static/js/explain/labels.js";
import { bars, inOrder, joined, tableOf } from "../../static/js/explain/table.js";
import { blocksAlong } from "../../static/js/explain/trail.js";

const trace = /** @type {any} */ ({ id: "eyJ", records: [{ name: "ids", shape: [2, 3] }, { name: "scores", shape: [2, 4, 3, 3] }, { name: "weights", shape: [2, 4, 3, 3] }, { name: "mean", shape: [] }] });

/** @param {Partial<import("../../static/js/core/store.js").State>} patch */
const state = (patch) => ({ ...initialState(), trace, ...patch });

test("following an operand remembers the cell one came from", () => {
  const here = state({ tensor: "weights", cell: [0, 1, 1, 2] });
  const there = { ...here, ...followed(here, { name: "scores", cell: [0, 1, 1, 0] }) };
  assert.deepEqual(there.trail, [{ name: "weights", cell: [0, 1, 1, 2] }]);
  assert.deepEqual([there.tensor, there.cell], ["scores", [0, 1, 1, 0]]);
});

test("a single number needs no chosen cell to be left a trail from", () => {
  const { trail } = followed(state({ tensor: "mean" }), { name: "weights", cell: [0, 0, 0, 0] });
  assert.deepEqual(trail, [{ name: "mean", cell: [] }]);
  assert.equal(standing(state({ tensor: "weights", cell: null })), null);
});

test("a trail keeps the last 32 cells", () => {
  let now = state({ tensor: "weights", cell: [0, 0, 0, 0] });
  for (let i = 0; i < 40; i++) now = { ...now, ...followed(now, { name: i % 2 ? "weights" : "scores", cell: [0, 0, 0, i % 3] }) };
  assert.equal(now.trail.length, 32);
});

test("going back cuts the trail where one goes to", () => {
  const trail = [{ name: "mean", cell: [] }, { name: "weights", cell: [0, 1, 1, 2] }];
  assert.deepEqual(backTo(state({ trail }))?.trail, trail.slice(0, 1));
  assert.deepEqual([backTo(state({ trail }), 0)?.tensor, backTo(state({ trail }), 0)?.trail], ["mean", []]);
  assert.equal(backTo(state({})), null);
});

test("a trail ends where anything else is chosen, and stays for what leaves the cell alone", () => {
  const before = state({ tensor: "scores", cell: [0, 1, 1, 0], trail: [{ name: "weights", cell: [0, 1, 1, 2] }] });
  const others = [{ tensor: "ids", cell: null }, { cell: [0, 1, 1, 1] }, { cell: null }, { trace: { ...trace } }];
  for (const patch of others) assert.deepEqual(keepTrail(before, patch).trail, []);
  for (const patch of [{ at: "encoder" }, { cell: [0, 1, 1, 0] }, { step: 2 }]) assert.equal("trail" in keepTrail(before, patch), false);
});

test("a trail is part of the address, and what no longer fits the trace is left out", () => {
  const trail = [{ name: "mean", cell: [] }, { name: "weights", cell: [0, 1, 1, 2] }];
  const address = writeAddress(state({ tensor: "scores", cell: [0, 1, 1, 0], trail }));
  assert.match(address, /trail=3:,2:0\.1\.1\.2$/);
  const read = readAddress(new URL(address, "http://here")).trail;
  assert.deepEqual(read, numbered(trace, trail));
  assert.deepEqual(named(trace, read), trail);
  assert.deepEqual(named(trace, [{ at: 2, cell: [0, 1, 1, 3] }]), []);
  assert.deepEqual(readAddress(new URL("http://here/t/eyJ?trail=2:0.1,x")).trail, []);
});

test("a column has as many decimals as its largest needs, and whole numbers none", () => {
  assert.deepEqual([[0.31, -0.002], [2.7], [123.4], [0.0021], [1e-7], [3, 16], []].map(decimalsFor), [4, 4, 2, 6, 8, 0, 0]);
  assert.equal(written(1, { decimals: decimalsFor([1, 0.5]) }), "1.0000");
  assert.equal(written(-0.25), "−0.2500");
  assert.equal(written(3e-7), "3e−7");
  assert.equal(written(0), "0");
});

test("masks, infinities and ids have words", () => {
  assert.deepEqual([true, false].map((value) => written(value)), ["allowed", "blocked"]);
  assert.equal(written(false, { words: { yes: "counted", no: "left out" } }), "left out");
  assert.deepEqual(["-Infinity", "NaN", null].map((value) => written(value)), ["−∞", "NaN", "—"]);
  assert.equal(inFull("-Infinity"), "−∞");
  assert.equal(written(4, { text: " " }), "4 “␣”");
  assert.deepEqual([difference(0), difference(3.4e-8)], ["0", "3e−8"]);
});

/** @param {number[]} places @param {number[]} products @param {number[]} running @param {any} rest */
const answer = (places, products, running, rest) => tableOf(/** @type {any} */ ({
  count: 4, places, rest,
  operands: [{ name: "x", cell: [0, null], first: 1, shown: places.length }, { name: "b", cell: [2], first: 0, shown: 1 }],
  terms: [{ name: "b", cell: [2], value: 9 }, ...places.map((place) => ({ name: "x", cell: [0, place], value: place * 10 }))],
  columns: [{ title: "product", values: products, total: -3, running: false }, { title: "so far", values: running, total: null, running: true }],
}));

test("only what is run along is in the table", () => {
  const { lines } = answer([0, 1], [1, 2], [1, 3], null);
  assert.deepEqual(lines.map(({ operand, terms }) => [operand.name, terms.map(({ value }) => value)]), [["x", [0, 10]]]);
});

test("put in order, rows keep together and the running sum runs anew", () => {
  const table = inOrder(answer([3, 0, 2, 1], [-8, 4, 2, -1], [-8, -4, -2, -3], null));
  assert.deepEqual(table.places, [0, 1, 2, 3]);
  assert.deepEqual(table.lines[0].terms.map(({ value }) => value), [0, 10, 20, 30]);
  assert.deepEqual(table.columns.map(({ values }) => values), [[4, -1, 2, -8], [4, 3, 5, -3]]);
});

test("more rows follow those that are there, and what is left adds up to the total", () => {
  const first = answer([3, 0], [-8, 4], [-8, -4], { count: 2, totals: [1, null] });
  const three = joined(first, answer([2], [2], [-2], { count: 3, totals: [-5, null] }));
  assert.deepEqual(three.rest, { count: 1, totals: [-1, null] });
  const all = joined(three, answer([1], [-1], [-3], { count: 3, totals: [-2, null] }));
  assert.deepEqual([all.places, all.rest], [[3, 0, 2, 1], null]);
});

test("bars are shares of the longest, and what is not finite has none", () => {
  assert.deepEqual(bars([1, -2, "-Infinity", 0]), [0.5, -1, 0, 0]);
});

test("a place is named by the tokens of the cell's own sentence", () => {
  /** @param {string[]} texts */
  const row = (texts) => texts.map((text) => ({ text }));
  const context = /** @type {any} */ ({
    trace: { recipe: {}, tokens: { src: [row(["dog", "run"]), row(["cat", "<pad>"])] } }, model: {}, sentence: 0,
    record: { name: "masks.src_not_padding", axes: ["batch", "key"], over: ["batch", "src"], shape: [2, 2] },
  });
  const label = (/** @type {(number | null)[]} */ cell) => shortCell(context, cell).map(({ text }) => text).join("");
  assert.equal(label([1, 1]), "src not padding[sentence 2, <pad>]");
  assert.equal(label([0, null]), "src not padding[sentence 1, ·]");
  context.trace.recipe = { src: ["one", "two"], rows: [1, 1] };
  assert.equal(label([0, null]), "src not padding[row 1 (sentence 2), ·]");
  context.record = { ...context.record, axes: ["query", "key"], over: ["src", "src"] };
  assert.equal(label([0, 1]), "src not padding[dog, run]");
});

test("a table's heading leaves out the head and the sentence that the explanation is of, and nothing else", () => {
  const context = /** @type {any} */ ({
    trace: { recipe: {}, tokens: { tgt: [["dog", "run"], ["cat", "run"]].map((texts) => texts.map((text) => ({ text }))) } }, model: {}, sentence: 0,
    record: { name: "q", axes: ["batch", "head", "query", "d_k"], over: ["batch", "head", "tgt", "d_k"], shape: [2, 2, 2, 4] },
  });
  const heading = (/** @type {(number | null)[]} */ takes) => shortCell(context, [1, 0, 0, null], saidAbove({ over: ["batch", "head", "tgt", "src"] }, { takes })).map(({ text }) => text).join("");
  assert.equal(heading([0, 1, 2, null]), "q[cat, ·]");
  assert.equal(heading([0, -1, 2, null]), "q[head 1, cat, ·]");
});

test("a blank among the letters of a vocabulary has a mark", () => {
  const context = /** @type {any} */ ({ trace: { tokens: {} }, model: { vocabulary: [" ", "a"] }, sentence: 0, record: { name: "logits", axes: ["vocab"], over: ["vocab"], shape: [2] } });
  assert.equal(shortCell(context, [0]).map(({ text }) => text).join(""), "logits[␣]");
});

test("a way says which block each cell is in where that changes, and the layer where that changes", () => {
  const places = [["cross-attention", "decoder layer 2"], ["cross-attention", "decoder layer 2"], ["layer norm", "add & norm", "decoder layer 2"], ["add & norm", "decoder layer 1"], ["target embedding"], []];
  assert.deepEqual(blocksAlong(places), ["decoder layer 2 · cross-attention", "", "add & norm", "decoder layer 1 · add & norm", "target embedding", ""]);
});
