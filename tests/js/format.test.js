import assert from "node:assert/strict";
import test from "node:test";

import { count, full, logarithm, percent, short, size } from "../../static/js/core/format.js";

test("a cell's number has two decimals, and a true minus", () => {
  assert.equal(short(0.3), "0.30");
  assert.equal(short(-1.005), "−1.00");
  assert.equal(short(123.456), "123.5");
  assert.equal(short(-4321.9), "−4322");
});

test("what two decimals cannot tell from zero is written with an exponent", () => {
  assert.equal(short(0), "0.00");
  assert.equal(short(0.004), "4e−3");
  assert.equal(short(-123456), "−1e5");
});

test("what is not finite has a sign of its own", () => {
  assert.deepEqual([NaN, Infinity, -Infinity].map(short), ["NaN", "+∞", "−∞"]);
  assert.deepEqual(["NaN", "Infinity", "-Infinity", null].map(full), ["NaN", "+∞", "−∞", "—"]);
});

test("all digits are the fewest that read back as the same float32", () => {
  assert.equal(full(Math.fround(0.1)), "0.1");
  assert.equal(full(Math.fround(1 / 3)), "0.33333334");
  for (const value of [1e-45, 3.4028234663852886e38, -16777216, 0.30000001192092896]) {
    assert.equal(Math.fround(Number(full(value).replace("−", "-").replace("e−", "e-"))), Math.fround(value));
  }
});

test("a share is never rounded to none or to all", () => {
  assert.equal(percent(0.9961), "99.6 %");
  assert.deepEqual([0, 1e-9, 1 - 1e-9, 1].map(percent), ["0.0 %", "< 0.1 %", "> 99.9 %", "100.0 %"]);
});

test("thousands stand apart, and bytes take the largest unit that keeps a digit", () => {
  assert.equal(count(63082000).replace(/\s/gu, " "), "63 082 000");
  assert.equal(count(999), "999");
  assert.deepEqual([0, 1023, 1024, 5 * 2 ** 30].map(size), ["0 B", "1023 B", "1.0 KiB", "5.0 GiB"]);
});

test("a log-probability near 0 keeps its first digit", () => {
  assert.deepEqual([-0.004008, -2.3026, -0.00002, -3e-9, 0, -Infinity].map(logarithm), ["−0.004", "−2.30", "−0.00002", "−3e−9", "0.00", "−∞"]);
});
