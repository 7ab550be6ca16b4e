/** Where the hypotheses of one sentence stand: a column for each step, the best path on top, what was dropped below. Pure. */

import { visible } from "../core/tokens.js";

/**
 * @typedef {import("../core/types.js").TreeNode} TreeNode
 * @typedef {{node: TreeNode, text: string, x: number, y: number, w: number, lane: number, dropped: boolean, best: boolean, parent: Place | null, children: Place[]}} Place
 * @typedef {{step: number, x: number, kept: Place[], dropped: Place[]}} Column  the nodes that a step made; step −1 is the start
 * @typedef {{columns: Column[], places: Map<number, Place>, pitch: number, width: number, height: number}} Plan
 */

export const HEAD = 22;
export const ROW = 34;
export const SMALL = 17;
const LETTER = 7.4;
const NARROW = 52;
const WIDE = 118;
const LONGEST = 12;
const LEFT = 8;

/**
 * @param {TreeNode[]} nodes   all nodes of a decoding
 * @param {number} sentence
 * @param {number} best   the best hypothesis of the sentence: the path to it stands in the first lane
 * @returns {Plan}
 */
export function layout(nodes, sentence, best) {
  const mine = nodes.filter((node) => node.sentence === sentence);
  const path = new Set(pathOf(nodes, best).map(({ id }) => id));
  const texts = new Map(mine.map(({ id, token }) => [id, shortened(visible(token.text))]));
  const pitch = Math.round(Math.max(NARROW, Math.min(WIDE, 30 + LETTER * Math.max(...[...texts.values()].map((text) => text.length)))));
  const lanes = Math.max(...counts(mine.filter(({ fate }) => fate !== "dropped")));
  /** @type {Plan} */
  const plan = { columns: [], places: new Map(), pitch, width: 0, height: 0 };
  const first = Math.min(...mine.map(({ step }) => step));
  const last = Math.max(...mine.map(({ step }) => step));
  for (let step = first; step <= last; step++) {
    const x = LEFT + (step - first) * pitch;
    const made = mine.filter((node) => node.step === step).map((node) => placed(node, plan, { x, text: /** @type {string} */ (texts.get(node.id)), path }));
    made.sort(inOrder);
    const kept = made.filter(({ dropped }) => !dropped);
    const dropped = made.filter((place) => place.dropped);
    kept.forEach((place, lane) => Object.assign(place, { lane, y: HEAD + ROW * (lane + 0.5) - 4 }));
    dropped.forEach((place, i) => Object.assign(place, { lane: lanes + i, y: HEAD + ROW * lanes + SMALL * (i + 0.5) + 2 }));
    for (const place of [...kept, ...dropped]) place.parent?.children.push(place);
    plan.columns.push({ step, x, kept, dropped });
  }
  plan.width = LEFT + plan.columns.length * pitch + 8;
  plan.height = Math.max(...plan.columns.flatMap(({ kept, dropped }) => [...kept, ...dropped]).map(({ y }) => y)) + ROW / 2 + 2;
  return plan;
}

/**
 * The hypotheses that lead to one, the start first, itself last.
 * @param {TreeNode[]} nodes
 * @param {number} id
 * @returns {TreeNode[]}
 */
export function pathOf(nodes, id) {
  /** @type {TreeNode[]} */
  const path = [];
  for (let node = nodes[id]; node; node = nodes[node.parent ?? -1]) path.unshift(node);
  return path;
}

/** @param {TreeNode} node @param {Plan} plan @param {{x: number, text: string, path: Set<number>}} about @returns {Place} */
function placed(node, plan, { x, text, path }) {
  const parent = plan.places.get(node.parent ?? -1) ?? null;
  const dropped = node.fate === "dropped";
  const w = Math.round(text.length * LETTER * (dropped ? 0.9 : 1)) + 12;
  const place = { node, text, x: Math.round(x + (plan.pitch - w) / 2), y: 0, w, lane: 0, dropped, best: path.has(node.id), parent, children: [] };
  plan.places.set(node.id, place);
  return place;
}

/** Below each other as their parents are, so that no two paths cross; of one parent's, the best path first, then by score. @param {Place} a @param {Place} b */
function inOrder(a, b) {
  return (a.parent?.lane ?? 0) - (b.parent?.lane ?? 0) || Number(b.best) - Number(a.best) || b.node.score - a.node.score || a.node.id - b.node.id;
}

/** How many nodes each step made. @param {TreeNode[]} nodes */
function counts(nodes) {
  const found = new Map();
  for (const { step } of nodes) found.set(step, (found.get(step) ?? 0) + 1);
  return [...found.values()];
}

/** @param {string} text */
function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
