/** One row of logits, token by token: the probability as it is and as it would be, the target beside it, and the gradient. */

import { el } from "../core/dom.js";
import { fixed, percent, short } from "../core/format.js";
import { length } from "./loss-words.js";

/**
 * @typedef {{logits: number[], probabilities: number[], target: number[], gradient: number[], term: number | string, mean: number | string}} Row
 * @typedef {{cell: number[], tokens: number[], before: Row, after: Row}} WhatIf
 * @typedef {{what: WhatIf, places: number[], name: (id: number) => string, label: number, log: boolean, choose: (id: number) => void}} Drawn
 */

/**
 * @param {Drawn} drawn
 * @returns {HTMLElement}
 */
export function row({ what, places, name, label, log, choose }) {
  const most = Math.max(...places.flatMap((i) => [Math.abs(what.before.gradient[i]), Math.abs(what.after.gradient[i])]), 1e-12);
  const heads = [["token", ""], ["logit", ""], ["p and q", "p is what the model says, q what it should say"], ["p", ""], ["q", ""], ["gradient", "How the loss moves with this logit: (p − q) ÷ count"]];
  return el("table", { class: "loss-row" }, el("caption", { class: "visually-hidden", text: "target beside probability, token by token" }), el("thead", {}, el("tr", {}, ...heads.map(([text, says]) => el("th", { scope: "col", text, title: says || null })))),
    el("tbody", {}, ...places.map((i) => line(what, i, { most, text: name(what.tokens[i]), label: what.tokens[i] === label, log, choose }))));
}

/** @param {WhatIf} what @param {number} i @param {{most: number, text: string, label: boolean, log: boolean, choose: (id: number) => void}} about */
function line({ cell, tokens, before, after }, i, { most, text, label, log, choose }) {
  const chosen = tokens[i] === cell[2];
  const [was, is, target, gradient] = [before.probabilities[i], after.probabilities[i], after.target[i], after.gradient[i]];
  const bar = (/** @type {string} */ kind, /** @type {number} */ share) => el("span", { class: `loss-bar ${kind}`, vars: { "--share": length(share, log) } });
  return el("tr", { class: `${chosen ? "chosen" : ""}${label ? " label" : ""}`.trim() || null },
    el("th", { scope: "row" }, el("button", { type: "button", class: "loss-token", "aria-pressed": String(chosen), title: "move this token’s logit", data: { token: tokens[i] }, on: { click: () => choose(tokens[i]) } }, el("bdi", { text }), label && el("span", { class: "loss-label", text: "label" }))),
    el("td", { class: "mono", text: short(after.logits[i]) }),
    el("td", { class: "loss-bars" }, el("span", { class: "loss-room", "aria-hidden": "true" }, bar("is", is), bar("was", was), bar("ideal", target))),
    el("td", { class: "mono", title: `was ${percent(was)}`, text: percent(is) }), el("td", { class: "mono", text: target === 0 ? "0" : fixed(target, 3) }),
    el("td", { class: "loss-gradient" }, el("span", { class: "loss-swing", "aria-hidden": "true" }, el("span", { class: gradient < 0 ? "below" : "above", vars: { "--share": Math.abs(gradient) / most } })), el("span", { class: "mono", text: slight(gradient) })));
}

/** Three decimals, or the power of ten where they would all be 0. @param {number} value */
function slight(value) {
  return value !== 0 && Math.abs(value) < 5e-4 ? short(value) : fixed(value, 3);
}
