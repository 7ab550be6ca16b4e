/** A draw: the candidates with what temperature, top-k and top-p make of them, and where the draw falls on their stacked chances. */

import { el } from "../core/dom.js";
import { fixed, logarithm, percent, short } from "../core/format.js";
import { visible } from "../core/tokens.js";

/** @typedef {import("../core/types.js").Row} Row @typedef {import("../core/types.js").Candidate} Candidate */

const CUT = { top_k: "cut by top-k", top_p: "cut by top-p" };

/**
 * @param {Row} row
 * @returns {HTMLElement}
 */
export function sampling(row) {
  return el("div", { class: `sampling${row.done ? " ended" : ""}` }, row.draw === null ? null : stack(row), table(row));
}

/** The chances one after the other from 0 to 1, and the draw as a line across. @param {Row} row */
function stack({ top, chosen, draw }) {
  const likely = top.filter(({ chance }) => Number(chance) > 0);
  const drawn = top.find(({ token }) => token.id === chosen?.id);
  const where = drawn ? `${visible(drawn.token.text)}, whose chance is ${percent(Number(drawn.chance))}` : "a token";
  const says = `the draw ${fixed(Number(draw), 4)} falls on ${where}`;
  return el("div", { class: "stack", role: "img", "aria-label": says, title: says },
    el("div", { class: "stack-line" }, ...likely.map(({ token, chance }) => el("span", { class: token.id === chosen?.id ? "share chosen" : "share", vars: { "--share": Number(chance) } }, el("bdi", { text: Number(chance) > 0.06 ? visible(token.text) : "" })))),
    el("span", { class: "draw", vars: { "--at": Number(draw) } }), el("span", { class: "draw-says", vars: { "--at": Number(draw) }, text: `draw ${fixed(Number(draw), 3)}` }));
}

/** @param {Row} row */
function table({ top, chosen, done }) {
  const head = ["token", "logit", "÷ τ", "top-k", "top-p", "chance"];
  return el("div", { class: "sampling-box", tabindex: 0, role: "group", "aria-label": "candidates of the draw" }, el("table", { class: "sampling-table" },
    el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, ...top.map((candidate) => line(candidate, !done && candidate.token.id === chosen?.id)))));
}

/** @param {Candidate} candidate @param {boolean} drawn */
function line({ token, logit, log_prob: logProb, tempered, cut, chance }, drawn) {
  const value = short(Number(tempered));
  const kept = el("td", { text: value });
  const out = cut ? el("td", { title: CUT[cut] }, el("s", { text: value }), el("span", { class: "visually-hidden", text: CUT[cut] })) : null;
  return el("tr", { class: drawn ? "chosen" : cut ? "cut" : null, title: cut ? CUT[cut] : `log p ${logarithm(Number(logProb))}` },
    el("th", { scope: "row" }, el("bdi", { class: token.special ? "special" : null, text: visible(token.text) })),
    el("td", { text: short(Number(logit)) }), kept, cut === "top_k" ? out : el("td", { text: value }), cut === "top_k" ? el("td") : out ?? el("td", { text: value }), el("td", { text: Number(chance) ? percent(Number(chance)) : "0" }));
}
