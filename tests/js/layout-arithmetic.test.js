/** The arithmetic of one head: where its matrices stand, what a chosen cell lights up, how its sum is written. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { CELL, arithmetic, litBy, span } from "../../static/js/diagram/arithmetic.js";
import { reasonsOf, whyBlocked } from "../../static/js/diagram/blocked.js";
import { columnOfWhole, cutSentence } from "../../static/js/diagram/cut.js";
import { products, shares } from "../../static/js/diagram/sum.js";
import { looks } from "../../static/js/diagram/values.js";

const named = (/** @type {string} */ name) => /** @type {any} */ ({ name });
const role = /** @type {any} */ ({ q: named("q"), k: named("k"), v: named("v"), scale: named("scaled"), softmax: named("weights"), mix: named("heads") });
const number = (/** @type {string} */ written) => Number(written.replace("−", "-"));
const text = (/** @type {{text: string}[]} */ pieces) => pieces.map((piece) => piece.text).join("");

const WIDE = { width: 860, height: 500 };
const NARROW = { width: 390, height: 480 };

/** @param {number} queries @param {number} keys @param {number} width @param {{width: number, height: number}} [room] */
function made(queries, keys, width, room = WIDE, dropout = /** @type {"none" | "idle" | "acts"} */ ("none")) {
  const scene = arithmetic(role, { query: span("query", "tgt", queries, 0, 8), key: span("key", "src", keys, 0, 8), width: span("d_k", "d_k", width, 0, 8) }, room, dropout);
  return { scene, of: (/** @type {string} */ id) => scene.matrices.find((matrix) => matrix.id === id) ?? assert.fail(id) };
}

test("scores stand where the rows of Q meet the columns of Kᵀ", () => {
  for (const room of [WIDE, NARROW]) {
    const { of } = made(2, 3, 4, room);
    assert.equal(of("scores").y, of("q").y);
    assert.equal(of("scores").x, of("k").x);
    assert.equal(of("heads").y, of("weights").y);
    assert.equal(of("heads").x, of("v").x);
    assert(of("k").turned && !of("q").turned);
  }
});

test("matrices never overlap and stay inside, whatever the sizes", () => {
  for (const [queries, keys, width] of [[1, 1, 1], [2, 3, 4], [12, 3, 16], [3, 14, 2], [60, 60, 64]]) {
    for (const [room, dropout] of /** @type {const} */ ([[WIDE, "none"], [NARROW, "none"], [WIDE, "acts"], [NARROW, "acts"]])) {
      const { scene } = made(queries, keys, width, room, dropout);
      const rects = scene.matrices.map(({ x, y, rows, columns }) => ({ x, y, w: (columns.to - columns.from) * CELL.w, h: (rows.to - rows.from) * CELL.h }));
      rects.forEach((a, i) => rects.slice(i + 1).forEach((b) => assert(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y)));
      for (const { x, y, w, h } of rects) assert(x >= 0 && y >= 0 && x + w <= scene.width && y + h <= scene.height);
    }
  }
});

test("on a narrow screen the two products stand one above the other", () => {
  const { of } = made(2, 3, 4, NARROW);
  assert(of("weights").y > of("scores").y);
  assert.equal(made(2, 3, 4, WIDE).of("weights").y, made(2, 3, 4, WIDE).of("scores").y);
});

test("of a long axis a part is drawn, with the chosen place inside", () => {
  for (const place of [0, 7, 30, 59]) {
    const { from, to, size } = span("key", "src", 60, place, 6);
    assert(from <= place && place < to);
    assert.equal(to - from, 6);
    assert.equal(size, 60);
  }
});

test("a score lights its row of Q and its column of Kᵀ, a result its row of weights and its column of V", () => {
  assert.deepEqual(litBy("scores", 1, 2), { rows: [["q", 1]], columns: [["k", 2]], cells: [["scores", 1, 2]] });
  assert.deepEqual(litBy("heads", 1, 3), { rows: [["weights", 1]], columns: [["v", 3]], cells: [["heads", 1, 3]] });
});

test("a score is written as the products it is made of, over the root", () => {
  assert.equal(text(products([2, -1, 0.5, 0], [1, 3, -2, 0.25], -1, { root: 4 })), "( 2.000·1.000 + −1.000·3.000 + 0.500·−2.000 + 0.000·0.250 ) / √4 = −1.00");
});

test("who adds up what a sum says comes to the result it says, or it says about", () => {
  let seed = 7;
  const random = () => { seed = (seed * 16807) % 2147483647; return (seed / 2147483647 - 0.5) * 8; };
  let exact = 0;
  for (let round = 0; round < 300; round++) {
    const [row, column] = [Array.from({ length: 8 }, random), Array.from({ length: 8 }, random)];
    const result = row.reduce((sum, value, i) => sum + value * column[i], 0) / 2;
    const written = text(products(row, column, result, { root: 4 }));
    const [terms, , equals, shown] = written.replace("( ", "").split(/ \) \/ √(\d) ([=≈]) /);
    const added = terms.split(" + ").reduce((sum, term) => { const [x, y] = term.split("·").map(number); return sum + x * y; }, 0) / 2;
    const decimals = shown.split(".")[1].length;
    exact += Number(equals === "=");
    if (equals === "=") assert.equal(added.toFixed(decimals), number(shown).toFixed(decimals), written);
  }
  assert(exact > 270, `only ${exact} of 300 sums work out`);
});

test("a softmax works out as it is written, or says about", () => {
  const row = [-1.713342, 0.812345, 2.004219, -0.333391];
  const raised = row.map((score) => Math.exp(score - 2.004219));
  const total = raised.reduce((sum, value) => sum + value, 0);
  const written = text(shares(row, 1, raised[1] / total));
  const [, , score, largest, own, list, sum, share, whole, result] = written.match(/^(e\^\( (\S+) − (\S+) \) = (\S+)) {3}of {3}(.+) = (\S+) {3}→ {3}(\S+) \/ (\S+) = (\S+)$/) ?? assert.fail(written);
  const places = (/** @type {string} */ shown) => shown.split(".")[1].length;
  assert.equal(Math.exp(number(score) - number(largest)).toFixed(places(own)), own);
  assert.equal(list.split(" + ").reduce((added, term) => added + number(term), 0).toFixed(places(sum)), sum);
  assert.equal((number(share) / number(whole)).toFixed(places(result)), result);
});

test("a small share keeps digits that say something, and every number all its digits for who points at it", () => {
  const pieces = products([0.0123456], [0.1], 0.00123456);
  assert.match(text(pieces), /= 0\.0012$/);
  assert.deepEqual(pieces.map((piece) => piece.all).filter(Boolean), ["0.0123456", "0.1", "0.00123456"]);
});

test("a long sum says how much the terms that are not written come to", () => {
  assert.match(text(products(Array(10).fill(1), Array(10).fill(2), 20)), / \+ 4\.000 from 2 more = 20\.00$/);
});

test("a weight is its exponential's share of the row; fruit on apple, banana and chair", () => {
  const row = [Math.log(0.6), Math.log(0.4), -Infinity];
  assert.match(text(shares(row, 0, 0.6)), /1\.000 \/ 1\.67 = 0\.60$/);
  assert.match(text(shares(row, 2, 0, "because it is padding")), /^blocked: −∞, because it is padding; {3}e\^−∞ = 0 .* = 0\.00$/);
});

test("a row with every key blocked has weights 0, and says so", () => {
  assert.equal(text(shares([-Infinity, -Infinity], 1, 0)), "every key of this row is blocked: all weights are 0");
});

test("where dropout acts, V is mixed by what it leaves of the weights", () => {
  for (const room of [WIDE, NARROW]) {
    const spans = { query: span("query", "tgt", 3, 0, 8), key: span("key", "tgt", 3, 0, 8), width: span("d_k", "d_k", 4, 0, 8) };
    const ids = (/** @type {"none" | "idle" | "acts"} */ dropout) => arithmetic({ ...role, mixed: "dropped" }, spans, room, dropout).matrices.map((matrix) => matrix.id);
    assert.deepEqual(ids("none"), ["q", "k", "scores", "weights", "v", "heads"]);
    assert.deepEqual(ids("idle"), ids("none"));
    assert.deepEqual(ids("acts"), ["q", "k", "scores", "weights", "dropped", "v", "heads"]);
    const acting = arithmetic({ ...role, mixed: "dropped" }, spans, room, "acts");
    const of = (/** @type {string} */ id) => acting.matrices.find((matrix) => matrix.id === id) ?? assert.fail(id);
    assert.equal(of("dropped").tensor, "dropped");
    assert.equal(of("dropped").y, of("heads").y);
    assert.equal(of("dropped").x, of("weights").x);
    assert(acting.arrows.some((arrow) => arrow.text === "dropout"));
  }
  assert.deepEqual(litBy("heads", 1, 2, "dropped").rows, [["dropped", 1]]);
});

test("the way from the scores to the weights says that a mask comes first", () => {
  for (const room of [WIDE, NARROW]) assert(made(2, 3, 4, room).scene.arrows.some((arrow) => arrow.text === "mask, softmax"));
});

test("a blocked cell says which mask blocks it", () => {
  const tensors = [["mask", "all_of", ["pad", "causal"]], ["pad", "not_padding", ["ids"]], ["causal", "not_later", []], ["ids", "given", []]];
  const legend = /** @type {any} */ ({ tensors: new Map(tensors.map(([name, kind, reads]) => [name, { name, kind, reads }])) });
  assert.deepEqual(reasonsOf(legend, "mask"), ["pad", "causal"]);
  const masks = /** @type {any} */ ([{ name: "pad", shape: [3], values: [1, 1, 0] }, { name: "causal", shape: [2, 3], values: [1, 0, 0, 1, 1, 0] }]);
  assert.equal(whyBlocked(legend, masks, 0, 1), "because it is later than the query");
  assert.equal(whyBlocked(legend, masks, 1, 2), "because it is padding and later than the query");
  assert.equal(whyBlocked(legend, masks.slice(0, 1), 1, 2), "because it is padding");
});

test("the cut into heads is told with its numbers", () => {
  const whole = { name: "a.queries", over: ["batch", "tgt", "d_model"] };
  const split = /** @type {any} */ ({ kind: "split", reads: ["a.queries"], over: ["batch", "head", "tgt", "d_k"] });
  const legend = /** @type {any} */ ({ tensors: new Map([["a.queries", whole]]) });
  assert.match(cutSentence(legend, split, { head: 2, d_k: 4 }), /^Of queries, columns 0–3 become head 1, 4–7 head 2\./);
  assert.match(cutSentence(legend, split, { head: 8, d_k: 64 }), /columns 0–63 become head 1, 64–127 head 2, …, 448–511 head 8\./);
  assert.equal(cutSentence(legend, { ...split, kind: "linear" }, { head: 2, d_k: 4 }), "");
  assert.equal(columnOfWhole(legend, split, { head: 2, d_k: 4 }, [{ over: "head", place: 1 }], 2), "column 6 of queries: its columns 4–7 are head 2");
});

test("blocked, NaN, zero and the ends of the scale look different", () => {
  const look = looks({ kind: "signed", bound: 2, blocked: true });
  assert.equal(look(-Infinity).mark, "blocked");
  assert.equal(look(NaN).mark, "nan");
  assert.equal(look(Infinity).mark, "infinite");
  assert.equal(look(0).share, 0);
  assert.equal(look(-2).share, 1);
  assert.equal(look(1).share, 0.5);
  assert.notEqual(look(-1).fill, look(1).fill);
  assert.equal(looks({ kind: "signed", bound: 2, blocked: false })(-Infinity).mark, "infinite", "only a mask blocks");
});

test("shares run from 0 to the end of their scale", () => {
  assert.equal(looks({ kind: "share", bound: 1, blocked: false })(0.5).share, 0.5);
  assert.equal(looks({ kind: "share", bound: 1.25, blocked: false })(1.25).share, 1);
});
