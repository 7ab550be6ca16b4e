/** The arithmetic of one head: where its matrices stand, what a chosen cell lights up, how its sum is written. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { CELL, arithmetic, litBy, span } from "../../static/js/diagram/arithmetic.js";
import { products, shares } from "../../static/js/diagram/sum.js";
import { looks } from "../../static/js/diagram/values.js";

const named = (/** @type {string} */ name) => /** @type {any} */ ({ name });
const role = /** @type {any} */ ({ q: named("q"), k: named("k"), v: named("v"), scale: named("scaled"), softmax: named("weights"), mix: named("heads") });
const write = (/** @type {number} */ value) => value.toFixed(2);
const text = (/** @type {{text: string}[]} */ pieces) => pieces.map((piece) => piece.text).join("");

const WIDE = { width: 860, height: 500 };
const NARROW = { width: 390, height: 480 };

/** @param {number} queries @param {number} keys @param {number} width @param {{width: number, height: number}} [room] */
function made(queries, keys, width, room = WIDE) {
  const scene = arithmetic(role, { query: span("query", "tgt", queries, 0, 8), key: span("key", "src", keys, 0, 8), width: span("d_k", "d_k", width, 0, 8) }, room);
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
    for (const room of [WIDE, NARROW]) {
      const { scene } = made(queries, keys, width, room);
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
  assert.equal(text(products([2.57, -0.29, -0.78, -1.14], [-1.47, 0, -0.78, 0.21], -1.71, write, { root: 4 })), "( 2.57·-1.47 + -0.29·0.00 + -0.78·-0.78 + -1.14·0.21 ) / √4 = -1.71");
});

test("a long sum says how much the terms that are not written come to", () => {
  assert.match(text(products(Array(10).fill(1), Array(10).fill(2), 20, write)), / \+ 4\.00 from 2 more = 20\.00$/);
});

test("a weight is its exponential's share of the row; fruit on apple, banana and chair", () => {
  const row = [Math.log(0.6), Math.log(0.4), -Infinity];
  assert.match(text(shares(row, 0, 0.6, write)), /1\.00 \/ 1\.67 = 0\.60$/);
  assert.match(text(shares(row, 2, 0, write)), /^blocked: e\^−∞ = 0\.00/);
});

test("a row with every key blocked has weights 0, and says so", () => {
  assert.equal(text(shares([-Infinity, -Infinity], 1, 0, write)), "no key is allowed in this row: all weights are 0.00");
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
