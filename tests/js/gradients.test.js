import assert from "node:assert/strict";
import test from "node:test";

import { gradientsHere, shownOf, whyNone } from "../../static/js/core/gradients.js";
import { planMaps } from "../../static/js/explain/maps-plan.js";
import { blocksBack } from "../../static/js/training/gradients-list.js";
import { vanishing } from "../../static/js/training/gradients-marks.js";
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

test("the list goes back from the loss, block by block, parameters in the order of the run", () => {
  const model = {
    tree: { name: "", title: "model", mixes: false, parts: [{ name: "encoder", title: "encoder", mixes: false, parts: [], inputs: {} }, { name: "loss", title: "loss", mixes: false, parts: [], inputs: {} }] },
    tensors: [["encoder.w", "encoder"], ["encoder.b", "encoder"], ["encoder.out", "encoder"], ["loss.mean", "loss"]].map(([name, block]) => ({ name, block, reads: [] })),
  };
  const record = (name, parameter) => ({ name, parameter, norm: 1, rms: 1, mark: null, shape: [], summary: {} });
  const blocks = blocksBack([record("encoder.w", true), record("encoder.b", true), record("encoder.out", false), record("loss.mean", false)], model);
  assert.deepEqual(blocks.map(({ title, tensors, parameters }) => [title, tensors.map(({ name }) => name), parameters.map(({ name }) => name)]), [
    ["loss", ["loss.mean"], []], ["encoder", ["encoder.out"], ["encoder.w", "encoder.b"]],
  ]);
});

test("a block without parameters stands with its neighbours, not behind the last block that has some", () => {
  const part = (name) => ({ name, title: name, mixes: false, parts: [], inputs: {} });
  const tensors = [["first.w", "first"], ["first.out", "first"], ["sum.out", "sum"], ["last.w", "last"], ["last.out", "last"]].map(([name, block]) => ({ name, block, reads: [] }));
  const model = { tree: { name: "", title: "model", mixes: false, parts: ["first", "sum", "last"].map(part), inputs: {} }, tensors };
  const record = (name) => ({ name, parameter: name.endsWith(".w"), norm: 1, rms: 1, mark: null, shape: [], summary: {} });
  const run = ["first.out", "sum.out", "last.out", "first.w", "last.w"].map(record);  // as the server tells it: tensors, then parameters
  assert.deepEqual(blocksBack(run, model).map(({ title }) => title), ["last", "sum", "first"]);
});

test("how many gradients vanish is said", () => {
  const of = (...marks) => marks.map((mark) => ({ mark }));
  assert.equal(vanishing(of(null, "vanishing", "vanishing", "zero", "unread")), "Hardly anything of the loss arrives at 2 of 5 (≈ 0), and at 1 the gradient is exactly 0.");
  assert.equal(vanishing(of(null, "zero")), "Of 2, at 1 the gradient is exactly 0.");
  assert.match(vanishing(of(null, "unread")), /no gradient vanishes/);
});

test("maps of a gradient's operands know which of them are gradients", () => {
  const find = (name) => ({ name, axes: ["query", "key"], over: ["tgt", "src"], shape: [2, 3] });
  const operands = [{ name: "heads", of: "gradient", role: "g", cell: [0, null], takes: [-1, -1] }, { name: "v", of: "value", role: "v", cell: [1, null], takes: [-1, -1] }];
  const { product, parts } = planMaps({ name: "weights", of: "gradient", cell: [0, 1], operands }, find);
  assert.equal(product, false);
  assert.deepEqual(parts.map(({ name, of }) => [name, of]), [["heads", "gradient"], ["v", "value"]]);
});
