import assert from "node:assert/strict";
import { test } from "node:test";

import { fewer } from "../../static/js/decode/cache-bars.js";
import { cellOfPlace, logitsOf, pairOf } from "../../static/js/decode/cache-places.js";
import { opened } from "../../static/js/panels/open.js";
import { sameBest } from "../../static/js/decode/cache-words.js";

const block = "decoder.layers.0.self_attn";
const model = { tensors: [
  { name: `${block}.scores`, block, kind: "dot", reads: [`${block}.q`, `${block}.k`] }, { name: `${block}.heads`, block, kind: "mix", reads: [`${block}.weights`, `${block}.v`] },
  { name: "log_probs", block: "", kind: "log_softmax", reads: ["logits"] },
] };
const keys = { name: `${block}.k`, axes: ["batch", "head", "key", "d_k"], over: ["batch", "head", "tgt", "d_k"], shape: [2, 4, 5, 16] };
const trace = { records: [keys, { ...keys, name: `${block}.v` }, { ...keys, name: `${block}.q` }, { name: "logits" }] };

test("keys are what the scores read last, values what is mixed, logits what becomes log-probabilities", () => {
  assert.deepEqual(pairOf(trace, model, block).map(({ name }) => name), [`${block}.k`, `${block}.v`]);
  assert.deepEqual(pairOf(trace, model, "encoder"), []);
  assert.equal(logitsOf(trace, model)?.name, "logits");
});

test("a place's row begins in the chosen head", () => {
  assert.deepEqual(cellOfPlace(keys, { head: 2, batch: 0 }, 1, 3), [1, 2, 3, 0]);
  assert.deepEqual(cellOfPlace(keys, { head: 9 }, 0, 4), [0, 3, 4, 0]);
  assert.deepEqual(opened(keys, [0, 0, 0, 0]), { tensor: keys.name, cell: [0, 0, 0, 0] });
});

test("how many times fewer, in words", () => {
  assert.equal(fewer(872512, 89536), "9.7 times fewer");
  assert.equal(fewer(100, 100), "as many");
  assert.equal(fewer(100, 150), "1.5 times as many");
  assert.equal(fewer(0, 0), "");
});

test("whether keeping changed a choice", () => {
  assert.equal(sameBest({ changed: 0, positions: 7 }), "The best token is the same at all 7 positions.");
  assert.equal(sameBest({ changed: 1, positions: 7 }), "At 1 of 7 positions another token is best.");
});
