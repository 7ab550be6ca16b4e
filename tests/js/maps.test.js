import assert from "node:assert/strict";
import test from "node:test";

import { litNow } from "../../static/js/explain/maps-lit.js";
import { cellAtSpot, planMaps, sliceOf, spotOf, takenBy } from "../../static/js/explain/maps-plan.js";
import { framesOf, shareOut } from "../../static/js/explain/maps-size.js";
import { addedAt, cellBefore, nextCell, placeOf, shareAt, stepped, sumOf } from "../../static/js/explain/product-walk.js";

/** @param {string} name @param {string} axes @param {number[]} shape */
function record(name, axes, shape) {
  const pairs = axes.split(" ").filter(Boolean).map((axis) => axis.split(":"));
  return { name, axes: pairs.map(([axis]) => axis), over: pairs.map(([axis, over]) => over ?? axis), shape };
}

const records = [
  record("q", "batch head query:tgt d_k", [2, 2, 2, 4]), record("k", "batch head key:src d_k", [2, 2, 3, 4]), record("scores", "batch head query:tgt key:src", [2, 2, 2, 3]),
  record("x", "batch tgt d_model", [2, 2, 8]), record("w", "in:d_model out:d_ff", [8, 32]), record("b", "out:d_ff", [32]), record("hidden", "batch tgt d_ff", [2, 2, 32]),
  record("ids", "batch src", [2, 3]), record("table", "vocab d_model", [5, 8]), record("embedded", "batch src d_model", [2, 3, 8]),
  record("big", "batch in:d_model out:d_ff", [4, 512, 2048]), record("loss", "", []),
];
const find = (/** @type {string} */ name) => records.find((one) => one.name === name);

const dot = {
  name: "scores", cell: [0, 1, 1, 2],
  operands: [
    { name: "q", role: "x", cell: [0, 1, 1, null], takes: [0, 1, 2, null], size: 4, first: 0, shown: 4 },
    { name: "k", role: "y", cell: [0, 1, 2, null], takes: [0, 1, 3, null], size: 4, first: 4, shown: 4 },
  ],
};
const linear = {
  name: "hidden", cell: [1, 0, 7],
  operands: [
    { name: "x", role: "x", cell: [1, 0, null], takes: [0, 1, null], size: 8, first: 0, shown: 8 },
    { name: "w", role: "w", cell: [null, 7], takes: [null, 2], size: 8, first: 8, shown: 8 },
    { name: "b", role: "b", cell: [7], takes: [2], size: 1, first: 16, shown: 1 },
  ],
};
const embed = {
  name: "embedded", cell: [0, 2, 5],
  operands: [
    { name: "ids", role: "ids", cell: [0, 2], takes: [0, 1], size: 1, first: 0, shown: 1 },
    { name: "table", role: "table", cell: [4, 5], takes: [-1, 2], size: 1, first: 1, shown: 1 },
  ],
};

test("a product stands as on paper: what gives the row at the left, what gives the column above and turned", () => {
  const { product, parts } = planMaps(dot, find);
  assert.ok(product);
  assert.deepEqual(parts.map(({ name, stands, row, column }) => [name, stands, row, column]), [["q", "left", 2, 3], ["k", "above", 3, 2], ["scores", "result", 2, 3]]);
});

test("a weight matrix that is stored in by out is not turned, and its bias stands with the result", () => {
  const { product, parts } = planMaps(linear, find);
  assert.ok(product);
  assert.deepEqual(parts.map(({ name, stands, row, column }) => [name, stands, row, column]), [["x", "left", 1, 2], ["w", "above", 0, 1], ["hidden", "result", 1, 2], ["b", "plain", null, 0]]);
});

test("what is no product stands in a row, and a lone number is no map", () => {
  assert.deepEqual(planMaps(embed, find).parts.map(({ name, stands }) => [name, stands]), [["ids", "plain"], ["table", "plain"]]);
  const { product, parts } = planMaps({ name: "ids", cell: [0, 0], operands: [{ name: "loss", role: "x", cell: [], takes: [], size: 1, first: 0, shown: 1 }] }, find);
  assert.deepEqual([product, parts], [false, []]);
});

test("another cell's row and column follow from what each axis takes; what no rule tells is asked for", () => {
  const [q, k] = planMaps(dot, find).parts;
  assert.deepEqual(takenBy(q, [1, 0, 0, 2]), [1, 0, 0, null]);
  assert.deepEqual(takenBy(k, [1, 0, 0, 2]), [1, 0, 2, null]);
  assert.deepEqual(spotOf(k, [1, 0, 2, null]), { row: null, column: 2 });
  assert.equal(takenBy(planMaps(embed, find).parts[1], [0, 0, 0]), null);
});

test("a place in a turned map is the right cell of its tensor", () => {
  const [, k] = planMaps(dot, find).parts;
  assert.deepEqual(cellAtSpot(k, k.cell, { row: 3, column: 1 }), [0, 1, 1, 3]);
});

test("a small tensor comes whole, a large one sliced and thinned", () => {
  const [q] = planMaps(dot, find).parts;
  assert.equal(sliceOf(q, q.cell), "");
  const { parts } = planMaps({ name: "x", cell: [0, 0, 0], operands: [{ name: "big", role: "x", cell: [3, null, 9], takes: [0, null, 2], size: 512, first: 0, shown: 64 }] }, find);
  assert.equal(sliceOf(parts[0], parts[0].cell), "batch:3,in:0-512/6,out:0-2048/22");
});

test("rows and columns of a product meet, in whatever room there is", () => {
  for (const width of [320, 400]) {
    for (const explanation of [dot, linear]) {
      const plan = planMaps(explanation, find);
      const [left, above, result] = framesOf(plan, width, () => ({ rows: 40, columns: 30 }));
      assert.equal(left.cellHeight, result.cellHeight);
      assert.equal(above.cellWidth, result.cellWidth);
      assert.ok(left.outerWidth + 12 + above.outerWidth <= width + 1, `${left.outerWidth} and ${above.outerWidth} in ${width}`);
      assert.ok(above.outerHeight + result.outerHeight < 360);
    }
  }
});

test("a thin matrix beside a long one stays visible", () => {
  const [thin, thick] = shareOut([4, 2000], 300, 38);
  assert.ok(4 * thin >= 80);
  assert.ok(4 * thin + 2000 * thick <= 300.001);
  assert.deepEqual(shareOut([3, 4], 700, 38), [38, 38]);
});

test("the walk goes through a matrix row by row and stays in its head and sentence", () => {
  const shape = [2, 2, 2, 3];
  assert.deepEqual(nextCell(shape, [1, 0, 0, 2]), [1, 0, 1, 0]);
  assert.deepEqual(cellBefore(shape, [1, 0, 1, 0]), [1, 0, 0, 2]);
  assert.equal(nextCell(shape, [1, 0, 1, 2]), null);
  assert.equal(cellBefore(shape, [0, 1, 0, 0]), null);
  assert.equal(placeOf(shape, [0, 0, 1, 2]), 5);
});

test("a step is a term, and goes on into the next cell", () => {
  const shape = [2, 3];
  assert.deepEqual(stepped(shape, { cell: [0, 0], added: 1 }, 1, 4), { cell: [0, 0], added: 2 });
  assert.deepEqual(stepped(shape, { cell: [0, 0], added: 4 }, 1, 4), { cell: [0, 1], added: 1 });
  assert.deepEqual(stepped(shape, { cell: [0, 1], added: 1 }, -1, 4), { cell: [0, 0], added: 4 });
  assert.equal(stepped(shape, { cell: [1, 2], added: 4 }, 1, 4), null);
});

test("a long sum takes no longer than a short one, and goes on where it was paused", () => {
  for (const terms of [4, 512]) {
    assert.equal(addedAt(0, terms), 1);
    assert.equal(addedAt(0.99, terms), terms);
    assert.equal(addedAt(shareAt(3, terms) + 1e-9, terms), 3);
  }
});

test("the sum grows to the value, with what is added to the products apart", () => {
  const numbers = [1, 2, 3, -4, 0.5];
  const explanation = {
    value: -4.5, terms: numbers.map((value) => ({ name: "", cell: [], value })),
    operands: [
      { name: "x", role: "x", cell: [0, null], takes: [], size: 2, first: 0, shown: 2 }, { name: "w", role: "w", cell: [null, 0], takes: [], size: 2, first: 2, shown: 2 },
      { name: "b", role: "b", cell: [0], takes: [], size: 1, first: 4, shown: 1 },
    ],
  };
  const { sums, others, rest } = sumOf(explanation, { left: "x", above: "w" });
  assert.deepEqual([sums, others, rest], [[3, -5], [{ name: "b", value: 0.5 }], 0]);
});

test("the operands of the selected cell are lit, or what the tensor reads while another is pointed at", () => {
  const trace = /** @type {any} */ ({ records: [{ name: "scores", reads: ["q", "k"] }, { name: "embedded", reads: ["ids", "table"] }] });
  const explanation = /** @type {any} */ (dot);
  assert.deepEqual(litNow({ trace, tensor: "scores", cell: [0, 0, 0, 0], hovered: null }, explanation), ["q", "k"]);
  assert.deepEqual(litNow({ trace, tensor: "embedded", cell: null, hovered: [0, 0, 0] }, explanation), ["ids", "table"]);
  assert.deepEqual(litNow({ trace, tensor: "embedded", cell: null, hovered: null }, null), []);
});
