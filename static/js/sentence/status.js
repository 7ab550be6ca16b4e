/** The line under the sentences: what the server says about them, else what they are for. */

import { dress, el } from "../core/dom.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/store.js").State} State */

const FEW_WORDS = 12;
const FEW_NOTICES = 2;
const SHIFT = "The decoder reads the target one place late, so that each label is a token it has not seen yet.";
const DECODING = "While decoding there is no target: the decoder reads what it has written itself.";

/**
 * @param {Store} store
 * @returns {HTMLElement}
 */
export function createStatus(store) {
  const src = el("p", { class: "field-note small", id: "src-note" });
  const tgt = el("p", { class: "field-note small", id: "tgt-note" });
  const alert = el("div", { class: "visually-hidden", role: "alert" });

  function render() {
    const state = store.get();
    const wrong = state.phase === "offline" ? null : state.problem;
    say(src, wrong && wrong.where !== "tgt" ? problem(wrong) : null, notices(state.trace?.notices ?? []), aboutSource(state));
    say(tgt, wrong?.where === "tgt" ? problem(wrong) : null, "", state.decoding ? DECODING : SHIFT);
    const spoken = wrong ? problem(wrong) : "";
    if (alert.textContent !== spoken) alert.textContent = spoken;
  }

  store.subscribe(["problem", "trace", "model", "phase", "decoding", "input"], render);
  render();
  return el("div", { class: "notes" }, src, tgt, alert);
}

/** @param {HTMLElement} line @param {string | null} wrong @param {string} notices @param {string} otherwise */
function say(line, wrong, notices, otherwise) {
  const text = wrong ?? (notices || otherwise);
  dress(line, { class: `field-note small ${wrong ? "is-problem" : notices ? "is-notice" : "soft"}`, text, title: text });
}

/** @param {import("../core/types.js").Problem} problem */
function problem({ message }) {
  return sentence(message.charAt(0).toUpperCase() + message.slice(1));
}

/** @param {string} text */
function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The first few; one that is like the others need not be read. @param {string[]} all */
function notices(all) {
  const more = all.length - FEW_NOTICES;
  return all.slice(0, FEW_NOTICES).map(sentence).join(" ") + (more > 0 ? ` And ${more} more like this.` : "");
}

/** @param {State} state */
function aboutSource({ model, trace, input }) {
  if (trace && !isRun(input, trace.recipe)) return "Changed, not run yet: Enter runs it. Everything below still shows the last run.";
  const words = model?.vocabulary?.filter((word) => !model.specials.includes(word)) ?? [];
  return words.length && words.length <= FEW_WORDS ? `The encoder reads the source at once. Words of this model: ${words.join(", ")}.` : "The encoder reads the source at once.";
}

/**
 * Whether what stands in the bar is what was run. A decoding runs the sources only.
 * @param {import("../core/types.js").Recipe} input
 * @param {import("../core/types.js").Recipe} recipe
 */
export function isRun(input, recipe) {
  const same = (/** @type {string[]} */ a, /** @type {string[]} */ b) => a.length === b.length && a.every((text, i) => text === b[i]);
  return same(input.src, recipe.src) && (recipe.prefix !== undefined || same(input.tgt ?? [], recipe.tgt ?? []));
}
