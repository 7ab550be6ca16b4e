import assert from "node:assert/strict";
import test from "node:test";

import { leafWords, percentOf, share, sideBySide, tiny, verdictWords } from "../../static/js/proof/words.js";

test("a difference has two digits and a true minus", () => {
  assert.equal(tiny(3.14e-8), "3.1e−8");
  assert.equal(tiny(0), "0");
  assert.equal(tiny("Infinity"), "+∞");
});

test("two values are cut where they begin to differ", () => {
  assert.deepEqual(sideBySide(0.324437826872, 0.324437868201), { same: "0.3244378", tails: ["26872", "68201"] });
  assert.deepEqual(sideBySide(-0.5, -0.25), { same: "−0.", tails: ["500000000000", "250000000000"] });
  assert.deepEqual(sideBySide(true, false), { same: "", tails: ["allowed", "blocked"] });
  assert.deepEqual(sideBySide("-Infinity", 3), { same: "", tails: ["−∞", "3"] });
  assert.deepEqual(sideBySide(7, 7), { same: "7", tails: ["", ""] });
});

test("a difference is a share of what is allowed", () => {
  assert.equal(share({ max_rel: 1e-7, tolerance: 4e-7 }), 0.25);
  assert.equal(share({ max_rel: 0, tolerance: 0 }), 0);
  assert.equal(share({ max_rel: 1e-12, tolerance: 0 }), 1);
  assert.equal(percentOf(0.253), "25 %");
  assert.equal(percentOf(0.004), "under 1 %");
  assert.equal(percentOf(0), "0 %");
  assert.equal(percentOf(3.2), "320 %");
  assert.equal(percentOf(Infinity), "far more than all");
});

test("the mark of a run counts", () => {
  assert.equal(verdictWords({ passes: true, tensors: 1185, failures: [] }), "✓ all 1 185 tensors recomputed");
  assert.equal(verdictWords({ passes: false, tensors: 185, failures: [{}] }), "✗ 1 of 185 tensors differs");
  assert.equal(verdictWords({ passes: false, tensors: 185, failures: [{}, {}] }), "✗ 2 of 185 tensors differ");
  assert.equal(verdictWords({ passes: false, tensors: 185, failures: [] }), "✗ this run is not proved");
  assert.equal(leafWords({ given: 3, parameter: 88, drawn: 22 }), "3 given, 88 parameters, 22 drawn at random");
});
