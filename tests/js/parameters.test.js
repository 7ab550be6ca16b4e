import assert from "node:assert/strict";
import { test } from "node:test";

import { changed, dropSizes, readSizes, writeSizes } from "../../static/js/core/sizes.js";
import { apart } from "../../static/js/training/parameters-paper.js";
import { bySize, openAtFirst, treeLines } from "../../static/js/training/parameters-rows.js";

const part = (name, title, parts = []) => ({ name, kind: title, title, says: "", mixes: false, inputs: {}, tensors: [], parts });
const layer = (i) => part(`encoder.layers.${i}`, "layer", [part(`encoder.layers.${i}.feed_forward`, "feed-forward"), part(`encoder.layers.${i}.feed_forward_residual`, "add & norm", [part(`encoder.layers.${i}.feed_forward_residual.norm`, "norm")])]);
const each = [
  { name: "src_embed.table", count: 40, formula: "5·8", share: 0.5, shared_with: ["generator.w"] },
  ...[0, 1].flatMap((i) => [
    { name: `encoder.layers.${i}.feed_forward.w_1`, count: 16, formula: "2·8", share: 0.2, shared_with: [] },
    { name: `encoder.layers.${i}.feed_forward_residual.norm.gain`, count: 4, formula: "4", share: 0.05, shared_with: [] },
  ]),
];
const model = /** @type {any} */ ({
  id: "m", config: { d_model: 8, n_heads: 2 }, tensors: each.map(({ name, shared_with }) => ({ name, reads: [], feeds: [], shared_with })),
  tree: part("", "model", [part("masks", "masks"), part("src_embed", "embedding"), part("encoder", "encoder", [layer(0), layer(1)]), part("generator", "linear")]),
  parameters: {
    total: 80, each, blocks: each.map(({ name, count, formula }) => ({ name: name.slice(0, name.lastIndexOf(".")), count, formula })),
    parts: {
      "": 80, src_embed: 40, encoder: 40, generator: 0,
      ...Object.fromEntries([0, 1].flatMap((i) => [[`encoder.layers.${i}`, 20], [`encoder.layers.${i}.feed_forward`, 16], [`encoder.layers.${i}.feed_forward_residual`, 4], [`encoder.layers.${i}.feed_forward_residual.norm`, 4]])),
    },
  },
});

test("the table opens with the stacks' layers closed and a shared table at each of its places", () => {
  const lines = treeLines(model, openAtFirst(model));
  assert.deepEqual(lines.map(({ kind, title, depth }) => [kind, title, depth]), [
    ["part", "source embedding", 0], ["parameter", "table", 1], ["part", "encoder", 0], ["part", "layer 1", 1], ["part", "layer 2", 1], ["part", "linear", 0], ["again", "w", 1],
  ]);
  assert.deepEqual(lines.map(({ count }) => count), [40, 40, 40, 20, 20, 0, 40]);
  assert.deepEqual(lines[1].places, ["source embedding", "linear"]);
  assert.equal(lines.at(-1)?.opens, "src_embed.table");
});

test("a stack says how many equal layers make it", () => {
  const [, , encoder] = treeLines(model, openAtFirst(model));
  assert.equal(encoder.formula, "2 × 20");
});

test("a part that only wraps another one opens what is inside", () => {
  const lines = treeLines(model, new Set(["encoder", "encoder.layers.0", "encoder.layers.0.feed_forward_residual"]));
  const wrapped = lines.filter(({ name }) => name.startsWith("encoder.layers.0.feed_forward_residual"));
  assert.deepEqual(wrapped.map(({ kind, formula, depth }) => [kind, formula, depth]), [["part", "4", 2], ["parameter", "4", 3]]);
});

test("by size the largest stands first, and nothing counts twice", () => {
  const lines = bySize(model);
  assert.deepEqual(lines.map(({ count }) => count), [40, 16, 16, 4, 4]);
  assert.equal(lines.reduce((sum, { count }) => sum + count, 0), model.parameters.total);
});

test("only sizes that are not the run's are being chosen", () => {
  assert.deepEqual(changed(model, { d_model: 16, n_heads: 2 }), { d_model: 16 });
  assert.equal(changed(model, { d_model: 8 }), null);
});

test("sizes stand in an address and come back from it", () => {
  for (const sizes of ["paper", { d_model: 16, n_heads: 4 }, null]) assert.deepEqual(readSizes(writeSizes(/** @type {any} */ (sizes))), sizes);
  for (const text of ["", "d_model", "d_model:", "d_model:x", "d_model:16,", "a:1;b:2", "d_model:99999999"]) assert.equal(readSizes(text), null, text);
});

test("sizes being chosen go with their model, and a decoding has none", () => {
  const before = /** @type {any} */ ({ sizesOf: { d_model: 16 }, model: { id: "tiny" } });
  assert.equal(dropSizes(before, /** @type {any} */ ({ model: { id: "small" } })).sizesOf, null);
  assert.equal(dropSizes(before, /** @type {any} */ ({ decoding: { id: "x" } })).sizesOf, null);
  assert.equal("sizesOf" in dropSizes(before, /** @type {any} */ ({ model: { id: "tiny" } })), false);
  assert.equal("sizesOf" in dropSizes({ ...before, sizesOf: "paper" }, /** @type {any} */ ({ model: { id: "small" } })), false);
});

test("how far the paper's count is away is said in words", () => {
  const counted = { name: "base", printed: 65e6, counted: 0, rows: /** @type {[number, number]} */ ([1, 2]) };
  assert.deepEqual([1880504, -1282376, 0].map((difference) => apart({ ...counted, difference })), ["1 880 504 fewer", "1 282 376 more", "the same"]);
});
