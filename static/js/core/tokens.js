/** Tokens on the page: chips that show the text, the id, and whether the token is special, unknown or padding. */

import { el } from "./dom.js";
import { seen } from "./seen.js";

/** @typedef {import("./types.js").Token} Token */

/** @type {Record<string, string>} */
const MARKS = { " ": "␣", "\n": "⏎", "\t": "⇥", "": "∅" };

/**
 * A token's text as it can be seen: blanks have marks of their own.
 * @param {string} text
 */
export function visible(text) {
  return text.trim() ? seen(text) : [...text].map((letter) => MARKS[letter] ?? "␣").join("") || MARKS[""];
}

/**
 * A text whose blanks at its ends can be seen.
 * @param {string} text
 */
export function blanksSeen(text) {
  return seen(text).replace(/^ +| +$/g, (blanks) => MARKS[" "].repeat(blanks.length));
}

/**
 * What a token is, in words.
 * @param {Token} token
 */
export function tokenSays({ id, text, special, unknown, pad }) {
  const named = text.trim() ? `“${text}”` : "a space";
  if (pad) return `padding, id ${id}: fills a shorter sentence, and nothing looks at it`;
  if (unknown) return `${named} is not a token of this model; id ${id} stands in for it`;
  const what = special ? `special token ${text}` : named;
  return `${what}, id ${id}`;
}

/**
 * @param {Token} token
 * @param {"src" | "tgt"} side whose colour it wears
 * @param {{id?: boolean, tag?: "span" | "button", on?: Record<string, (event: any) => void>, current?: boolean}} [options]
 * @returns {HTMLElement}
 */
export function tokenChip(token, side, { id = true, tag = "span", on, current } = {}) {
  const kind = [token.special && "special", token.unknown && "unknown", token.pad && "pad"].filter(Boolean).join(" ");
  return el(tag, {
    class: `chip ${side} ${kind}`.trim(), title: tokenSays(token), on: on ?? {}, type: tag === "button" ? "button" : null, "aria-current": current ? "step" : null,
  }, el("bdi", { class: "chip-text", text: visible(token.text) }), id && el("span", { class: "chip-id", text: token.id }));
}
