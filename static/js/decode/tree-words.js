/** What the tree says in words: what became of a hypothesis, and why the best one won. Pure. */

import { fixed, logarithm } from "../core/format.js";
import { blanksSeen, visible } from "../core/tokens.js";
import { pathOf } from "./tree-layout.js";

/** @typedef {import("../core/types.js").TreeNode} TreeNode @typedef {import("../core/types.js").Tree} Tree */

/**
 * @param {TreeNode} node
 * @param {Record<string, any>} strategy
 */
export function fateSays({ fate, step }, { width }) {
  if (step < 0) return "the start: every hypothesis grows from it";
  if (fate === "dropped") return `dropped: not among the best ${width}`;
  return { live: "lives: it is fed in the next step", passed: "lived: it went on", died: "died: it was fed, and nothing of it stayed", end: "ended with the end token", length: "ended at the length limit" }[fate];
}

/**
 * What a hypothesis has written: its tokens, without the start and without the end that it may have come to.
 * @param {TreeNode[]} nodes
 * @param {number} id
 * @param {string} unit   what a token of the model is
 */
export function textOf(nodes, id, unit) {
  const tokens = pathOf(nodes, id).filter(({ step, fate, token }) => step >= 0 && !(token.special && fate === "end")).map(({ token }) => token.text);
  return blanksSeen(tokens.join(unit === "character" ? "" : " ")) || "nothing";
}

/**
 * All about one hypothesis.
 * @param {Tree} tree
 * @param {TreeNode} node
 * @param {string} unit
 */
export function nodeSays(tree, node, unit) {
  if (node.step < 0) return `${visible(node.token.text)}, ${fateSays(node, tree.strategy)}`;
  const score = tree.divisors ? `, over the length penalty ${logarithm(node.score)}` : "";
  return `“${textOf(tree.nodes, node.id, unit)}”, step ${node.step + 1}: “${visible(node.token.text)}” has log-probability ${logarithm(node.log_prob)}; in all ${logarithm(node.total)}${score}; ${fateSays(node, tree.strategy)}`;
}

/**
 * The hypotheses of a sentence that stand, the best first.
 * @param {Tree} tree
 * @param {number} sentence
 * @returns {TreeNode[]}
 */
export function standing({ nodes }, sentence) {
  return nodes.filter((node) => node.sentence === sentence && (node.fate === "live" || node.fate === "end" || node.fate === "length")).sort((a, b) => b.score - a.score || a.id - b.id);
}

/**
 * Why the best hypothesis of a sentence is the best, and what the length penalty did to the order.
 * @param {Tree} tree
 * @param {number} sentence
 * @param {string} unit
 * @returns {string}
 */
export function whyItWon(tree, sentence, unit) {
  const { strategy, divisors, finished } = tree;
  if (!divisors) return onePath(strategy.kind);
  const [first, second] = standing(tree, sentence);
  if (!first) return "";
  const named = (/** @type {TreeNode} */ { id }) => `“${textOf(tree.nodes, id, unit)}”`;
  const parts = (/** @type {TreeNode} */ { total, length }) => `log-probability ${logarithm(total)} over ${fixed(divisors[length], 3)}, the divisor for ${length} ${length === 1 ? "token" : "tokens"}`;
  if (strategy.width === 1) return `A beam of width 1 keeps one hypothesis a step: it is greedy decoding. ${named(first)} scores ${logarithm(first.score)}: ${parts(first)}.`;
  const head = `${named(first)} ${finished ? "wins" : "is the best so far"}`;
  if (!second) return `${head}: no other hypothesis stands beside it. It scores ${logarithm(first.score)}: ${parts(first)}.`;
  const [best, next] = apart(first.score, second.score);
  return `${head} with ${best}: ${parts(first)}. The runner-up ${named(second)} has ${next}: ${parts(second)}. ${penaltySays(tree, sentence, named)}`;
}

/**
 * Where the order by score is not the order by log-probability.
 * @param {Tree} tree @param {number} sentence @param {(node: TreeNode) => string} named
 */
function penaltySays(tree, sentence, named) {
  const ranked = standing(tree, sentence);
  const likeliest = ranked.reduce((best, node) => (node.total > best.total ? node : best));
  if (likeliest !== ranked[0]) {
    const [its, best] = apart(likeliest.total, ranked[0].total);
    return `The length penalty changed the winner: by log-probability alone it would be ${named(likeliest)}, ${its} against ${best}.`;
  }
  const passed = ranked.findIndex((node, i) => i > 0 && node.total > ranked[i - 1].total);
  if (passed > 0) return `The length penalty changed the order behind it: ${named(ranked[passed - 1])} stands before ${named(ranked[passed])}, whose log-probability is higher.`;
  return "Log-probability alone gives the same order.";
}

/** @param {string} kind */
function onePath(kind) {
  return kind === "sample" ? "Sampling keeps one hypothesis: each token is drawn by chance, so the tree is one path. A beam keeps several side by side."
    : "Greedy decoding keeps one hypothesis: each token is the one with the largest logit, so the tree is one path. A beam keeps several side by side.";
}

/**
 * Two numbers with as many decimals as tell them apart.
 * @param {number} a @param {number} b
 * @returns {[string, string]}
 */
export function apart(a, b) {
  if (logarithm(a) !== logarithm(b)) return [logarithm(a), logarithm(b)];
  for (let decimals = 3; decimals < 8; decimals++) if (fixed(a, decimals) !== fixed(b, decimals)) return [fixed(a, decimals), fixed(b, decimals)];
  return [logarithm(a), logarithm(b)];
}
