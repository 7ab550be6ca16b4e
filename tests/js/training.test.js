import assert from "node:assert/strict";
import { test } from "node:test";

import { newestWins } from "../../static/js/training/loss-ask.js";
import { drawn, length, levelWords, marks, ways } from "../../static/js/training/loss-words.js";
import { namesOf } from "../../static/js/training/sheet-places.js";
import { seesWords } from "../../static/js/training/sheet-strip.js";
import { lead, paddingWords, readings, readingWords, rightWords } from "../../static/js/training/sheet-words.js";

const token = (text, id = 3) => ({ id, text, special: false, unknown: false, pad: false });
const leak = (weight, cell) => ({ name: "decoder.layers.0.self_attn.weights", cell, weight });
const place = (more) => ({ fed: token("a"), sees: [0], label: token("dog"), counted: true, predicted: token("dog"), right: true, probability: 0.5, log_prob: -0.7, surprisal: 0.7, term: 0.7, share: 0.5, leak: null, ...more });
const sheet = (sentences, more) => ({ src: [], sentences, total: 6, count: 3, mean: 2, sentence_means: [1.5, 3], mean_of_means: 2.25, untrained: 1.609, floor: 0, unshifted: false, ...more });

test("the lead says what goes in, why it is fair, and that all positions go at once", () => {
  assert.match(lead(sheet([[place(), place()]]), 0), /one place late.*hides every later position.*all 2 positions are predicted in one pass/);
  assert.match(lead(sheet([[place({ leak: leak(0.5, [0, 0, 0, 1]) })]]), 0), /the answer can be read; the one position is predicted in one pass/);
  assert.match(lead(sheet([[place()]], { unshifted: true }), 0), /fed the target itself/);
});

test("looks at the own label come with the strongest first, and padding has none", () => {
  const found = readings(sheet([[place({ leak: leak(0.2, [0, 0, 0, 1]) }), place({ leak: leak(0.6, [0, 1, 1, 2]) })], [place({ leak: leak(0.9, [1, 0, 0, 1]), counted: false })]]));
  assert.deepEqual(found.map(({ position }) => position), [1, 0]);
  assert.equal(readingWords(found[0], true), "Sentence 1, position 1 looks at its own label “dog”, fed at position 2");
  assert.equal(readingWords({ ...found[0], leak: leak(1, [0, 0, 1, 1]) }, false), "Position 1 looks at its own label “dog”, fed to it");
});

test("padding is left out of the words and of the count", () => {
  const places = [place(), place({ right: false }), place({ counted: false, right: false })];
  assert.equal(rightWords(places), "1 of 2 right");
  assert.equal(paddingWords(sheet([places], { count: 2 })), "2 labels count; 1 is padding and adds 0 to the sum, and nothing to the count.");
  assert.equal(paddingWords(sheet([[place()]], { count: 1 })), "1 label counts; nothing is padding.");
});

test("what a position sees is a range, a number of places, or all", () => {
  assert.equal(seesWords([0, 1, 2], 5), "sees positions 0 to 2 of 5");
  assert.equal(seesWords([0], 5), "sees position 0 alone");
  assert.equal(seesWords([0, 2], 5), "sees 2 of 5 positions");
  assert.equal(seesWords([0, 1], 2), "sees all 2 positions");
  assert.equal(seesWords([], 2), "sees nothing");
});

test("three ways to one number, of which one is trained on", () => {
  const found = ways(sheet([]));
  assert.deepEqual(found.map(({ how }) => how), ["all terms, added", "6.000 ÷ 3 tokens", "(1.500 + 3.000) ÷ 2"]);
  assert.match(found[1].says, /trained on/);
  assert.match(ways(sheet([], { sentence_means: [1, 2, 3, 4, 5] }))[2].how, /^\(1\.000 \+ 2\.000 \+ 3\.000 \+ …\) ÷ 5$/);
});

test("the scale holds floor, loss and the untrained level, and words say where the loss is", () => {
  const { most, now, untrained, floor } = marks(sheet([]));
  assert.ok(most > 2 && now > untrained && floor === 0);
  assert.equal(marks(sheet([], { mean: "NaN" })).now, null);
  assert.match(levelWords(sheet([])), /above the untrained level.*floor is 0/);
  assert.match(levelWords(sheet([], { mean: 0.5, floor: 0.46 })), /close to the least.*0\.460 and not 0/);
  assert.match(levelWords(sheet([], { mean: 1 })), /between/);
});

test("of a large vocabulary the label, the chosen token and the likeliest are drawn", () => {
  const row = { tokens: [4, 7, 9, 11], likely: [0.1, 0.2, 0.6, 0.1], must: [11, 4], most: 3 };
  assert.deepEqual(drawn(row), [3, 0, 2]);
  assert.deepEqual(drawn({ ...row, most: 4 }), [0, 1, 2, 3]);
});

test("bars are shares, or powers of ten down to a millionth", () => {
  assert.equal(length(0.25, false), 0.25);
  assert.equal(length(1, true), 1);
  assert.ok(Math.abs(length(1e-3, true) - 0.5) < 1e-9);
  assert.equal(length(0, true), 0);
  assert.equal(length(1e-9, true), 0);
});

test("one question is in flight, and of those that wait only the newest is asked", async () => {
  const asked = [];
  const told = [];
  const open = [];
  const ask = newestWins((question) => new Promise((resolve) => { asked.push(question); open.push(resolve); }), (answer) => told.push(answer), assert.fail);
  for (const question of [1, 2, 3]) ask(question);
  assert.deepEqual(asked, [1]);
  open[0]("one");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(asked, [1, 3]);
  open[1]("three");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(told, ["three"]);
});

test("a question that fails does not stop the next", async () => {
  const failed = [];
  const told = [];
  const ask = newestWins(async (question) => { if (question === 1) throw new Error("no"); return question; }, (answer) => told.push(answer), (error) => failed.push(error));
  ask(1);
  await new Promise((resolve) => setTimeout(resolve));
  ask(2);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(failed.length, 1);
  assert.deepEqual(told, [2]);
});

test("the tensors of a training step are found by their kinds", () => {
  const tensor = (name, kind, reads, over) => ({ name, kind, reads, over, axes: over, block: name.split(".").slice(0, -1).join(".") });
  const tensors = [
    tensor("logits", "same", [], ["batch", "tgt", "vocab"]), tensor("log_probs", "log_softmax", ["logits"], ["batch", "tgt", "vocab"]), tensor("probs", "exp", ["log_probs"], ["batch", "tgt", "vocab"]),
    tensor("a.masked", "mask", ["a.scores", "masks.src"], ["batch", "head", "tgt", "src"]), tensor("b.masked", "mask", ["b.scores", "masks.tgt"], ["batch", "head", "tgt", "tgt"]),
    tensor("loss.total", "total", ["loss.terms"], []), tensor("loss.count", "total", ["loss.counted"], []), tensor("loss.mean", "divide", ["loss.total", "loss.count"], []),
  ];
  const found = namesOf({ records: [...tensors, { name: "masks.tgt" }] }, { tensors });
  assert.deepEqual(found, { logits: "logits", log_probs: "log_probs", probs: "probs", mask: "masks.tgt", total: "loss.total", count: "loss.count", mean: "loss.mean" });
});
