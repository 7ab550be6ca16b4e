/** What a step of a decoding says in words. */

import { logarithm, percent, short } from "../core/format.js";
import { visible } from "../core/tokens.js";

const END = "<end>";

/** @typedef {import("../core/types.js").Row} Row @typedef {import("../core/types.js").Token} Token */

/**
 * How sure the model was of what it chose. −0.004 is 99.6 %. Where temperature or a cut changed the chance of a draw, both are said.
 * @param {Row} row
 */
export function sureness({ probability, log_prob, chosen, draw, top }) {
  const own = percent(Number(probability));
  const drawn = draw === null ? null : top.find(({ token }) => token.id === chosen?.id)?.chance;
  const chance = drawn === null || drawn === undefined ? own : percent(drawn);
  const said = chance === own ? own : `with chance ${chance} · the model alone gives ${own}`;
  return `${said} · log p ${logarithm(Number(log_prob))}`;
}

/**
 * How far the best is ahead of the second, or how many share its place; of a token that was drawn, how far it is behind the best.
 * @param {Row} row
 */
export function ahead({ chosen, draw, log_prob, margin, tied, top }) {
  const [best] = top;
  const behind = draw === null || !chosen || best.token.id === chosen.id ? 0 : Number(best.log_prob) - Number(log_prob);
  if (behind > 0) return `logit ${short(behind)} below “${visible(best.token.text)}”, the likeliest`;
  if (tied > 1) return draw === null ? `the lowest id of ${tied} equals` : `one of ${tied} equals`;
  return top.length > 1 && Number.isFinite(Number(margin)) ? `logit ${short(Number(margin))} above the next` : "";
}

/**
 * The log-probability of all that a hypothesis has written.
 * @param {Row} row
 * @param {string} kind
 */
export function sofar({ total }, kind) {
  return kind === "beam" ? `log p ${logarithm(Number(total))} in all` : "";
}

/**
 * What this step computed anew and what stayed as it was.
 * @param {import("../core/types.js").Step} step
 * @param {{causal: boolean, cache: boolean}} about
 */
export function change({ step, rows }, { causal, cache }) {
  const prefixes = rows.length > 1 ? `${rows.length} prefixes in one pass · ` : "";
  if (step === 0) return `${prefixes}new: the memory, for which the encoder runs once, and row 1 of the masked self-attention`;
  const memory = "memory untouched (the encoder ran once)";
  if (!causal) return `${prefixes}new: every row of the self-attention, for nothing hides later tokens · ${memory}`;
  return `${prefixes}new: row ${step + 1} of the masked self-attention${cache ? " alone, beside kept keys and values" : ""} · ${memory}`;
}

/**
 * What has to be known of a model before its choices are read; nothing of one that was trained and can end.
 * @param {Pick<import("../core/types.js").Model, "trained" | "specials">} model
 * @param {Pick<import("../core/types.js").Decoding, "max_steps">} decoding
 */
export function caution({ trained, specials }, { max_steps: most }) {
  const said = [trained ? null : "Random weights: what it chooses means nothing.", specials.includes(END) ? null : `This model has no end token, so it stops after ${most} tokens.`];
  return said.filter(Boolean).join(" ");
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
