import assert from "node:assert/strict";
import { test } from "node:test";

import { judged, partingWords } from "../../static/js/decode/target-words.js";

const token = (id, text) => ({ id, text, special: false, unknown: false, pad: false });
const fed = (text, predicted) => ({ fed: token(text.charCodeAt(0), text), predicted: token(predicted.charCodeAt(0), predicted), log_prob: -1, probability: 0.37 });
const place = (forced, free, label = null) => ({ forced, free, label: label && token(label.charCodeAt(0), label) });

test("where both ways part is said with both tokens", () => {
  const positions = [place(fed("s", "e"), fed("s", "e"), "o"), place(fed("o", "x"), fed("e", "y"), "x")];
  assert.equal(partingWords({ positions, parts: 1, differs: 1 }), "They part at position 1: the target feeds “o”, the decoder has written “e”.");
  assert.equal(partingWords({ positions, parts: null, differs: null }), "They never part: what the decoder writes is the target.");
});

test("one way may end before the other", () => {
  assert.equal(partingWords({ positions: [place(null, fed("e", "s"))], parts: 0, differs: 0 }), "They part at position 0, where the target has ended and the decoder goes on.");
  assert.equal(partingWords({ positions: [place(fed("e", "s"), null)], parts: 0, differs: 0 }), "They part at position 0, where the decoder has ended and the target goes on.");
});

test("where the target is at its last token and the decoder wrote another, both are said", () => {
  const positions = (/** @type {string} */ written) => [place(fed("s", "e"), fed("s", "e"), "o"), place(null, fed(written, "y"))];
  assert.equal(partingWords({ positions: positions("e"), parts: 1, differs: null }), "They part at position 1: the target ends with “o”, the decoder has written “e”.");
  assert.equal(partingWords({ positions: positions("o"), parts: 1, differs: null }), "They part at position 1, where the target has ended and the decoder goes on.");
});

test("a prediction is judged by the label where there is one", () => {
  assert.equal(judged(place(fed("s", "e"), null, "e"), "forced"), "right");
  assert.equal(judged(place(fed("s", "e"), null, "o"), "forced"), "wrong");
  assert.equal(judged(place(fed("s", "e"), null, "o"), "free"), null);
  assert.equal(judged(place(fed("s", "e"), null), "forced"), null);
});
