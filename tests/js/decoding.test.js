import assert from "node:assert/strict";
import test from "node:test";

import { rowAt, toRow } from "../../static/js/core/prefixes.js";
import { askedOf, GREEDY, wayInWords, wayOf } from "../../static/js/core/way.js";
import { createKnown } from "../../static/js/decode/known.js";
import { ticks } from "../../static/js/decode/ticks.js";
import { ahead, change, sureness } from "../../static/js/decode/words.js";

/** @param {number} id */
const token = (id) => ({ id, text: `t${id}`, special: false, unknown: false, pad: id === 0 });
/** @param {number} sentence @param {number[]} ids @param {object} [more] */
const row = (sentence, ids, more = {}) => ({ sentence, node: 0, prefix: ids.map(token), chosen: token(9), log_prob: -0.5, done: false, ...more });
/** @param {number} number @param {object[]} rows @param {object[]} [nodes] */
const step = (number, rows, nodes = []) => /** @type {any} */ ({ step: number, rows, nodes, finished: false });

const first = step(0, [row(0, [1]), row(1, [1])]);
const second = step(1, [row(0, [1, 5]), row(0, [1, 6]), row(1, [1, 5]), row(1, [1, 7])]);
const third = step(2, [row(0, [1, 5, 2]), row(0, [1, 6, 3]), row(1, [1, 7, 3])]);

test("who follows the best of a sentence stays with the best", () => {
  assert.deepEqual([rowAt(first, second, 0), rowAt(first, second, 1), rowAt(second, first, 2), rowAt(second, third, 2)], [0, 2, 1, 2]);
});

test("another hypothesis is followed while it lives, and led back to", () => {
  assert.equal(rowAt(second, third, 1), 1);
  assert.equal(rowAt(third, second, 1), 1);
  assert.equal(rowAt(second, step(2, [row(0, [1, 5, 2])]), 1), 0);
});

test("a sentence without rows gives way to the first", () => {
  assert.equal(rowAt(third, step(3, [row(0, [1, 5, 2, 4])]), 2), 0);
});

test("a chosen cell goes along with its row", () => {
  const trace = /** @type {any} */ ({ sizes: { batch: 4 }, records: [{ name: "x", over: ["batch", "tgt"] }] });
  const view = { at: "", tensor: "x", cell: [1, 0], index: { batch: 1, head: 2 } };
  assert.deepEqual(toRow(view, trace, 3), { ...view, cell: [3, 0], index: { batch: 3, head: 2 } });
  assert.equal(toRow(view, trace, 1), view);
});

test("a way says only what was chosen, and a number that is none goes as it was typed", () => {
  assert.deepEqual(askedOf(GREEDY), {});
  assert.deepEqual(askedOf({ kind: "beam", settings: { beam: { width: "3" }, sample: { seed: 2 } }, cache: true }), { strategy: { kind: "beam", width: 3 }, cache: true });
  assert.deepEqual(askedOf({ kind: "beam", settings: { beam: { width: "wide", length_penalty: "" } }, cache: false }), { strategy: { kind: "beam", width: "wide", length_penalty: "" } });
});

test("a decoding's way is read back, and other strategies keep their settings", () => {
  const before = { kind: "greedy", settings: { sample: { seed: 4 } }, cache: false };
  const way = wayOf({ strategy: { kind: "beam", width: 2 }, cache: true }, before);
  assert.deepEqual(way, { kind: "beam", settings: { sample: { seed: 4 }, beam: { width: 2 } }, cache: true });
  assert.equal(wayInWords(way, []), "Beam of 2 + cache");
});

test("ticks follow the hypothesis on screen, with the log-probabilities along it", () => {
  const nodes = [{ id: 2, parent: 0, step: 0, log_prob: -0.25 }, { id: 3, parent: 0, step: 0, log_prob: -2 }];
  const steps = [step(0, [row(0, [1])], nodes), step(1, [row(0, [1, 5], { node: 2 }), row(0, [1, 6], { node: 3, chosen: null })])];
  assert.deepEqual(ticks(steps, steps[1], 0).map(({ token: each, logProb, when }) => [each?.id, logProb, when]), [[5, -0.25, "before"], [9, -0.5, "now"]]);
  assert.deepEqual(ticks(steps, steps[1], 1).map(({ token: each, logProb }) => [each?.id, logProb]), [[6, -2], [undefined, null]]);
  assert.deepEqual(ticks(steps, steps[0], 0).map(({ when }) => when), ["now", "after"]);
});

test("a drawn token says its chance, and how far it is behind the likeliest", () => {
  const top = [{ token: token(3), log_prob: -0.96, chance: 0.3285 }, { token: token(4), log_prob: -1.124, chance: 0.2944 }];
  const drawn = /** @type {any} */ ({ chosen: token(4), draw: 0.587, log_prob: -1.124, probability: 0.3247, margin: 0.165, tied: 1, top });
  assert.equal(ahead(drawn), "logit 0.16 below “t3”, the likeliest");
  assert.equal(sureness(drawn), "with chance 29.4 % · the model alone gives 32.5 % · log p −1.12");
  assert.equal(sureness({ ...drawn, probability: 0.2944 }), "29.4 % · log p −1.12");
  assert.equal(ahead({ ...drawn, chosen: token(3), log_prob: -0.96 }), "logit 0.17 above the next");
  assert.equal(ahead({ ...drawn, log_prob: -0.96, tied: 2 }), "one of 2 equals");
});

test("a tick says nothing of another sentence, nor of another hypothesis when its own is gone", () => {
  const fourth = step(3, [row(0, [1, 5, 2, 4], { chosen: token(8) })]);
  const seen = (/** @type {number} */ place) => ticks([first, second, third, fourth], second, place).slice(1).map(({ token: each }) => each?.id ?? null);
  assert.deepEqual(seen(0), [9, 9, 8]);
  assert.deepEqual(seen(1), [9, 9, null]);
  assert.deepEqual(seen(2), [9, 9, null]);
});

test("ties are said, and what a step changed", () => {
  assert.equal(ahead(/** @type {any} */ ({ margin: 0, tied: 2, top: [1, 2], draw: null })), "the lowest id of 2 equals");
  assert.equal(change(step(4, [row(0, [1])]), { causal: true, cache: false }), "new: row 5 of the masked self-attention · memory untouched (the encoder ran once)");
  assert.match(change(step(4, [row(0, [1])]), { causal: false, cache: false }), /every row/);
});

test("steps arrive by themselves, and who waits for one is told, also when no more come", async () => {
  globalThis.requestAnimationFrame = () => 0;
  globalThis.cancelAnimationFrame = () => {};
  /** @type {any} */
  let on = null;
  const known = createKnown({ stepAt: async () => first, follow: (given) => { on = given; return () => {}; } });
  await known.arrived(0);
  known.follow();
  const waits = known.arrived(1);
  on.step(first);
  on.step(second);
  await waits;
  const whole = known.whole();
  on.step({ ...third, finished: true });
  assert.equal(await whole, 2);
  assert.deepEqual(known.steps().map((each) => each?.step), [0, 1, 2]);
  known.forget();
  known.follow();
  const lost = known.whole();
  on.lost();
  assert.equal(await lost, null);
});
