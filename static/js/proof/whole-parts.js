/** What was compared in a whole run: tensors, the logits of a run that nobody watches, the layers of torch.nn. */

import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { partNamed, partTitle, whereabouts } from "../tensor/naming.js";
import { placeLink } from "./links.js";
import { leafWords, tiny } from "./words.js";

/**
 * @typedef {import("./words.js").Verdict} Verdict @typedef {import("./words.js").Measured} Measured
 * @typedef {import("../core/store.js").Store} Store
 */

/**
 * @param {Verdict} verdict @param {import("../core/types.js").Trace} trace @param {Store} store
 * @returns {HTMLElement[]}
 */
export function wholeParts(verdict, trace, store) {
  return [
    part(verdict.failures.length === 0, "Every tensor again, in double precision, by other code", tensors(verdict, store)),
    part(verdict.unwatched.passes, "The same run, watched by nobody", [el("p", { text: unwatched(verdict.unwatched) })]),
    part(verdict.reference.layers.every(({ passes }) => passes), "The layers of torch.nn, with the same weights", reference(verdict.reference, store), verdict.reference.why_not === null),
    el("p", { class: "soft small" }, "At the command line: ", el("code", { text: `glassformer verify ${trace.model}` })),
  ];
}

/** @param {boolean} passes @param {string} title @param {HTMLElement[]} inside @param {boolean} [judged] */
function part(passes, title, inside, judged = true) {
  const state = judged ? (passes ? "passes" : "fails") : "none";
  const sign = { passes: "✓", fails: "✗", none: "–" }[state];
  return el("section", { class: "proof-part", data: { state } }, el("h3", {}, el("span", { class: "proof-sign", "aria-hidden": "true", text: sign }), title), ...inside);
}

/** @param {Verdict} verdict @param {Store} store */
function tensors({ tensors: number, cells, exact, leaves, worst, failures }, store) {
  const all = `${count(number)} tensors, ${count(cells)} numbers. ${count(exact)} tensors agree to the last bit, the others but for rounding. Not computed, so not recomputed: ${leafWords(leaves)}.`;
  if (failures.length === 0) return [el("p", { text: all }), el("p", {}, `The largest relative difference is ${tiny(worst.max_rel)}, and ${tiny(worst.tolerance)} is allowed there: `, ...placed(worst, store), ".")];
  return [el("p", { text: `${count(number)} tensors, ${count(cells)} numbers. These differ by more than rounding:` }), el("ul", {}, ...failures.map((failure) => failed(failure, store)))];
}

/** @param {Measured} failure @param {Store} store */
function failed(failure, store) {
  return el("li", {}, ...placed(failure, store), `: ${tiny(failure.max_rel)}, allowed ${tiny(failure.tolerance)}`);
}

/** The cell, and the block that it stands in. @param {Measured} proof @param {Store} store */
function placed(proof, store) {
  const { model } = store.get();
  const where = model ? whereabouts(model, proof.name) : [];
  return [placeLink(store, proof), where.length > 0 && ` in ${where.join(" · ")}`];
}

/** @param {Verdict["unwatched"]} found */
function unwatched({ cells, different, max_abs: most }) {
  return different === 0
    ? `A network without any hook, with these weights, gives the same ${count(cells)} logits to the last bit: watching changes nothing.`
    : `${count(different)} of ${count(cells)} logits differ, by ${tiny(most)} at most.`;
}

/** @param {Verdict["reference"]} found @param {Store} store */
function reference({ layers, why_not: why }, store) {
  if (why !== null) return [el("p", { text: `Not compared. ${why}` })];
  const { model } = store.get();
  const title = (/** @type {string} */ name) => {
    const block = model && partNamed(model.tree, name);
    return block ? partTitle(/** @type {import("../core/types.js").Model} */ (model), block) : name;
  };
  return [
    el("p", { text: "Each layer of PyTorch's own, on the inputs recorded here; the largest relative difference of its outputs:" }),
    el("dl", { class: "proof-layers" }, ...layers.map(({ name, max_rel: relative }) => el("div", {},
      el("dt", {}, el("button", { type: "button", class: "link", text: title(name), title: `show ${name} in the diagram`, on: { click: () => store.set({ at: name }) } })), el("dd", { class: "mono", text: tiny(relative) })))),
  ];
}
