/** What the sheet says of a position: one line of the table each, or one column where there are many positions. */

import { el } from "../core/dom.js";
import { fixed, logarithm, percent } from "../core/format.js";
import { tokenChip, visible } from "../core/tokens.js";
import { numberLink } from "./sheet-link.js";
import { seesWords, strip } from "./sheet-strip.js";

/**
 * @typedef {import("./sheet.js").Place} Place @typedef {import("../core/store.js").Store} Store @typedef {import("../core/dom.js").Child} Child
 * @typedef {{store: Store, names: ReturnType<typeof import("./sheet-places.js").namesOf>, sentence: number, length: number}} Around
 * @typedef {{title: string, says: string, cell: (place: Place, position: number, around: Around) => Child}} Aspect
 */

/** @type {Aspect[]} */
export const ASPECTS = [
  { title: "decoder input", says: "What is fed: the target one place late", cell: ({ fed }) => tokenChip(fed, "tgt", { id: false }) },
  { title: "may see", says: "The positions of its own input that the mask lets it look at", cell: seen },
  { title: "label", says: "What is to be said: the token that comes next", cell: ({ label }) => tokenChip(label, "tgt", { id: false }) },
  { title: "prediction", says: "The likeliest token, and how likely", cell: predicted },
  { title: "ln p(label)", says: "The log-probability of the label: 0 is certain", cell: logProb },
  { title: "surprisal", says: "Minus the log-probability of the label", cell: surprisal },
  { title: "loss term", says: "What the position adds to the loss; padding adds 0", cell: term },
  { title: "share", says: "The term's part of the sum", cell: share },
];

/** @param {Place} place @param {number} position @param {Around} around */
function seen({ sees, leak }, position, { store, names, sentence, length }) {
  const words = seesWords(sees, length);
  return numberLink(store, names.mask, [sentence, position, leak ? leak.cell[3] : position], strip({ sees, place: position, length, leak: leak ? leak.cell[3] : null }), { says: `position ${position} ${words}${leak ? ", its own label among them" : ""}`, class: "strip" });
}

/** @param {Place} place @param {number} position @param {Around} around */
function predicted({ predicted: token, probability, right, counted }, position, { store, names, sentence }) {
  const verdict = counted ? (right ? "right" : "wrong") : "not counted";
  return numberLink(store, names.probs, [sentence, position, token.id], el("span", { class: `sheet-said ${counted ? verdict : "uncounted"}` },
    el("bdi", { class: "strong", text: visible(token.text) }), el("span", { class: "chance", text: percent(Number(probability)) }), el("span", { class: "verdict", "aria-hidden": "true", text: counted ? (right ? "✓" : "✗") : "·" })),
  { says: `position ${position} predicts “${visible(token.text)}”, ${percent(Number(probability))}, ${verdict}` });
}

/** @param {Place} place @param {number} position @param {Around} around */
function logProb({ log_prob: value, label }, position, { store, names, sentence }) {
  return numberLink(store, names.log_probs, [sentence, position, label.id], logarithm(Number(value)), { says: `log-probability of “${visible(label.text)}” at position ${position}`, value });
}

/** @param {Place} place @param {number} position @param {Around} around */
function surprisal({ surprisal: value }, position, { store, names, sentence }) {
  return numberLink(store, names.surprisal, [sentence, position], logarithm(Number(value)), { says: `surprisal at position ${position}`, value });
}

/** @param {Place} place @param {number} position @param {Around} around */
function term({ term: value, counted }, position, { store, names, sentence }) {
  return numberLink(store, names.terms, [sentence, position], counted ? logarithm(Number(value)) : "0 · left out", { says: `loss term at position ${position}${counted ? "" : ", left out"}`, value, class: counted ? "term" : "term out" });
}

/** @param {Place} place */
function share({ share: value, counted }) {
  const part = Number(value);
  return el("span", { class: "sheet-share" }, el("span", { class: "sheet-room", "aria-hidden": "true" }, el("span", { class: "sheet-fill", vars: { "--share": Math.max(0, Math.min(1, part)) } })), el("span", { class: "mono", text: counted ? `${fixed(100 * part, 0)} %` : "—" }));
}
