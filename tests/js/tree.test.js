import assert from "node:assert/strict";
import { test } from "node:test";

import { layout, pathOf } from "../../static/js/decode/tree-layout.js";
import { passOf, walk } from "../../static/js/decode/tree-walk.js";
import { apart, fateSays, standing, textOf, whyItWon } from "../../static/js/decode/tree-words.js";

const token = (text) => ({ id: 0, text, special: text.startsWith("<"), unknown: false, pad: false });
const node = (id, parent, step, text, total, score, fate, sentence = 0) => ({ id, parent, sentence, step, row: 0, token: token(text), log_prob: total, total, score, length: step + 1, fate });

/** Width 2: "b" is ahead at first, "a" wins in the end, "b" ended early. */
const NODES = [
  node(0, null, -1, "<start>", 0, 0, "passed"),
  node(1, 0, 0, "b", -0.5, -0.5, "passed"), node(2, 0, 0, "a", -0.9, -0.9, "passed"), node(3, 0, 0, "c", -4, -4, "dropped"),
  node(4, 1, 1, "<end>", -1, -0.91, "end"), node(5, 2, 1, "a", -1.1, -1, "passed"), node(6, 1, 1, "b", -3, -2.7, "dropped"),
  node(7, 5, 2, "<end>", -1.05, -0.88, "end"), node(8, 5, 2, "a", -5, -4.2, "dropped"),
];
const TREE = { steps: 3, finished: true, strategy: { kind: "beam", width: 2, length_penalty: 0.6 }, rule: "", divisors: [0.9, 1, 1.097, 1.188], nodes: NODES, best: [7], traces: [] };

test("the best path stands in the first lane, though another was ahead at first", () => {
  const { places } = layout(NODES, 0, 7);
  assert.deepEqual(pathOf(NODES, 7).map(({ id }) => id), [0, 2, 5, 7]);
  assert.deepEqual([0, 2, 5, 7].map((id) => places.get(id).lane), [0, 0, 0, 0]);
  assert.equal(places.get(1).lane, 1);
});

test("a column for each step, from left to right, and dropped hypotheses below all that stayed", () => {
  const { columns, places, height, width } = layout(NODES, 0, 7);
  assert.deepEqual(columns.map(({ step }) => step), [-1, 0, 1, 2]);
  assert.ok(columns.every(({ x }, i) => i === 0 || x > columns[i - 1].x));
  assert.deepEqual(columns[1].dropped.map((place) => place.node.id), [3]);
  const lowest = Math.max(...[...places.values()].filter(({ dropped }) => !dropped).map(({ y }) => y));
  assert.ok([...places.values()].filter(({ dropped }) => dropped).every(({ y }) => y > lowest && y < height));
  assert.ok([...places.values()].every(({ x, w }) => x >= 0 && x + w <= width));
});

test("no two paths cross: children stand below each other as their parents do", () => {
  const wide = [node(0, null, -1, "<start>", 0, 0, "passed")];
  for (let step = 0; step < 40; step++) {
    const before = wide.filter((each) => each.step === step - 1 && each.fate !== "dropped");
    for (let i = 0; i < 8; i++) wide.push(node(wide.length, before[(i * 5 + step) % before.length].id, step, "t", -i, -i - step, "passed"));
  }
  const plan = layout(wide, 0, wide.at(-1).id);
  for (const { kept } of plan.columns) kept.forEach((place, i) => assert.ok(i === 0 || !place.parent || place.parent.lane >= kept[i - 1].parent.lane));
  assert.ok(plan.height < 400 && plan.columns.length === 41);
});

test("a sentence has a tree of its own", () => {
  const two = [...NODES, node(9, null, -1, "<start>", 0, 0, "passed", 1)];
  assert.deepEqual([...layout(two, 1, 9).places.keys()], [9]);
});

test("arrows walk to parent, best child and within a step; what is not drawn is passed over", () => {
  const plan = layout(NODES, 0, 7);
  const go = (id, key, seen = () => true) => walk(plan, id, key, seen);
  assert.equal(go(5, "ArrowLeft"), 2);
  assert.equal(go(5, "ArrowRight"), 7);
  assert.equal(go(2, "ArrowDown"), 1);
  assert.equal(go(1, "ArrowDown"), 3);
  assert.equal(go(1, "ArrowDown", ({ dropped }) => !dropped), 1);
  assert.equal(go(2, "ArrowUp"), 2);
  assert.deepEqual([go(7, "Home"), go(0, "End"), go(0, "x")], [0, 7, null]);
});

test("a hypothesis opens in the pass that it was fed to, one that was fed to none in the pass that made it", () => {
  assert.deepEqual(passOf(NODES[0]), { step: 0, fed: true });
  assert.deepEqual(passOf(NODES[5]), { step: 2, fed: true });
  assert.deepEqual(passOf(NODES[4]), { step: 1, fed: false });
  assert.deepEqual(passOf(NODES[3]), { step: 0, fed: false });
});

test("why the best one won names both scores, both log-probabilities and the divisors, and what the penalty did", () => {
  assert.equal(whyItWon(TREE, 0, "character"), "“aa” wins with −0.88: log-probability −1.05 over 1.188, the divisor for 3 tokens. The runner-up “b” has −0.91: log-probability −1.00 over 1.097, the divisor for 2 tokens. "
    + "The length penalty changed the winner: by log-probability alone it would be “b”, −1.00 against −1.05.");
  const same = { ...TREE, nodes: NODES.map((each) => (each.id === 4 ? { ...each, total: -1.2 } : each)) };
  assert.match(whyItWon(same, 0, "character"), /Log-probability alone gives the same order\.$/);
  assert.match(whyItWon({ ...TREE, divisors: null, strategy: { kind: "greedy" } }, 0, "word"), /^Greedy decoding keeps one hypothesis/);
  assert.match(whyItWon({ ...TREE, strategy: { ...TREE.strategy, width: 1 } }, 0, "word"), /it is greedy decoding/);
});

test("of what stands the best comes first; a hypothesis has written its tokens without start and end", () => {
  assert.deepEqual(standing(TREE, 0).map(({ id }) => id), [7, 4]);
  assert.equal(textOf(NODES, 7, "character"), "aa");
  assert.equal(textOf(NODES, 7, "word"), "a a");
  assert.equal(textOf(NODES, 0, "word"), "nothing");
  assert.equal(textOf([...NODES, node(9, 5, 2, " ", -2, -2, "live")], 9, "character"), "aa␣");
  assert.equal(fateSays(NODES[3], TREE.strategy), "dropped: not among the best 2");
});

test("two numbers are written with as many decimals as tell them apart", () => {
  assert.deepEqual(apart(-0.53, -0.91), ["−0.53", "−0.91"]);
  assert.deepEqual(apart(-1.0512, -1.0498), ["−1.051", "−1.050"]);
  assert.deepEqual(apart(-0.0001, -7.4), ["−0.0001", "−7.40"]);
});
