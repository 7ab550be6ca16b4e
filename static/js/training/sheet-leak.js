/** The answer within reach: which positions read their own label, by which weight; and the alarm of a target that is not shifted. */

import { el } from "../core/dom.js";
import { fixed, percent } from "../core/format.js";
import { whereabouts } from "../tensor/naming.js";
import { numberLink } from "./sheet-link.js";
import { readingWords, readings } from "./sheet-words.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Model} Model */

const MOST = 3;

/**
 * @param {Sheet} sheet
 * @param {Store} store
 * @param {Model} model
 * @returns {HTMLElement | null}
 */
export function leaks(sheet, store, model) {
  const found = readings(sheet);
  if (!found.length) return null;
  const { count } = sheet;
  const more = found.length - MOST;
  return el("section", { class: "sheet-leaks", "aria-label": "the leak" },
    el("h3", { text: `${found.length} of ${count} positions can read their own label` }),
    el("ol", {}, ...found.slice(0, MOST).map((reading) => el("li", {}, readingWords(reading, sheet.sentences.length > 1), ": weight ",
      numberLink(store, reading.leak.name, reading.leak.cell, fixed(Number(reading.leak.weight), 3), { says: `weight of position ${reading.position} on its own label`, value: reading.leak.weight, class: "leak-weight" }),
      el("span", { class: "soft small", text: ` ${whereOf(reading.leak, model)}` })))),
    more > 0 && el("p", { class: "soft small", text: `and ${more} more, with smaller weights` }),
    el("p", { class: "small", text: leakSays(sheet, model) }));
}

/** "self-attention · decoder layer 2 · head 1" @param {{name: string, cell: number[]}} leak @param {Model} model */
function whereOf({ name, cell }, model) {
  return [...whereabouts(model, name), `head ${cell[1] + 1}`].join(" · ");
}

/** @param {Sheet} sheet @param {Model} model */
function leakSays({ unshifted }, model) {
  if (unshifted) return "A model trained like this learns to copy its input. It looks perfect in training, and can write nothing by itself.";
  if (model.trained) return "This model was trained with the mask, so it never learned to use what it now sees. Trained without the mask it would learn to copy the answer: near 0 in training, useless when it writes.";
  return "Trained like this, a model learns to copy the answer from one place ahead: its loss goes to 0, and it can write nothing, since then there is nothing ahead.";
}

/**
 * @param {Sheet} sheet
 * @param {string[]} notices   what came with the trace
 * @param {() => void} mend
 * @returns {HTMLElement | null}
 */
export function alarm({ unshifted, sentences }, notices, mend) {
  if (!unshifted) return null;
  const places = sentences.flat().filter(({ counted }) => counted);
  const copied = places.filter(({ right }) => right).length;
  return el("section", { class: "sheet-alarm", role: "alert" }, el("span", { class: "alarm-sign", "aria-hidden": "true", text: "!" }),
    el("div", {}, el("h3", { text: "The target is not shifted: every position is fed its own answer" }), el("p", { text: notices.join(" ") || "Every label is the token that is fed at its own position." }),
      el("p", { class: "small", text: `In this batch ${copied} of ${places.length} predictions (${percent(places.length ? copied / places.length : 0)}) are the token just fed.` })),
    el("button", { type: "button", class: "button", text: "Shift it right", on: { click: mend } }));
}
