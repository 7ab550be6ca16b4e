/** How one tensor was checked: what was computed again, by which rule and code, and how far the two are apart. */

import { el, math } from "../core/dom.js";
import { count } from "../core/format.js";
import { tensorLink } from "../tensor/links.js";
import { longTitle, ownName } from "../tensor/naming.js";
import { placeLink } from "./links.js";
import { percentOf, share, sideBySide, tiny } from "./words.js";

/**
 * @typedef {import("./words.js").Proof} Proof @typedef {import("./words.js").Proven} Proven
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../tensor/context.js").Context} Context
 */

/**
 * @param {Proof} proof @param {Context} context @param {Store} store
 * @returns {(HTMLElement | false)[]}
 */
export function panelParts(proof, context, store) {
  if (proof.leaf) return [el("h2", { text: "Nothing to compute again" }), el("p", { text: proof.says })];
  const exact = Number(proof.max_abs) === 0;
  return [
    el("h2", { text: "Computed a second time" }),
    el("p", {}, cells(proof.cells), " in double precision, by other code than the network's, from ", ...reads(proof.reads, context, store), ":"),
    el("div", { class: "proof-rule" }, math(proof.rule)),
    meter(proof, exact),
    !exact && worst(proof, store),
    el("p", { class: "soft small", text: proof.why }),
    code(proof.source),
  ];
}

/** @param {number} number */
function cells(number) {
  return number === 1 ? "Its one number" : `Each of its ${count(number)} numbers`;
}

/** @param {string[]} names @param {Context} context @param {Store} store @returns {(Node | string)[]} */
function reads(names, { model, trace }, store) {
  if (names.length === 0) return ["its place alone"];
  const link = (/** @type {string} */ name) => tensorLink(name, ownName(name), longTitle(model, name), store, trace.records.some((record) => record.name === name));
  return names.flatMap((name, i) => [i === 0 ? "" : i === names.length - 1 ? " and " : ", ", link(name)]).filter((part) => part !== "");
}

/** The difference beside what rounding explains. @param {Proven} proof @param {boolean} exact */
function meter(proof, exact) {
  const part = share(proof);
  const words = exact ? "all agree to the last bit" : `${percentOf(part)} of what rounding explains`;
  return el("div", { class: "proof-measure", data: { state: proof.passes ? "passes" : "fails" } },
    el("dl", { class: "figures" }, ...[["difference", proof.max_abs], ["relative", proof.max_rel], ["allowed", proof.tolerance]].map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: tiny(value) })))),
    el("div", { class: "proof-meter", role: "img", "aria-label": words, vars: { "--share": Math.min(1, Number.isFinite(part) ? part : 1) } }),
    el("p", { class: "small proof-words", text: words }));
}

/** The cell with the largest difference, both values under one another. @param {Proven} proof @param {Store} store */
function worst(proof, store) {
  const { same, tails } = sideBySide(proof.recorded, proof.replayed);
  const line = (/** @type {string} */ name, /** @type {string} */ tail) => el("div", {}, el("dt", { text: name }), el("dd", { class: "mono" }, same, el("b", { text: tail })));
  return el("div", { class: "proof-worst" },
    el("p", {}, "The largest is at ", placeLink(store, proof), "."),
    el("dl", {}, line("recorded", tails[0]), line("recomputed", tails[1])));
}

/** @param {string} source */
function code(source) {
  return el("details", { class: "proof-code" }, el("summary", { text: "The code of the second computation" }), el("pre", { tabindex: 0, "aria-label": "Python source" }, el("code", { text: source })));
}
