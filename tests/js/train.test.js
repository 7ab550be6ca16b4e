import assert from "node:assert/strict";
import { test } from "node:test";

import { runOf, sameModel } from "../../static/js/core/checkpoints.js";
import { nearest, niceTop, stepAt, thinned } from "../../static/js/training/train-chart.js";
import { whyUndefined } from "../../static/js/training/train-scores.js";
import { tidy } from "../../static/js/training/train-curves.js";
import { joined } from "../../static/js/training/train-feed.js";
import { decoded, tellingExample } from "../../static/js/training/train-fields.js";
import { placeOf } from "../../static/js/training/train-kept.js";
import { fieldFor, fieldsOf, recipeOf } from "../../static/js/training/train-recipe.js";
import { allowed, duration, estimate, inWords, judged, percentDone, progress, whose } from "../../static/js/training/train-words.js";

const task = { id: "copy", title: "Copy", steps: 100, batch: 8, rate: 0.002, options: { d_model: 8, bias: true, norm: "post" }, examples: [] };
const fields = fieldsOf(task, ["cosine", "paper"], [{ name: "norm", choices: ["post", "pre"], says: "where the norms stand" }]);
const run = (patch) => ({ id: "run-1", name: "Copy", state: "running", step: 420, steps: 2000, steps_per_second: 48, seconds_left: 33, seconds: 9, message: "", ...patch });

test("a checkpoint belongs to its training", () => {
  assert.equal(runOf("run-12ab@500"), "run-12ab");
  assert.equal(runOf("tiny"), null);
  assert.ok(sameModel("run-12ab@500", "run-12ab@0"));
  assert.ok(sameModel("tiny", "tiny"));
  assert.ok(!sameModel("tiny", "small"));
  assert.ok(!sameModel("run-12ab@500", "run-34cd@500"));
});

test("a recipe holds what was typed and is not there anyway", () => {
  assert.deepEqual(recipeOf(task, fields, {}), { task: "copy" });
  assert.deepEqual(recipeOf(task, fields, { steps: "100", batch: " 16 ", rate: "0,01", name: "mine", "options.bias": "false", "options.norm": "pre" }), { task: "copy", name: "mine", batch: 16, rate: 0.01, options: { bias: false, norm: "pre" } });
  assert.deepEqual(recipeOf(task, fields, { steps: "many" }), { task: "copy", steps: "many" }, "what is no number goes as it is, to be refused with a reason");
  assert.deepEqual(recipeOf({ ...task, id: "pairs" }, fields, { pairs: "a|b" }), { task: "pairs", pairs: "a|b" });
});

test("an error of the server finds its field", () => {
  assert.equal(fieldFor("steps", fields), "steps");
  assert.equal(fieldFor("d_model", fields), "options.d_model");
  assert.equal(fieldFor("options.norm", fields), "options.norm");
  assert.equal(fieldFor("pairs", fields), "pairs");
  assert.equal(fieldFor("body", fields), null);
});

test("progress says step, rate and time left while it is learning", () => {
  assert.equal(progress(run({})).replace(/\s/g, " "), "step 420 of 2 000, 48 steps a second, 33 s left");
  assert.doesNotMatch(progress(run({ state: "paused" })), /left|a second/);
  assert.equal(percentDone({ step: 1999, steps: 2000 }), "99 %");
});

test("a run that waits says its place in line", () => {
  const said = (place) => inWords(run({ state: "queued", place }));
  assert.deepEqual([1, 2, 3, 10, 11, 22].map(said), ["next in line", "second in line", "third in line", "tenth in line", "11th in line", "22nd in line"]);
  assert.equal(said(null), "waiting its turn");
  assert.equal(inWords(run({ state: "running", place: null })), "learning");
});

test("durations are said as one says them", () => {
  assert.deepEqual([12.4, 99, 180, 3600, 4800].map(duration), ["12 s", "99 s", "3 min", "1 h", "1 h 20 min"]);
});

test("a training is weighed by the run whose steps are most alike, and by none that is too far", () => {
  const known = [run({ operations: 2e11, steps: 2000, steps_per_second: 50 }), run({ operations: 4e12, steps: 2000, steps_per_second: 10 })];
  assert.equal(estimate({ steps: 1000, operations: 1e11 }, known), 20);
  assert.equal(estimate({ steps: 1000, operations: 1e15 }, known), null);
  assert.equal(estimate({ steps: 1000, operations: 1e11 }, []), null);
});

test("what is written is judged word by word, one word letter by letter", () => {
  assert.deepEqual(judged({ tgt: "a b", written: "a c" }, "a b").map(({ right, changed }) => [right, changed]), [[true, false], [false, true]]);
  assert.deepEqual(judged({ tgt: "ogday", written: "ogxay" }).map(({ right }) => right), [true, true, false, true, true]);
  assert.deepEqual(judged({ tgt: "a", written: null }), []);
});

test("what stands still can go on, what moves can pause", () => {
  assert.ok(allowed("running").pause && allowed("running").stop && !allowed("running").resume && !allowed("running").step);
  for (const state of ["paused", "interrupted", "stopped", "failed"]) assert.ok(allowed(state).resume && allowed(state).step && !allowed(state).pause, state);
  for (const state of ["finished", "diverged", "loaded"]) assert.ok(!allowed(state).resume && !allowed(state).stop && allowed(state).remove, state);
});

test("steps that are taken again replace what was known of them", () => {
  const [a, b, c] = [1, 2, 3].map((step) => ({ step, loss: step }));
  assert.deepEqual(joined([a], [b, c]), [a, b, c]);
  assert.deepEqual(joined([a, b, c], [{ step: 2, loss: 9 }]), [a, { step: 2, loss: 9 }]);
});

test("a curve has no more dots than it can show, and ends where the training is", () => {
  const dots = Array.from({ length: 1000 }, (_, step) => ({ step, value: 1 }));
  const few = thinned(dots, 100);
  assert.ok(few.length <= 100);
  assert.equal(few.at(-1).step, 999);
  assert.ok(few.every(({ value }) => value === 1));
});

test("scales end at round numbers, and places on a chart are steps", () => {
  assert.deepEqual([2.7, 0.0019, 1, 47].map(niceTop).map((top) => Number(top.toPrecision(3))), [3, 0.002, 1, 50]);
  assert.equal(stepAt(0, 300, 100), 0);
  assert.equal(stepAt(300, 300, 100), 100);
  assert.equal(nearest([{ step: 0 }, { step: 5 }, { step: 9 }], 7).step, 5);
});

test("a measure without a value is named, with its test and the reason", () => {
  const [none, some] = [{ score: null, why: "no sentence has 2 words" }, { score: 12, why: "" }];
  assert.deepEqual(whyUndefined({ words: { bleu: none, chrf: some }, phrases: { bleu: some, chrf: some } }), ["BLEU of “words” is undefined: no sentence has 2 words"]);
});

test("the zeros of a large number stay on a scale", () => {
  assert.deepEqual([0, 0.5, 1, 12.5, 20, 100, 1000, 2500].map(tidy), ["0", "0.5", "1", "12.5", "20", "100", "1000", "2500"]);
});

test("a checkpoint that is kept no more stands at the last before it", () => {
  const kept = [0, 100, 200].map((step) => ({ step, model: `run-1@${step}` }));
  assert.equal(placeOf(kept, "run-1@100"), 1);
  assert.equal(placeOf(kept, "run-1@150"), 1);
  assert.equal(placeOf(kept, undefined), null);
});

test("a file that is not UTF-8 is read, and that is said", () => {
  assert.deepEqual(decoded(new TextEncoder().encode("für|for").buffer), { text: "für|for", encoding: "UTF-8" });
  assert.deepEqual(decoded(Uint8Array.from([0x66, 0xfc, 0x72]).buffer), { text: "für", encoding: "Windows-1252" });
  assert.deepEqual(decoded(Uint8Array.from([0xff, 0xfe, 0x61, 0]).buffer), { text: "a", encoding: "UTF-16" });
});

test("the example shows what is learned", () => {
  assert.equal(tellingExample([{ src: "apple", tgt: "appleway" }, { src: "string", tgt: "ingstray" }]).src, "string");
  assert.equal(tellingExample([{ src: "7 7", tgt: "7 7" }, { src: "3 1 4", tgt: "3 1 4" }]).src, "3 1 4");
});

test("whose a training is is said where it matters", () => {
  assert.equal(whose({ yours: true, owned: false }), "");
  assert.match(whose({ yours: true, owned: true }), /whoever has the link can look/);
  assert.match(whose({ yours: false, owned: true }), /another browser/);
  assert.match(whose({ yours: false, owned: false }), /teacher/);
});
