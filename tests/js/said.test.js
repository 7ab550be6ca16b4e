import assert from "node:assert/strict";
import test from "node:test";

import { oneSentence } from "../../static/js/core/sentences.js";
import { createStore, initialState } from "../../static/js/core/store.js";
import { caution } from "../../static/js/decode/words.js";
import { fieldOf, isEarlierTarget, roomTaken, said } from "../../static/js/sentence/said.js";

const token = (pad = false) => ({ id: 1, text: "a", special: false, unknown: false, pad });
const model = {
  id: "m", config: { max_length: 64, causal: true }, vocabulary: null, specials: [],
  examples: [{ title: "e", src: ["a b", "b"], tgt: ["c d", "d"] }],
};
const trace = {
  id: "t", model: "m", recipe: { model: "m", src: ["a b"], tgt: ["c d"] }, notices: [], sizes: { batch: 2, head: 2 },
  tokens: { src: [[token(), token(), token(true)]], tgt: [[]], labels: null },
  records: [{ name: "x.weights", axes: ["batch", "head"], over: ["batch", "head"], shape: [2, 2] }, { name: "x.code", axes: ["head"], over: ["head"], shape: [2] }],
};
const state = (patch = {}) => ({ ...initialState(), model, trace, input: trace.recipe, ...patch });
const problem = (where) => ({ code: "empty_input", message: "source 2 is empty", where, status: 422 });

test("a problem belongs to the sentence that it names", () => {
  assert.deepEqual(fieldOf(problem("src.1")), { side: "src", place: 1, named: true });
  assert.deepEqual(fieldOf(problem("tgt.0")), { side: "tgt", place: 0, named: true });
  assert.deepEqual(fieldOf(problem("tgt")), { side: "tgt", place: null, named: true });
  assert.deepEqual(fieldOf(problem("options.norm")), { side: "src", place: null, named: false });
  assert.equal(fieldOf(null), null);
  assert.deepEqual(said("tgt", state({ problem: problem("tgt.1") }), false), { kind: "problem", text: "Source 2 is empty." });
  assert.equal(said("src", state({ problem: problem("tgt.1") }), false).kind, "plain");
});

test("notices stand under the side that they are about", () => {
  const noticed = state({ trace: { ...trace, notices: ["Source 1: “x” is unknown", "Target 2: “y” is unknown.", "Target 2: “z” is unknown.", "Target 1: “z” is unknown."] } });
  assert.equal(said("src", noticed, false).text, "Source 1: “x” is unknown.");
  assert.equal(said("tgt", noticed, false).text, "Target 2: “y” is unknown. Target 2: “z” is unknown. And 1 more like this.");
});

test("what was changed and not run says so instead of the notices of the last run", () => {
  const typed = state({ trace: { ...trace, notices: ["Source 1: old", "Target 1: old"] }, input: { ...trace.recipe, src: ["a"] } });
  assert.match(said("src", typed, false).text, /^Changed, not run yet: press Enter/);
  assert.equal(said("tgt", typed, false).text, "Target 1: old.");
});

test("what was sent and has not come back waits, and is not called unrun", () => {
  const input = { ...trace.recipe, src: ["a"] };
  assert.match(said("src", state({ input, sent: input }), false).text, /^Sent, waiting for its turn/);
  assert.match(said("src", state({ input, sent: input }), false, true).text, /^Sent, waiting for the server/);
  assert.match(said("src", state({ input, sent: { ...input, src: ["b"] } }), false).text, /^Changed, not run yet/);
});

test("the sentences of a link that cannot be opened are not called the example's", () => {
  const input = { model: "m", src: ["a"], tgt: ["b"] };
  const closed = (patch = {}) => state({ trace: null, input, unopened: { id: "x", problem: problem("model"), asked: { src: ["a"], tgt: ["b"], whole: true }, input }, ...patch });
  assert.match(said("src", closed(), false).text, /^From the link, not run/);
  assert.equal(said("tgt", closed(), false).text, "");
  assert.equal(said("src", closed({ sent: input }), false).text, "Sent, waiting for its turn.");
  assert.equal(said("src", closed({ problem: problem("src.0") }), false).kind, "problem");
});

test("a source that alone was changed leaves a target of another source", () => {
  const with_ = (src, tgt) => isEarlierTarget(model, { model: "m", src: [src], tgt: [tgt] }, 0);
  assert.ok(!with_("a b", "c d"));
  assert.ok(with_("a", "c d"));
  assert.ok(!with_("a", "typed by hand"));
  assert.ok(!with_("", "c d"));
  assert.match(said("tgt", state(), true).text, /still that of the earlier source/);
});

test("without the causal mask nothing is said of tokens not seen yet", () => {
  assert.match(said("tgt", state(), false).text, /not seen yet/);
  for (const off of [state({ model: { ...model, config: { ...model.config, causal: false } } }), state({ trace: { ...trace, recipe: { ...trace.recipe, options: { causal: false } } } })]) {
    assert.match(said("tgt", off, false).text, /^Causal mask off: each position also sees later tokens, its own label among them\./);
  }
});

test("tokens are counted without padding, and only where they are those of the text", () => {
  assert.equal(roomTaken(model, trace, trace.recipe, 0), "2 of 64 tokens");
  assert.equal(roomTaken(model, trace, { ...trace.recipe, src: ["a b c"] }, 0), "at most 64 tokens");
  assert.equal(roomTaken(null, null, trace.recipe, 0), "");
});

test("a model that knows nothing, or cannot end, says so", () => {
  assert.equal(caution({ trained: true, specials: ["<pad>", "<end>"] }, { max_steps: 8 }), "");
  assert.equal(caution({ trained: false, specials: ["<pad>", "<end>"] }, { max_steps: 8 }), "Random weights: what it chooses means nothing.");
  assert.match(caution({ trained: false, specials: ["<pad>"] }, { max_steps: 8 }), /no end token, so it stops after 8 tokens\.$/);
});

test("the chosen sentence and that of the chosen cell are one", () => {
  const store = createStore(state({ tensor: "x.weights", cell: [0, 1], index: { batch: 0, head: 1 } }), oneSentence);
  store.set({ index: { batch: 1, head: 1 } });
  assert.deepEqual([store.get().cell, store.get().index], [null, { batch: 1, head: 1 }]);
  store.set({ cell: [0, 1] });
  assert.deepEqual([store.get().cell, store.get().index], [[0, 1], { batch: 0, head: 1 }]);
  store.set({ index: { batch: 1 }, cell: [1, 1] });
  assert.deepEqual([store.get().cell, store.get().index], [[1, 1], { batch: 1 }]);
  store.set({ tensor: "x.code", cell: [1] });
  assert.deepEqual([store.get().cell, store.get().index], [[1], { batch: 1 }]);
});
