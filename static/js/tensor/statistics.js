/** Numbers about the numbers: range, mean and spread of the finite ones, and how many are something else. */

import { el } from "../core/dom.js";
import { count, full, short } from "../core/format.js";
import { maskWords } from "../core/scale.js";

/**
 * @param {import("./context.js").Context} context
 * @param {HTMLElement} shown what is known of the part that is shown
 */
export function statistics({ record, scale }, shown) {
  const { min, max, mean, std, finite, zero, nan, positive_infinity: above, negative_infinity: below } = record.summary;
  const measures = scale.kind === "mask" || scale.kind === "id" ? [] : [["min", min], ["max", max], ["mean", mean], ["std", std]];
  const counts = scale.kind === "mask" ? [[maskWords(scale).yes, finite - zero], [maskWords(scale).no, zero]]
    : [["finite", finite], ["exactly 0", zero], ...(scale.blocked ? [["blocked (−∞)", below]] : [["−∞", below]]), ["+∞", above], ["NaN", nan]];
  return el("section", { class: "card", "aria-label": "Statistics" },
    el("h2", {}, "Statistics", el("span", { class: "soft small", text: scale.kind === "mask" ? " of the whole tensor" : " of the whole tensor, over the finite values" })),
    measures.length > 0 && el("dl", { class: "figures" }, ...measures.map(([name, value]) => figure(String(name), value === null ? "—" : short(Number(value)), full(value), name === "std" ? "population standard deviation" : ""))),
    el("dl", { class: "figures counts" }, ...counts.map(([name, number]) => figure(String(name), count(Number(number)), "", ""))), shown);
}

/** @param {string} name @param {string} text @param {string} exact @param {string} says */
function figure(name, text, exact, says) {
  return el("div", { title: [says, exact].filter(Boolean).join(": ") || null }, el("dt", { text: name }), el("dd", { class: text === "0" ? "none" : "", text }));
}
