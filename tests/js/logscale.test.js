import assert from "node:assert/strict";
import test from "node:test";

import { logScale, tenths } from "../../static/js/core/logscale.js";

test("sizes over powers of ten are spread evenly, and 0 has no share", () => {
  const scale = logScale([0, 0.02, 0.5, 3]);
  assert.deepEqual([scale.least, scale.most], [0.01, 10]);
  assert.equal(scale.share(0), 0);
  assert.equal(scale.share(10), 1);
  assert.ok(Math.abs(scale.share(1) - scale.share(0.1) - (scale.share(0.1) - scale.share(0.01))) < 1e-12);
});

test("a single outlier far below does not make all others look alike", () => {
  const scale = logScale([1e-9, ...Array(99).fill(0.5)]);
  assert.equal(scale.least, 0.1);
  assert.ok(scale.share(1e-9) > 0, "it still shows");
});

test("where everything is 0 there is no scale", () => {
  assert.equal(logScale([0, 0]), null);
});

test("ends of a scale are short", () => {
  assert.deepEqual([0.01, 1, 10, 1e-6].map(tenths), ["0.01", "1", "10", "1e−6"]);
});
