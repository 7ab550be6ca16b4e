/** Why a tensor has the size it has: each axis in words, and the product written out. */

import { axisColour } from "../core/axes.js";
import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { cellsOf } from "./arrange.js";

/** @param {import("./context.js").Context} context */
export function whyThisSize({ record, model, layout }) {
  if (record.shape.length === 0) return el("section", { class: "card", "aria-label": "Why this size" }, el("h2", { text: "Why this size" }), el("p", { text: "A single number: every axis has been summed over." }));
  const factors = record.shape.map((size, i) => el("span", { class: "on-axis", vars: { "--axis": axisColour(record.over[i]) }, text: `${size} ${many(titleOf(model, record.over[i]), size)}` }));
  const role = (/** @type {number} */ i) => (i === layout.row ? "rows" : i === layout.column ? "columns" : "");
  return el("section", { class: "card why", "aria-label": "Why this size" },
    el("h2", { text: "Why this size" }),
    el("p", {}, ...factors.flatMap((factor, i) => [i ? " × " : "", factor]), ` = ${count(cellsOf(record.shape))} ${many("number", cellsOf(record.shape))}`),
    el("dl", { class: "axes" }, ...record.axes.flatMap((axis, i) => [
      el("dt", { vars: { "--axis": axisColour(record.over[i]) } }, axis === record.over[i] ? axis : `${axis} = ${record.over[i]}`, role(i) && el("span", { class: "soft small", text: ` ${role(i)}` })),
      el("dd", { text: model.axes[record.over[i]]?.says ?? "" }),
    ])));
}

/** @param {import("../core/types.js").Model} model @param {string} over */
function titleOf(model, over) {
  return model.axes[over]?.title ?? over;
}

/** @param {string} word @param {number} size */
function many(word, size) {
  if (size === 1 || word.includes("_")) return word;
  return word.endsWith("y") ? `${word} entries` : `${word}s`;
}
