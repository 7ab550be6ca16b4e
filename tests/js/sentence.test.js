import assert from "node:assert/strict";
import test from "node:test";

import { fitted, sentencesOf } from "../../static/js/core/recipes.js";
import { tokenSays, visible } from "../../static/js/core/tokens.js";
import { crossWeights, headAxis, mapOf } from "../../static/js/decode/cross.js";
import { cellAt, plan } from "../../static/js/decode/map.js";
import { ahead, ending, sureness } from "../../static/js/decode/words.js";
import { isRun } from "../../static/js/sentence/said.js";
import { titleOf } from "../../static/js/shell/title.js";

const part = (name, kind, parts = []) => ({ name, kind, title: `the ${name}`, says: "", mixes: false, inputs: {}, tensors: [], parts });
const token = (text, id, more = {}) => ({ id, text, special: false, unknown: false, pad: false, ...more });
const model = {
  id: "m", title: "M", unit: "word",
  examples: [{ title: "e", src: ["a b"], tgt: ["c d"] }],
  tree: part("", "Transformer", [part("enc", "MultiHeadAttention"), part("dec", "MultiHeadAttention")]),
  tensors: [
    { name: "enc.weights", kind: "softmax", block: "enc", parameter: false }, { name: "dec.weights", kind: "softmax", block: "dec", parameter: false },
    { name: "dec.w", kind: "parameter", block: "dec", parameter: true, shape: [4, 4] },
  ],
};
const trace = {
  id: "t", recipe: { model: "m", src: ["a b"], tgt: ["c d"] }, sizes: { batch: 1, head: 2, src: 5, tgt: 3 },
  tokens: { src: [[]], tgt: [[token("<start>", 1, { special: true }), token("c", 5), token("<pad>", 0, { special: true, pad: true })]], labels: null },
  records: [
    { name: "enc.weights", axes: ["batch", "head", "query", "key"], over: ["batch", "head", "src", "src"], shape: [1, 2, 5, 5] },
    { name: "dec.weights", axes: ["batch", "head", "query", "key"], over: ["batch", "head", "tgt", "src"], shape: [1, 2, 3, 5] },
  ],
};
const view = { at: "", tensor: null, cell: null, index: {} };

test("a new trace keeps the view as far as it has it", () => {
  const kept = fitted(trace, model, { at: "dec:dot", tensor: "dec.weights", cell: [0, 1, 2, 4], index: { head: 1 } });
  assert.deepEqual([kept.at, kept.tensor, kept.cell, kept.index], ["dec:dot", "dec.weights", [0, 1, 2, 4], { head: 1 }]);
  const lost = fitted(trace, model, { at: "gone", tensor: "gone.weights", cell: [0, 0, 0, 0], index: { head: 2, batch: 0 } });
  assert.deepEqual([lost.at, lost.tensor, lost.cell, lost.index], ["", null, null, { batch: 0 }]);
  assert.equal(fitted(trace, model, { ...view, tensor: "dec.weights", cell: [0, 1, 3, 4] }).cell, null);
  assert.deepEqual(fitted(trace, model, { ...view, tensor: "dec.w", cell: [3, 3] }).cell, [3, 3]);
});

test("a trace made from a prefix finds its target again", () => {
  const made = { ...trace, recipe: { model: "m", src: ["a b"], prefix: [[1, 5]] } };
  const nothing = { model: "m", src: [], tgt: [] };
  assert.deepEqual(sentencesOf(made, model, { model: "m", src: ["a b"], tgt: ["typed"] }).tgt, ["typed"]);
  assert.deepEqual(sentencesOf(made, model, nothing).tgt, ["c d"]);
  const other = { ...made, recipe: { ...made.recipe, src: ["x"] } };
  assert.deepEqual(sentencesOf(other, model, nothing, ["so far"]).tgt, ["so far"]);
  assert.deepEqual(sentencesOf(other, model, nothing), { model: "m", src: ["x"], tgt: ["c"] });
});

test("a target for each sentence, though a beam has several rows for one: that of its best", () => {
  const beam = { ...trace, recipe: { model: "m", src: ["x", "y"], prefix: [[1], [1], [1]], rows: [0, 0, 1] } };
  assert.deepEqual(sentencesOf(beam, model, { model: "m", src: [], tgt: [] }, ["best of x", "second of x", "best of y"]).tgt, ["best of x", "best of y"]);
});

test("what was typed and what was run are told apart", () => {
  assert.ok(isRun({ model: "m", src: ["a b"], tgt: ["c d"] }, trace.recipe));
  assert.ok(!isRun({ model: "m", src: ["a b"], tgt: ["c"] }, trace.recipe));
  assert.ok(isRun({ model: "m", src: ["a b"], tgt: ["anything"] }, { model: "m", src: ["a b"], prefix: [[1]] }));
});

test("blanks can be seen, and a token says what it is", () => {
  assert.deepEqual([" ", "\n", "a b", ""].map(visible), ["␣", "⏎", "a b", "∅"]);
  assert.match(tokenSays(token("fish", 0, { unknown: true })), /“fish” is not a token/);
  assert.match(tokenSays(token("<b>", 7)), /“<b>”, id 7/);
});

test("cross-attention is where rows and columns run over different sequences", () => {
  assert.deepEqual(crossWeights(trace, model).map(({ name }) => name), ["dec.weights"]);
  assert.equal(headAxis(trace.records[1]), 1);
});

test("a map is one head, or the average over the heads", () => {
  const values = Float32Array.of(1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75);
  assert.deepEqual([...mapOf(values, [2, 2, 2], 1)], [0, 1, 0.25, 0.75]);
  assert.deepEqual([...mapOf(values, [2, 2, 2], null)], [0.5, 0.5, 0.375, 0.625]);
});

test("a map of 3 target and 5 source tokens has 3 rows and 5 columns, and repeated words stay apart", () => {
  const labels = (/** @type {string[]} */ ...texts) => texts.map((text) => ({ text, faint: false }));
  const picture = { rows: labels("the", "cat", "the"), columns: labels("a", "b", "a", "b", "a"), values: new Float64Array(15), rowColour: "", columnColour: "", at: null, chosen: null };
  const place = plan(picture, { width: 300, height: 300 }, (text) => text.length * 7);
  assert.equal(place.width, place.left + 5 * place.cell + 2);
  assert.equal(place.height, place.top + 3 * place.cell + 2);
  assert.deepEqual(cellAt(place, picture, place.left + 4.5 * place.cell, place.top + 2.5 * place.cell), [2, 4]);
  assert.equal(cellAt(place, picture, place.left - 2, place.top + 1), null);
  assert.equal(cellAt(place, picture, place.left + 5 * place.cell + 1, place.top + 1), null);
});

test("a step says how sure it was and why it ends", () => {
  const row = { prefix: [token("<start>", 1), token("a", 5)], chosen: token("<end>", 2), log_prob: -0.004008, probability: 0.996, margin: 5.5, draw: null, top: [{}, {}], text: "a", done: false, reason: "end" };
  assert.equal(sureness(row), "99.6 % · log p −0.004");
  assert.equal(ahead(row), "logit 5.50 above the next");
  assert.match(ending(row, 1) ?? "", /end token/);
  assert.match(ending({ ...row, reason: "length" }, 11) ?? "", /length limit 12/);
  assert.equal(ending({ ...row, reason: null }, 1), null);
  const pad = token("<pad>", 0, { pad: true });
  assert.match(ending({ ...row, prefix: [...row.prefix, token("<end>", 2), pad, pad], reason: null, done: true }, 4) ?? "", /Ended with step 2/);
});

test("the title says what is on screen", () => {
  assert.equal(titleOf({ trace: null, model: null, at: "", tensor: null, step: null }), "Glassformer");
  assert.equal(titleOf({ trace, model, at: "", tensor: null, step: null }), "a b · M · Glassformer");
  assert.equal(titleOf({ trace, model, at: "enc:dot", tensor: null, step: 2 }), "the enc · step 3 · a b · M · Glassformer");
  assert.equal(titleOf({ trace, model, at: "", tensor: "dec.weights", step: null }), "weights · the dec · a b · M · Glassformer");
});
