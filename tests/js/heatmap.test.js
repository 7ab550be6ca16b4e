import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange, panelAlone, placesShown, sentenceShown } from "../../static/js/tensor/arrange.js";
import { cellText, isBlocked } from "../../static/js/tensor/cells.js";
import { extremesOf } from "../../static/js/tensor/extremes.js";
import { frameOf, labelStride, multiples } from "../../static/js/tensor/geometry.js";
import { walk } from "../../static/js/tensor/keys.js";
import { longTitle, whereabouts } from "../../static/js/tensor/naming.js";
import { best } from "../../static/js/tensor/likeliest.js";
import { normWords } from "../../static/js/tensor/norm.js";
import { noMean } from "../../static/js/tensor/notes.js";
import { labelOf, layOut } from "../../static/js/tensor/picture.js";
import { scaleOf } from "../../static/js/core/scale.js";
import { whole } from "../../static/js/tensor/span.js";
import { cellWords, countingWords, plain } from "../../static/js/tensor/words.js";

const token = (id, text, pad = false) => ({ id, text, special: text.startsWith("<"), unknown: false, pad });
const trace = {
  recipe: {}, tokens: {
    src: [[token(1, "<start>"), token(3, "the"), token(2, "cat"), token(3, "the")], [token(1, "<start>"), token(4, "run"), token(0, "<pad>", true), token(0, "<pad>", true)]],
    tgt: [[token(1, "<start>"), token(3, "dog")], [token(1, "<start>"), token(2, "cat")]], labels: null,
  },
};
const model = { vocabulary: ["<pad>", "<start>", "cat", "the", "run"], tree: { name: "", kind: "Transformer", title: "Transformer", parts: [], inputs: {} }, tensors: [] };
const summary = { min: 0, max: 1, mean: 0, std: 0, finite: 1, zero: 0, nan: 0, positive_infinity: 0, negative_infinity: 0 };
const weights = { name: "decoder.layers.0.cross_attn.weights", axes: ["batch", "head", "query", "key"], over: ["batch", "head", "tgt", "src"], shape: [2, 2, 2, 4], dtype: "float32", reads: [], summary };
const margins = { left: 60, widest: 30, strip: false, captions: false };

/** @param {object} record @param {string} kind @param {object} [more] */
function context(record, kind, more = {}) {
  const layout = arrange(record);
  return { record, tensor: { kind, reads: [] }, layout, trace, model, sentence: 0, places: record.shape.map(() => 0), alone: null, find: () => undefined, scale: { kind: "share", bound: 1, blocked: false }, ...more };
}

test("the last two axes are rows and columns, heads stand side by side, sentences are chosen", () => {
  assert.deepEqual(arrange(weights), { row: 2, column: 3, panel: 1, tabs: [0] });
  assert.deepEqual(arrange({ axes: ["batch", "src", "d_model"], over: ["batch", "src", "d_model"] }), { row: 1, column: 2, panel: null, tabs: [0] });
  assert.deepEqual(arrange({ axes: ["batch", "src"], over: ["batch", "src"] }), { row: 0, column: 1, panel: null, tabs: [] });
  assert.deepEqual(arrange({ axes: ["out"], over: ["d_ff"] }), { row: null, column: 0, panel: null, tabs: [] });
  assert.deepEqual(arrange({ axes: [], over: [] }), { row: null, column: null, panel: null, tabs: [] });
});

test("a selected cell decides which sentence is shown; a place beyond the tensor falls back to its last", () => {
  const layout = arrange(weights);
  assert.deepEqual(placesShown(weights, layout, { batch: 0 }, [1, 1, 0, 0]), [1, 1, 0, 0]);
  assert.deepEqual(placesShown(weights, layout, { batch: 7 }, null), [1, 0, 0, 0]);
  assert.equal(panelAlone(weights, layout, {}, [0, 1, 0, 0]), null);
  assert.equal(panelAlone(weights, layout, { head: 0 }, null), 0);
  assert.equal(sentenceShown({ over: ["tgt", "tgt"] }, [0, 0], { batch: 1 }), 1);
});

test("a row of a beam says whose hypothesis it is", () => {
  const beam = context(weights, "softmax", { trace: { ...trace, recipe: { src: ["one", "two"], rows: [0, 0] } } });
  assert.match(plain(cellWords(beam, [1, 0, 1, 2], 0.5)), /^head 1, row 2 \(sentence 1\): query/);
  const only = { ...beam, trace: { ...trace, recipe: { src: ["one"], rows: [0, 0] } } };
  assert.match(plain(cellWords(only, [1, 0, 1, 2], 0.5)), /^head 1, row 2: query/);
  assert.match(countingWords(beam, [1, 0, 1, 2]), /; heads and rows are counted from 1\.$/);
});

test("a cross map has target tokens on its rows and source tokens on its columns", () => {
  const at = context(weights, "softmax");
  assert.deepEqual([0, 1].map((place) => labelOf(at, 2, place).text), ["<start>", "dog"]);
  assert.deepEqual([0, 1, 2, 3].map((place) => labelOf(at, 3, place).text), ["<start>", "the", "cat", "the"]);
});

test("a word that comes twice keeps two rows and two columns", () => {
  const square = { ...weights, over: ["batch", "head", "src", "src"], shape: [2, 1, 4, 4] };
  const picture = layOut(context(square, "softmax"), 480, (text) => text.length * 7);
  assert.deepEqual([picture.spans.rows.length, picture.spans.columns.length], [4, 4]);
});

test("padding is told apart from words", () => {
  assert.equal(labelOf(context(weights, "softmax", { sentence: 1 }), 3, 2).faint, true);
  assert.equal(labelOf(context(weights, "softmax", { sentence: 1 }), 3, 1).faint, false);
});

test("a weight is told as attention from a query to a key", () => {
  const words = plain(cellWords(context(weights, "softmax"), [0, 0, 1, 2], Math.fround(0.4312)));
  assert.equal(words, "head 1, sentence 1: query “dog” (1) gives 0.4312 of its attention to key “cat” (2)");
});

test("blocked is a word, in masks, masked scores and weights", () => {
  assert.match(plain(cellWords(context({ ...weights, dtype: "bool" }, "all_of"), [0, 0, 0, 3], 0)), /query “<start>” \(0\) may not look at key “the” \(3\)$/);
  assert.match(plain(cellWords(context(weights, "mask"), [0, 0, 0, 3], -Infinity)), /: blocked \(−∞\)$/);
  assert.match(plain(cellWords(context(weights, "softmax"), [0, 0, 0, 3], 0, { blocked: true })), /gives nothing, exactly 0, to key “the” \(3\), which is blocked$/);
});

test("probabilities, logarithms and ids are told as what they are", () => {
  const record = { ...weights, axes: ["batch", "tgt", "vocab"], over: ["batch", "tgt", "vocab"], shape: [2, 2, 5] };
  assert.equal(plain(cellWords(context(record, "exp"), [0, 1, 4], 0.25)), "sentence 1: tgt “dog” (1): vocab “run” (4) has probability 0.25 (25.0 %)");
  assert.match(plain(cellWords(context(record, "log_softmax"), [0, 1, 4], -0.004)), /−0.004, a probability of 99.6 %$/);
  const ids = { ...weights, axes: ["batch", "src"], over: ["batch", "src"], shape: [2, 4], dtype: "int64" };
  assert.equal(plain(cellWords(context(ids, "given"), [1, 1], 4)), "sentence 2, src “run” (1): id 4 is “run”");
});

test("a label is told with the word it is predicted after, and is the label, not the decoder's input", () => {
  const labelled = { ...trace, tokens: { ...trace.tokens, labels: [[token(3, "dog"), token(4, "run")], [token(2, "cat"), token(0, "<pad>", true)]] } };
  const record = { ...weights, axes: ["batch", "labels"], over: ["batch", "tgt"], shape: [2, 2] };
  const at = context(record, "keep", { trace: labelled });
  assert.equal(plain(cellWords(at, [0, 0], Math.fround(0.6))), "sentence 1, label “dog”, predicted after “<start>” (position 0): 0.6");
  assert.equal(labelOf({ ...at, layout: { row: null, column: 1, panel: null, tabs: [0] } }, 1, 1).text, "run");
  const counted = context({ ...record, dtype: "bool" }, "counted", { trace: labelled, scale: scaleOf({ kind: "counted", reads: [] }, { dtype: "bool", summary }, () => undefined) });
  assert.match(plain(cellWords(counted, [1, 1], 0)), /label “<pad>”, predicted after “cat” \(position 1\): left out$/);
  assert.match(plain(cellWords(counted, [1, 0], 1)), /: counted$/);
});

test("a reading says from where its positions are counted", () => {
  assert.equal(countingWords(context(weights, "softmax"), [0, 0, 1, 2]), "(1) is position 1, counted from 0; heads and sentences are counted from 1.");
  const bias = { ...weights, axes: ["out"], over: ["d_ff"], shape: [8] };
  assert.equal(countingWords(context(bias, "parameter"), [3]), "out position 3, counted from 0.");
});

test("a mean over nothing is told as such", () => {
  const mean = { record: { ...weights, shape: [], summary: { ...summary, nan: 1, finite: 0 } }, tensor: { kind: "divide", reads: ["total", "count"] } };
  const counting = (most) => ({ records: [{ name: "count", summary: { ...summary, max: most } }] });
  assert.equal(noMean({ ...mean, trace: counting(0) }), "No label counts (all are padding), so there is no mean: 0 / 0.");
  assert.equal(noMean({ ...mean, trace: counting(3) }), "");
});

test("the extremes of what is shown are those of the chosen sentence and head, finite ones only", () => {
  const values = { ...weights, start: [0, 0, 0, 0], step: [1, 1, 1, 1], full: weights.shape, values: Float32Array.from({ length: 32 }, (_, i) => i) };
  values.values[8 + 4] = -Infinity;
  const at = context(weights, "softmax", { alone: 1 });
  const picture = { ...layOut(at, 480, (text) => text.length * 7), tiles: new Map([["", [values]]]) };
  assert.deepEqual(extremesOf(picture), { low: { value: 8, panel: 1, row: 0, column: 0 }, high: { value: 15, panel: 1, row: 1, column: 3 } });
});

test("the likeliest come first, and what is not a number is none of them", () => {
  assert.deepEqual(best([0.1, NaN, 0.5, 0.1, 0.2, -Infinity], 3), [{ place: 2, value: 0.5 }, { place: 4, value: 0.2 }, { place: 0, value: 0.1 }]);
  assert.equal(best([1, 2], 5).length, 2);
});

test("a norm's tensors say which numbers are taken together, and the deviation its ε", () => {
  const part = (name, kind, parts = []) => ({ name, kind, title: "", parts });
  const normed = { config: { norm_eps: 1e-5 }, tree: part("", "Transformer", [part("a.norm", "LayerNorm")]), tensors: [{ block: "a.norm", parameter: true, shape: [8], axes: ["d_model"] }] };
  const words = (axes, kind, block = "a.norm") => normWords({ record: { axes }, layout: { column: axes.length - 1 }, tensor: { kind, block }, model: normed }).join(" ");
  assert.equal(words(["batch", "src", "d_model"], "centre"), "Normalised together: each row, the 8 numbers of one token (d_model).");
  assert.match(words(["batch", "src"], "deviation"), /the 8 numbers of one token .* Here ε = 0\.00001\.$/);
  assert.equal(words(["batch", "src", "d_model"], "linear", "other"), "");
});

test("exactly zero, nearly zero, NaN and infinities are written differently", () => {
  const scale = { kind: "signed", bound: 1, blocked: false };
  assert.deepEqual([0, 0.001, -0.001, NaN, Infinity, -Infinity, -0.46].map((value) => cellText(value, scale, false)), ["0", "0.00", "−0.00", "NaN", "+∞", "−∞", "−0.46"]);
  assert.deepEqual([1, 0].map((value) => cellText(value, { kind: "mask", bound: 1, blocked: false }, false)), ["allowed", "blocked"]);
  assert.deepEqual([0.0021, 0].map((value) => cellText(value, { kind: "share", bound: 0.002, blocked: false }, false)), ["2e−3", "0"], "small shares keep a digit on a scale of their own");
});

test("a zero weight is blocked only where its score is minus infinity", () => {
  const behind = [{ data: Float32Array.of(-Infinity, -200), base: 0, rows: 1, columns: 2, rowStride: 2, columnStride: 1, rowStart: 0, columnStart: 0, rowStep: 1, columnStep: 1 }];
  const scale = { kind: "share", bound: 1, blocked: false };
  assert.equal(isBlocked(0, 0, 0, scale, behind), true);
  assert.equal(isBlocked(0, 0, 1, scale, behind), false);
});

test("cells stay inside the width, however many there are", () => {
  for (const [rows, columns, width] of [[2, 3, 480], [8, 32, 480], [512, 2048, 342], [12, 37000, 480], [1, 1, 300]]) {
    const frame = frameOf(rows, columns, width, 440, margins);
    assert.ok(frame.outerWidth <= width + 1e-6, `${rows} x ${columns} in ${width}: ${frame.outerWidth}`);
    assert.ok(frame.height <= 440 + 1e-6);
  }
});

test("two small heads stand side by side with legible numbers; eight large ones become small pictures", () => {
  const two = multiples(2, 2, 3, 480, { ...margins, strip: true });
  assert.equal(two.perRow, 2);
  assert.ok(two.frame.labelled && two.frame.cellWidth >= 33);
  const eight = multiples(8, 60, 60, 480, margins);
  assert.equal(eight.perRow, 4);
  assert.equal(eight.frame.labelled, false);
  assert.ok(eight.frame.outerWidth * 4 + 3 * 16 <= 481);
});

test("labels are thinned to round strides", () => {
  assert.equal(labelStride(30, 13), 1);
  assert.equal(labelStride(1, 13), 20);
  assert.equal(labelStride(0.25, 13), 100);
});

test("arrows walk the cells and cross into the next matrix; Home and End reach the ends", () => {
  const picture = { spans: { rows: whole(2, 60, 30), columns: whole(3, 150, 50) }, panels: [0, 1] };
  assert.deepEqual(walk(picture, { panel: 0, row: 1, column: 2 }, "ArrowRight", false), { panel: 1, row: 1, column: 0 });
  assert.deepEqual(walk(picture, { panel: 1, row: 1, column: 0 }, "ArrowLeft", false), { panel: 0, row: 1, column: 2 });
  assert.deepEqual(walk(picture, { panel: 1, row: 1, column: 2 }, "ArrowRight", false), { panel: 1, row: 1, column: 2 });
  assert.deepEqual(walk(picture, { panel: 0, row: 1, column: 1 }, "ArrowDown", false), { panel: 0, row: 1, column: 1 });
  assert.deepEqual(walk(picture, { panel: 0, row: 1, column: 1 }, "End", true), { panel: 0, row: 1, column: 2 });
  assert.deepEqual(walk(picture, { panel: 0, row: 1, column: 1 }, "Home", true), { panel: 0, row: 0, column: 0 });
  assert.equal(walk(picture, { panel: 0, row: 0, column: 0 }, "x", false), null);
});

test("on a thinned tensor the arrows go from drawn cell to drawn cell", () => {
  const picture = { spans: { rows: whole(2048, 256, 30), columns: whole(2048, 256, 30) }, panels: [0] };
  assert.deepEqual(walk(picture, { panel: 0, row: 0, column: 8 }, "ArrowRight", false), { panel: 0, row: 0, column: 16 });
  assert.deepEqual(walk(picture, { panel: 0, row: 2040, column: 8 }, "ArrowDown", false), { panel: 0, row: 2040, column: 8 });
});

test("a tensor's place is told from the inside out", () => {
  const part = (name, title, parts = [], more = {}) => ({ name, kind: "", title, says: "", mixes: false, inputs: {}, tensors: [], parts, ...more });
  const tree = part("", "Transformer", [part("decoder", "decoder", [part("decoder.layers.0", "decoder layer", [
    part("decoder.layers.0.self_attn", "multi-head attention", [], { mixes: true, inputs: { mask: "masks.decoder_self_attn" } }),
    part("decoder.layers.0.cross_attn", "multi-head attention", [], { mixes: true, inputs: { mask: "masks.cross_attn" } }),
    part("decoder.layers.0.cross_attn_residual", "add & norm", [part("decoder.layers.0.cross_attn_residual.norm", "layer norm")]),
  ])])]);
  const tensor = (name, kind, reads = []) => ({ name, kind, reads, feeds: [] });
  const known = { tree, tensors: [tensor("masks.causal", "not_later"), tensor("masks.decoder_self_attn", "all_of", ["masks.causal"]), tensor("masks.cross_attn", "all_of")] };
  assert.equal(longTitle(known, "decoder.layers.0.cross_attn.weights"), "weights · cross-attention · decoder layer 1");
  assert.equal(longTitle(known, "decoder.layers.0.self_attn.masked_scores"), "masked scores · masked self-attention · decoder layer 1");
  assert.deepEqual(whereabouts(known, "decoder.layers.0.cross_attn_residual.norm.mean"), ["layer norm", "add & norm (cross-attention)", "decoder layer 1"]);
  assert.deepEqual(whereabouts(known, "memory"), []);
});
