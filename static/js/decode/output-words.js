/** What was written, in words. Pure. */

import { logarithm } from "../core/format.js";
import { apart } from "./tree-words.js";

/** @typedef {import("../core/types.js").WrittenSentence} WrittenSentence */

const REASONS = { end: "ends with the end token", length: "ends at the length limit" };

/**
 * What a sentence comes to: its sum, its score, its length and why it ends there.
 * @param {WrittenSentence} sentence
 * @param {boolean} penalised   whether its score is not just the sum
 */
export function totals({ total, score, length, reason }, penalised) {
  const parts = [`log-probability ${logarithm(total)}`, penalised && `over the length penalty ${logarithm(score)}`, `${length} ${length === 1 ? "token" : "tokens"}`, reason ? REASONS[reason] : "has not ended"];
  return parts.filter(Boolean).join(" · ");
}

/**
 * Whether two ways of decoding came to the same sentence, and if not, which of the two the model finds likelier.
 * @param {WrittenSentence} mine
 * @param {WrittenSentence} other
 * @param {string} title   of the other way
 */
export function sameOrNot(mine, other, title) {
  const at = partsAt(mine, other);
  if (at < 0) return `The same: ${title} writes the same ${mine.length} ${mine.length === 1 ? "token" : "tokens"}.`;
  const [its, own] = apart(other.total, mine.total);
  const from = `They part at token ${at + 1}.`;
  if (other.total === mine.total) return `${from} Both are equally likely: ${own}.`;
  return other.total > mine.total ? `${from} What ${title} writes is likelier as a whole: ${its} against ${own}.` : `${from} What ${title} writes is less likely as a whole: ${its} against ${own}.`;
}

/**
 * The first place where two ways of decoding have written another token; −1 where they wrote the same.
 * @param {WrittenSentence} mine
 * @param {WrittenSentence} other
 */
export function partsAt(mine, other) {
  const longer = Math.max(mine.written.length, other.written.length);
  return Array.from({ length: longer }, (_, i) => i).findIndex((i) => mine.written[i]?.token.id !== other.written[i]?.token.id);
}
