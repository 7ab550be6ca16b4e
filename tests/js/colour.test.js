import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { colourOf, luminance, makePalette, parseColour, pixelsOf, ramp, textOn } from "../../static/js/core/colour.js";
import { boundOf, scaleOf } from "../../static/js/core/scale.js";

const tokens = readFileSync(new URL("../../static/css/tokens.css", import.meta.url), "utf8");
const light = makePalette((name) => new RegExp(`${name}:\\s*([^;]+);`).exec(tokens)?.[1] ?? "#000");
const dark = makePalette((name) => new RegExp(`data-theme="dark"[^]*?${name}:\\s*([^;]+);`).exec(tokens)?.[1] ?? "#fff");
const signed = { kind: "signed", bound: 2, blocked: false };
const masked = { kind: "signed", bound: 2, blocked: true };
const share = { kind: "share", bound: 1, blocked: false };
const summary = { min: -3, max: 2, mean: 0, std: 1, finite: 4, zero: 0, nan: 0, positive_infinity: 0, negative_infinity: 0 };

test("zero is the paper's colour, and both ends are the tokens' colours", () => {
  assert.deepEqual(colourOf(0, signed, light), parseColour("#fbfaf7"));
  assert.deepEqual(colourOf(2, signed, light), parseColour("#c14712"));
  assert.deepEqual(colourOf(-2, signed, light), parseColour("#1f5f9e"));
});

test("a signed scale reaches equally far on both sides", () => {
  const scale = scaleOf(undefined, { dtype: "float32", summary }, () => undefined);
  assert.deepEqual(scale, { kind: "signed", bound: 3, blocked: false });
  assert.equal(boundOf([-1, 2]), 2);
  assert.equal(boundOf([0, 0]), 1);
  assert.equal(boundOf(null), 1);
});

test("values of one sign have a scale with one side, from 0 to the extreme", () => {
  const side = (min, max, kind = "log_softmax") => scaleOf({ kind, reads: [] }, { dtype: "float32", summary: { ...summary, min, max } }, () => undefined);
  assert.deepEqual(side(-11, -0.5), { kind: "signed", bound: 11, blocked: false, side: "below" });
  assert.deepEqual(side(0, 4, "variance"), { kind: "signed", bound: 4, blocked: false, side: "above" });
  assert.equal("side" in side(0, 0), false);
  assert.equal("side" in side(-1, 1), false);
});

test("shares that are all small reach to the largest; others to 1", () => {
  const bound = (max) => scaleOf({ kind: "exp", reads: [] }, { dtype: "float32", summary: { ...summary, min: 0, max } }, () => undefined).bound;
  assert.deepEqual([0.002, 0.05, 0.6, 0].map(bound), [0.002, 1, 1, 1]);
});

test("weights and probabilities go from 0 to 1 whatever their range is", () => {
  for (const kind of ["softmax", "exp"]) assert.deepEqual(scaleOf({ kind, reads: [] }, { dtype: "float32", summary }, () => undefined), { kind: "share", bound: 1, blocked: false });
});

test("weights after dropout may be larger than 1, and the scale with them", () => {
  const find = (name) => (name === "weights" ? { kind: "softmax", reads: [] } : undefined);
  assert.deepEqual(scaleOf({ kind: "multiply", reads: ["weights", "multiplier"] }, { dtype: "float32", summary: { ...summary, max: 1.25 } }, find), { kind: "share", bound: 1.25, blocked: false });
});

test("blocked, NaN, infinite and zero look different", () => {
  for (const palette of [light, dark]) {
    const seen = [-Infinity, NaN, Infinity, 0].map((value) => colourOf(value, masked, palette).join());
    assert.equal(new Set(seen).size, 4);
  }
});

test("minus infinity outside masked scores is a number at the end of the scale, not blocked", () => {
  assert.deepEqual(colourOf(-Infinity, signed, light), colourOf(-2, signed, light));
});

test("pixels say the same as the colours of single values", () => {
  const data = Float32Array.of(-2, -0.5, 0, 0.7, 2, NaN, -Infinity, Infinity, 9);
  for (const scale of [signed, masked, share]) {
    const pixels = pixelsOf({ data, base: 0, rows: 3, columns: 3, rowStride: 3, columnStride: 1 }, scale, light);
    data.forEach((value, i) => {
      const [r, g, b] = colourOf(value, scale, light);
      assert.deepEqual([pixels[i] & 255, (pixels[i] >> 8) & 255, (pixels[i] >> 16) & 255, pixels[i] >>> 24], [r, g, b, 255], `${scale.kind} ${value}`);
    });
  }
});

test("pixels of a slice start at its base and follow its strides", () => {
  const data = Float32Array.of(9, 9, 0, 2, 9, 9);
  const pixels = pixelsOf({ data, base: 3, rows: 2, columns: 1, rowStride: -1, columnStride: 1 }, signed, light);
  const [first, second] = [colourOf(2, signed, light), colourOf(0, signed, light)];
  assert.equal(pixels[0] & 255, first[0]);
  assert.equal(pixels[1] & 255, second[0]);
});

test("a ramp grows steadily darker on paper and lighter on the dark ground", () => {
  const onPaper = light.share.map(luminance);
  assert.ok(onPaper.every((value, i) => i === 0 || value <= onPaper[i - 1] + 0.004));
  const onDark = dark.share.map(luminance);
  assert.ok(onDark.every((value, i) => i === 0 || value >= onDark[i - 1] - 0.004));
});

test("numbers in cells have a contrast of at least 4.5 : 1 on every colour of both schemes", () => {
  for (const palette of [light, dark]) {
    for (const ground of [...palette.signed, ...palette.share, palette.nan, palette.allowed]) {
      const ink = luminance(textOn(ground) === "dark" ? parseColour("#000000") : [255, 255, 255]);
      const [high, low] = [luminance(ground), ink].sort((a, b) => b - a);
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${ground}: ${(high + 0.05) / (low + 0.05)}`);
    }
  }
});

test("blue and orange stay apart for readers who do not see red or green", () => {
  const blueYellow = ([r, g, b]) => (r + g) / 2 - b;
  assert.ok(blueYellow(light.signed[510]) - blueYellow(light.signed[0]) > 120);
  assert.ok(blueYellow(dark.signed[510]) - blueYellow(dark.signed[0]) > 120);
});

test("colours are read as the browser writes them", () => {
  assert.deepEqual(parseColour(" #abc "), [170, 187, 204]);
  assert.deepEqual(parseColour("rgb(1, 2, 3)"), [1, 2, 3]);
  assert.throws(() => parseColour("papaya"), /papaya/);
  assert.deepEqual(ramp([0, 0, 0], [255, 255, 255], 3)[2], [255, 255, 255]);
});
