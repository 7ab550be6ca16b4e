/** Moving about in the diagram: arrow keys, the camera, rows and strokes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitting, zoomed } from "../../static/js/diagram/camera.js";
import { head, line } from "../../static/js/diagram/pen.js";
import { rank } from "../../static/js/diagram/rank.js";
import { WAYS, nearest } from "../../static/js/diagram/walk.js";

const stop = (/** @type {string} */ id, /** @type {number} */ x, /** @type {number} */ y) => ({ id, rect: { x, y, w: 10, h: 10 } });

test("an arrow key goes to the nearest thing that way", () => {
  const [middle, up, farUp, right] = [stop("middle", 0, 0), stop("up", 4, -30), stop("far up", 0, -80), stop("right", 60, 8)];
  const stops = [middle, up, farUp, right];
  assert.equal(nearest(stops, middle, WAYS.ArrowUp)?.id, "up");
  assert.equal(nearest(stops, middle, WAYS.ArrowRight)?.id, "right");
  assert.equal(nearest(stops, middle, WAYS.ArrowLeft), null);
});

test("a scene fits the room whole, in the middle, and is not blown up", () => {
  assert.deepEqual(fitting({ width: 100, height: 400 }, { width: 800, height: 200, left: 0, top: 0 }), { scale: 0.5, x: 375, y: 0 });
  assert(fitting({ width: 10, height: 10 }, { width: 800, height: 600, left: 0, top: 0 }).scale < 1.5);
});

test("zooming keeps the point under the pointer where it is", () => {
  const view = { scale: 1, x: 10, y: 20 };
  const { scale, x, y } = zoomed(view, 2, 110, 220);
  assert.equal((110 - x) / scale, 110 - view.x);
  assert.equal((220 - y) / scale, 220 - view.y);
});

test("zooming has its limits", () => {
  assert(zoomed({ scale: 1, x: 0, y: 0 }, 1e9, 0, 0).scale < 10);
  assert(zoomed({ scale: 1, x: 0, y: 0 }, 1e-9, 0, 0).scale > 0.1);
});

test("each box stands above what it reads, and a long wire keeps a lane", () => {
  const boxes = ["in", "mean", "centre", "out"].map((id) => ({ id, width: 50 }));
  const { nodes, steps } = rank(boxes, [{ id: "x", from: "in", to: ["mean", "centre"] }, { id: "m", from: "mean", to: ["centre"] }, { id: "c", from: "centre", to: ["out"] }], { first: new Set(["in"]), last: new Set(["out"]) });
  assert.deepEqual(["in", "mean", "centre", "out"].map((id) => nodes.get(id)?.row), [0, 1, 2, 3]);
  assert.equal([...nodes.values()].filter((node) => node.lane).length, 1);
  assert(steps.every(({ from, to }) => nodes.get(to)?.row === (nodes.get(from)?.row ?? 0) + 1));
});

test("an arrow's line stops where its head begins", () => {
  assert.equal(line([[0, 100], [0, 0]], true), "M0 100L0 6");
  assert.equal(head([[0, 100], [0, 0]]), "M0 0L3.5 7L-3.5 7Z");
});
