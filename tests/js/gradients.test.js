import assert from "node:assert/strict";
import test from "node:test";

import { gradientsHere, shownOf, whyNone } from "../../static/js/core/gradients.js";
import { wantsGradients } from "../../static/js/core/keep-gradients.js";
import { backTo, followed, keepTrail, standing } from "../../static/js/core/trail.js";

const trace = { id: "one", tokens: { labels: [[]] }, records: [{ name: "scores", shape: [2, 2], dtype: "float32" }, { name: "mask", shape: [2, 2], dtype: "bool" }] };
const state = { trace, tensor: "scores", cell: [0, 1], trail: [], of: "gradient" };
const [scores, mask] = trace.records;

test("ids, masks and runs without a target have no gradient, and the reason is said", () => {
  assert.equal(shownOf(state, scores), "gradient");
  assert.equal(shownOf({ ...state, of: "value" }, scores), "value");
  assert.equal(shownOf(state, mask), "value");
  assert.match(whyNone(trace, mask), /^A mask has no gradient/);
  assert.match(whyNone(trace, { dtype: "int64" }), /^Whole numbers have no gradient/);
  assert.match(whyNone({ ...trace, tokens: { labels: null } }, scores), /no loss without a target/);
});

test("gradients are asked for only while somebody looks at them", () => {
  const plain = { of: "value", panel: null, trace, decoding: null };
  assert.equal(wantsGradients(plain), false);
  assert.equal(wantsGradients({ ...plain, of: "gradient" }), true);
  assert.equal(wantsGradients({ ...plain, panel: "gradients" }), true);
  assert.equal(wantsGradients({ ...plain, of: "gradient", trace: { ...trace, tokens: { labels: null } } }), false);
});

test("those of another trace do not count", () => {
  assert.equal(gradientsHere({ trace, gradients: { id: "other", records: new Map() } }), null);
});

test("the trail keeps which cells were of gradients", () => {
  const here = standing(state);
  assert.deepEqual(here, { name: "scores", cell: [0, 1], of: "gradient" });
  const there = followed(state, { name: "scores", cell: [1, 1] });
  assert.equal(there.of, "value", "an operand that is a value opens as one");
  assert.deepEqual(there.trail, [here]);
  assert.equal(backTo({ trail: there.trail }).of, "gradient");
});

test("switching to the gradient by hand ends the trail", () => {
  const before = { ...state, of: "value", trail: [{ name: "scores", cell: [0, 0] }] };
  assert.deepEqual(keepTrail(before, { of: "gradient" }).trail, []);
  assert.equal(keepTrail(before, { of: "value" }).trail, undefined);
});
