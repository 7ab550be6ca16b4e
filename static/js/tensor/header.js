/** What a tensor is: its name, size, formula, and one sentence. */

import { sizeText } from "../core/axes.js";
import { el, math } from "../core/dom.js";
import { size } from "../core/format.js";
import { cellsOf } from "./arrange.js";
import { ownName, whereabouts } from "./naming.js";
import { createProof } from "./proof.js";

/** @typedef {import("./context.js").Context} Context */

/**
 * @param {Context} context
 * @param {import("../core/store.js").Store} store
 * @returns {HTMLElement}
 */
export function header(context, store) {
  const { record, tensor, model } = context;
  const formula = tensor && model.formulas[tensor.formula];
  return el("header", { class: "tensor-head" },
    el("h1", {}, ownName(record.name)),
    el("p", { class: "tensor-where" }, ...whereabouts(model, record.name).flatMap((place, i) => [i ? " · " : "", el("span", { text: place })])),
    copyable(record.name),
    el("p", { class: "tensor-size" }, sizeText(record.shape, record.axes, record.over, store), " ", sizeText(record.shape, record.axes, record.over, store, { names: true })),
    el("div", { class: "tensor-formula" }, formula && math(formula), createProof(context)),
    tensor?.says && el("p", { class: "tensor-says", text: tensor.says }),
    el("p", { class: "soft small", text: `${record.dtype} · ${size(cellsOf(record.shape) * bytesEach(record.dtype))}` }));
}

/** @param {string} name */
function copyable(name) {
  const button = el("button", { type: "button", class: "copy mono small", title: "copy the name", "aria-label": `copy the name ${name}` }, el("span", { text: name }), el("span", { class: "copy-sign", "aria-hidden": "true", text: "copy" }));
  button.addEventListener("click", async () => {
    const sign = /** @type {HTMLElement} */ (button.querySelector(".copy-sign"));
    sign.textContent = await navigator.clipboard.writeText(name).then(() => "copied", () => "select it by hand");
    setTimeout(() => { sign.textContent = "copy"; }, 1600);
  });
  return button;
}

/** @param {string} dtype */
function bytesEach(dtype) {
  return dtype === "bool" ? 1 : Number(/(\d+)$/.exec(dtype)?.[1] ?? 32) / 8;
}
