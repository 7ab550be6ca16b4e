/** What a tensor is: its name, size, formula, and one sentence. */

import { sizeText } from "../core/axes.js";
import { el, math } from "../core/dom.js";
import { size } from "../core/format.js";
import { cellsOf } from "./arrange.js";
import { ownName, whereabouts } from "./naming.js";
import { normWords } from "./norm.js";
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
  const { badge, panel } = createProof(context, store);
  return el("header", { class: "tensor-head" },
    el("div", { class: "tensor-title" }, el("h1", { text: capital(ownName(record.name)) }), closing(store)),
    el("p", { class: "tensor-where" }, el("span", { text: whereabouts(model, record.name).join(" · ") || "model" }),
      el("span", { class: "small tensor-type", text: `${record.dtype} · ${size(cellsOf(record.shape) * bytesEach(record.dtype))}` })),
    copyable(record.name),
    el("p", { class: "tensor-size" }, sizeText(record.shape, record.axes, record.over, store), record.shape.length > 0 && sizeText(record.shape, record.axes, record.over, store, { names: true })),
    el("div", { class: "tensor-formula" }, formula && math(formula), badge),
    panel,
    tensor?.says && el("p", { class: "tensor-says", text: [tensor.says, ...normWords(context)].join(" ") }));
}

/** The way back to the start. @param {import("../core/store.js").Store} store */
function closing(store) {
  return el("button", { type: "button", class: "pick tensor-close", title: "back to the story of this run", "aria-label": "close, back to the story of this run", text: "× close", on: { click: () => store.set({ tensor: null, cell: null }) } });
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

/** Words begin with a capital, symbols such as w_q stay as they are. @param {string} name */
function capital(name) {
  return /^[a-z]{2}/.test(name) ? name[0].toUpperCase() + name.slice(1) : name;
}

/** @param {string} dtype */
function bytesEach(dtype) {
  return dtype === "bool" ? 1 : Number(/(\d+)$/.exec(dtype)?.[1] ?? 32) / 8;
}
