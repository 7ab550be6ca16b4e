/** Axes on the page: their colour, the labels of their places, and sizes written in their colours. */

import { el } from "./dom.js";
import { visible } from "./tokens.js";

/** @typedef {import("./types.js").Trace} Trace @typedef {import("./types.js").Model} Model */

/**
 * The CSS value of an axis' colour. The colours themselves stand in css/tokens.css, one custom property for each axis.
 * @param {string} over what the axis runs over
 */
export function axisColour(over) {
  return `var(--axis-${over}, var(--ink))`;
}

/**
 * What one place on an axis is called: the token it holds where it runs over tokens, else its number.
 * @param {Trace | null} trace
 * @param {Model | null} model
 * @param {string} over
 * @param {number} place
 * @param {number} [sentence] which sentence's tokens
 * @param {string} [axis] the axis' own name, where it may have tokens of its own
 * @returns {string}
 */
export function placeLabel(trace, model, over, place, sentence = 0, axis = over) {
  const tokens = tokensAlong(trace, axis, over);
  if (tokens) return visible(tokens[sentence]?.[place]?.text ?? String(place));
  if (isTokens(over)) return model?.vocabulary?.[place] ?? `#${place}`;
  return String(countsFromOne(over) ? place + 1 : place);
}

/**
 * The tokens along an axis: its own where it has some (the labels, one place ahead of the decoder's input), else those of what it runs over.
 * @param {Trace | null} trace
 * @param {string} axis
 * @param {string} over
 * @returns {import("./types.js").Token[][] | null} one list a sentence
 */
export function tokensAlong(trace, axis, over) {
  const tokens = /** @type {Record<string, import("./types.js").Token[][] | null> | undefined} */ (trace?.tokens);
  return tokens?.[axis] ?? tokens?.[over] ?? null;
}

/**
 * Heads, sentences and layers are counted from 1 on the page, as people speak of them; indexes in addresses count from 0.
 * @param {string} over
 */
export function countsFromOne(over) {
  return over === "head" || over === "batch";
}

/**
 * Whether an axis has one place for each token that there is.
 * @param {string} over
 */
export function isTokens(over) {
  return over === "vocab";
}

/**
 * Whether an axis counts sentences, so that a place on it decides which tokens name the other axes.
 * @param {string} over
 */
export function isSentences(over) {
  return over === "batch";
}

/**
 * Whether an axis runs over what the decoder is fed, and so grows with each step of a decoding.
 * @param {string} over
 */
export function isFed(over) {
  return over === "tgt";
}

/**
 * Words about places, each in its axis' colour.
 * @param {{text: string, over?: string, strong?: boolean}[]} words
 * @returns {(HTMLElement | string)[]}
 */
export function axisWords(words) {
  return words.map(({ text, over, strong }) => (over || strong ? el("bdi", { class: strong ? "strong" : "on-axis", vars: over ? { "--axis": axisColour(over) } : {}, text }) : text));
}

/**
 * A size such as (2, 3, 8), each number a button in its axis' colour: hover or focus lights up every edge that has the axis.
 * @param {number[]} shape
 * @param {string[]} axes
 * @param {string[]} over
 * @param {import("./store.js").Store} store
 * @param {{names?: boolean}} [options] `names` writes (batch, src, d_model) instead of numbers
 * @returns {HTMLElement}
 */
export function sizeText(shape, axes, over, store, { names = false } = {}) {
  const made = el("span", { class: "size" }, "(");
  axes.forEach((axis, i) => {
    const named = axis === over[i] ? axis : `${axis} = ${over[i]}`;
    made.append(el("button", {
      type: "button", class: "size-axis", vars: { "--axis": axisColour(over[i]) }, title: `${named}: ${shape[i]}`, "aria-label": `${named}: ${shape[i]}`, text: names ? named : shape[i],
      on: {
        pointerenter: () => store.set({ axis: over[i] }), pointerleave: () => store.set({ axis: null }),
        focus: () => store.set({ axis: over[i] }), blur: () => store.set({ axis: null }),
      },
    }), i < axes.length - 1 ? ", " : "");
  });
  made.append(axes.length === 1 ? ",)" : ")");
  return made;
}
