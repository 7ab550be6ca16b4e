/** What is said under the sentences, and at which: pure functions. */

import { sameModel } from "../core/checkpoints.js";
import { rowOf } from "../core/sentences.js";

/**
 * @typedef {import("../core/types.js").Problem} Problem @typedef {import("../core/types.js").Recipe} Recipe @typedef {import("../core/types.js").Model} Model
 * @typedef {import("../core/store.js").State} State
 * @typedef {"src" | "tgt"} Side
 * @typedef {{kind: "problem" | "notice" | "plain", text: string}} Said
 */

const FEW_WORDS = 12;
const FEW_NOTICES = 2;
const SENT_ALONE = "Sent, waiting for its turn.";
const AWAY_ALONE = "Sent, waiting for the server.";
const CHANGED = "Changed, not run yet: press Enter. Everything below still shows the last run.";
const SENT = `${SENT_ALONE} Everything below still shows the last run.`;
const AWAY = `${AWAY_ALONE} Everything below still shows the last run.`;
const FROM_LINK = "From the link, not run: choose a model, or press Enter.";
const SHIFT = "The decoder reads the target one place late, so that each label is a token it has not seen yet.";
const NO_CAUSAL_MASK = "Causal mask off: each position also sees later tokens, its own label among them.";
const DECODING = "While decoding there is no target: the decoder reads what it has written itself.";
const EARLIER = "The target is still that of the earlier source; the loss measures this pair.";

/**
 * The field that a problem is about: `src.1` is the second source, `tgt` all targets; what is about no field stands at the source.
 * @param {Problem | null} problem
 * @returns {{side: Side, place: number | null, named: boolean} | null}
 */
export function fieldOf(problem) {
  if (!problem) return null;
  const match = /^(src|tgt)(?:\.(\d+))?$/.exec(problem.where);
  return { side: match?.[1] === "tgt" ? "tgt" : "src", place: match?.[2] === undefined ? null : Number(match[2]), named: match !== null };
}

/**
 * What stands under one side of the bar.
 * @param {Side} side
 * @param {State} state
 * @param {boolean} earlier   the shown target is still that of another source
 * @param {boolean} [away]   the server does not answer
 * @returns {Said}
 */
export function said(side, state, earlier, away = false) {
  const { problem, trace, input, sent, unopened } = state;
  if (problem && fieldOf(problem)?.side === side) return { kind: "problem", text: sentence(capital(problem.message)) };
  if (trace && !isRunOn(side, input, trace.recipe)) return sent && isRunOn(side, input, sent) ? { kind: "plain", text: away ? AWAY : SENT } : { kind: "notice", text: CHANGED };
  if (unopened?.asked) return sent ? { kind: "plain", text: away ? AWAY_ALONE : SENT_ALONE } : { kind: "notice", text: side === "src" ? FROM_LINK : "" };
  const noticed = noticesOf(side, trace?.notices ?? []);
  if (noticed) return { kind: "notice", text: noticed };
  return { kind: "plain", text: side === "src" ? aboutSource(state) : aboutTarget(state, earlier) };
}

/**
 * Whether a target is an example's and its source is not any more: who changes the source alone trains a pair that nobody chose.
 * @param {Model | null} model
 * @param {Recipe} input
 * @param {number} place
 */
export function isEarlierTarget(model, input, place) {
  const [src, tgt] = [input.src[place]?.trim(), input.tgt?.[place]?.trim()];
  if (!model || !src || !tgt) return false;
  const pairs = model.examples.flatMap((example) => example.src.map((each, i) => ({ src: each.trim(), tgt: example.tgt[i].trim() })));
  return pairs.some((pair) => pair.tgt === tgt) && !pairs.some((pair) => pair.tgt === tgt && pair.src === src);
}

/**
 * How much of the room for a source is taken: "3 of 64 tokens"; what was not run yet has no tokens to count.
 * @param {Model | null} model
 * @param {import("../core/types.js").Trace | null} trace
 * @param {Recipe} input
 * @param {number} place
 */
export function roomTaken(model, trace, input, place) {
  if (!model || !trace || !sameModel(trace.model, model.id)) return "";
  const most = model.config.max_length;
  const row = input.src[place] === trace.recipe.src[place] ? trace.tokens.src[rowOf(trace, place)] : undefined;
  return row ? `${row.filter(({ pad }) => !pad).length} of ${most} tokens` : `at most ${most} tokens`;
}

/**
 * Whether what stands in the bar is what was run. A decoding runs the sources only.
 * @param {Recipe} input
 * @param {Recipe} recipe
 */
export function isRun(input, recipe) {
  return isRunOn("src", input, recipe) && isRunOn("tgt", input, recipe);
}

/** @param {Side} side @param {Recipe} input @param {Recipe} recipe */
function isRunOn(side, input, recipe) {
  if (side === "tgt" && recipe.prefix !== undefined) return true;
  const [typed, run] = [input[side] ?? [], recipe[side] ?? []];
  return typed.length === run.length && typed.every((text, i) => text === run[i]);
}

/** The notices of a side; the first few, for one that is like the others need not be read. @param {Side} side @param {string[]} all */
function noticesOf(side, all) {
  const own = all.filter((notice) => /^target\b/i.test(notice) === (side === "tgt"));
  const more = own.length - FEW_NOTICES;
  return own.slice(0, FEW_NOTICES).map(sentence).join(" ") + (more > 0 ? ` And ${more} more like this.` : "");
}

/** @param {State} state */
function aboutSource({ model }) {
  const words = model?.vocabulary?.filter((word) => !model.specials.includes(word)) ?? [];
  return words.length && words.length <= FEW_WORDS ? `The encoder reads the source at once. Words of this model: ${words.join(", ")}.` : "The encoder reads the source at once.";
}

/** @param {State} state @param {boolean} earlier */
function aboutTarget({ model, trace, decoding }, earlier) {
  if (decoding) return DECODING;
  const unmasked = model?.config.causal === false || trace?.recipe.options?.causal === false;
  if (earlier) return unmasked ? `${EARLIER} ${NO_CAUSAL_MASK}` : EARLIER;
  return unmasked ? NO_CAUSAL_MASK : SHIFT;
}

/** @param {string} text */
function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
