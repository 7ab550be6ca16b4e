/** What a step of a decoding says in words. */

import { logarithm, percent, short } from "../core/format.js";

/** @typedef {import("../core/types.js").Row} Row @typedef {import("../core/types.js").Token} Token */

/**
 * How sure the model was of what it chose. −0.004 is 99.6 %.
 * @param {Row} row
 */
export function sureness({ probability, log_prob }) {
  return `${percent(Number(probability))} · log p ${logarithm(Number(log_prob))}`;
}

/**
 * How far the best is ahead of the second.
 * @param {Row} row
 */
export function ahead({ margin, top }) {
  return top.length > 1 && Number.isFinite(Number(margin)) ? `logit ${short(Number(margin))} above the next` : "";
}

/**
 * Why a sentence is not written on, or null while it is.
 * @param {Row} row
 * @param {number} step
 */
export function ending({ reason, done, prefix }, step) {
  if (reason === "end") return "Ends: end token.";
  if (reason === "length") return `Ends: length limit ${step + 1}.`;
  return done ? `Ended with step ${endedAt(prefix) + 1}; now it is fed padding, and nothing looks at it.` : null;
}

/**
 * The step that wrote the last token before the padding. The token of step k stands at place k + 1, after the start token.
 * @param {Token[]} prefix
 */
export function endedAt(prefix) {
  let place = prefix.length - 1;
  while (place > 0 && prefix[place].pad) place -= 1;
  return place - 1;
}
