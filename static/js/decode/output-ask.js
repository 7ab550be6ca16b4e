/** What a decoding wrote, and what it would have written in another way: asked for once, as none of it can change. */

import { createAnswers } from "../core/answers.js";
import { json } from "../core/api.js";

/**
 * @typedef {import("../core/types.js").Decoding} Decoding @typedef {import("../core/types.js").Result} Result
 * @typedef {{decoding: Decoding, result: Result}} Other
 */

const { once } = createAnswers();
/** @type {Map<string, Promise<Other>>} */
const others = new Map();

/** The way that a result is compared with: a beam of 4, or greedy where it is a beam. @param {Decoding} decoding */
export function otherWay({ strategy }) {
  return strategy.kind === "beam" ? { strategy: { kind: "greedy" }, title: "greedy decoding" } : { strategy: { kind: "beam", width: 4 }, title: "a beam of 4" };
}

/**
 * Decode to the end.
 * @param {string} decoding
 * @returns {Promise<Result>}
 */
export function resultOf(decoding) {
  return once(`/api/decodings/${decoding}/result`);
}

/**
 * The same sentences decoded in the other way, to the end.
 * @param {Decoding} decoding
 * @returns {Promise<Other>}
 */
export function compare(decoding) {
  const asked = others.get(decoding.id) ?? decodeOther(decoding).catch((error) => {
    others.delete(decoding.id);
    throw error;
  });
  others.set(decoding.id, asked);
  return asked;
}

/** @param {Decoding} decoding @returns {Promise<Other>} */
async function decodeOther(decoding) {
  const made = await json("/api/decodings", { body: { ...decoding.recipe, strategy: otherWay(decoding).strategy } });
  return { decoding: made, result: await resultOf(made.id) };
}
