import assert from "node:assert/strict";
import { test } from "node:test";

import { linesOf, roomFor, spread, strongest } from "../../static/js/decode/alignment-lines.js";
import { partsAt, sameOrNot, totals } from "../../static/js/decode/output-words.js";

const MAP = Float64Array.from([0.7, 0.2, 0.1, 0, 0.4, 0.3, 0.29, 0.01]);
const sentence = (ids, total, score = total) => ({ text: "", written: ids.map((id) => ({ token: { id } })), total, score, length: ids.length, reason: "end", node: 0, trace: null, row: 0 });

test("a line leads to the source token looked at most, and to others with at least half as much", () => {
  assert.deepEqual(strongest(MAP, 4).map(({ row, column }) => [row, column]), [[0, 0], [1, 0], [1, 1], [1, 2]]);
  assert.deepEqual(strongest(new Float64Array(3), 3), []);
});

test("all lines of one token, from either side, the heaviest first", () => {
  assert.deepEqual(linesOf(MAP, 4, { side: "written", place: 0 }).map(({ column }) => column), [0, 1, 2]);
  assert.deepEqual(linesOf(MAP, 4, { side: "source", place: 0 }).map(({ row, weight }) => [row, weight]), [[0, 0.7], [1, 0.4]]);
  assert.deepEqual(linesOf(MAP, 4, { side: "source", place: 3 }).map(({ row }) => row), [1]);
});

test("tokens of a side fill the width without touching", () => {
  const texts = ["she", "␣", "pet"];
  const spots = spread(texts, roomFor(texts) + 60);
  spots.forEach(({ x, w }, i) => assert.ok(x >= 0 && (i === 0 || x >= spots[i - 1].x + spots[i - 1].w + 3) && x + w <= roomFor(texts) + 60));
  assert.deepEqual(spread([], 100), []);
});

test("what a sentence comes to, with the score where it is another number", () => {
  assert.equal(totals(sentence([1, 2], -1.5, -1.2), true), "log-probability −1.50 · over the length penalty −1.20 · 2 tokens · ends with the end token");
  assert.equal(totals({ ...sentence([1], -1.5), reason: "length" }, false), "log-probability −1.50 · 1 token · ends at the length limit");
});

test("two ways of decoding are the same, or part at a token, and one is likelier as a whole", () => {
  const mine = sentence([5, 6, 2], -3);
  assert.equal(sameOrNot(mine, sentence([5, 6, 2], -3), "a beam of 4"), "The same: a beam of 4 writes the same 3 tokens.");
  assert.equal(sameOrNot(mine, sentence([5, 7, 2], -2.5), "a beam of 4"), "They part at token 2. What a beam of 4 writes is likelier as a whole: −2.50 against −3.00.");
  assert.match(sameOrNot(mine, sentence([5, 6, 2, 9], -3.004), "a beam of 4"), /^They part at token 4\. .* less likely as a whole: −3\.004 against −3\.000\.$/);
  assert.equal(partsAt(sentence([1, 2], 0), sentence([1], 0)), 1);
});
