/** Where a tensor comes from and where it goes: its operands and its readers, as links. */

import { sizeText } from "../core/axes.js";
import { el } from "../core/dom.js";
import { longTitle, ownName, whereabouts } from "./naming.js";

/** @typedef {import("./context.js").Context} Context @typedef {import("../core/store.js").Store} Store */

/**
 * @param {Context} context
 * @param {Store} store
 * @returns {HTMLElement}
 */
export function links(context, store) {
  const { record, tensor } = context;
  const reads = tensor?.reads ?? record.reads;
  const feeds = tensor?.feeds ?? [];
  const shared = tensor?.shared_with ?? [];
  return el("section", { class: "card links", "aria-label": "Comes from and goes to" },
    el("h2", { text: "Comes from" }),
    reads.length ? list(reads, context, store) : el("p", { class: "soft", text: tensor?.parameter ? "Nothing: it is a parameter." : "Nothing: it starts here." }),
    el("h2", { text: "Goes to" }),
    feeds.length ? list(feeds, context, store) : el("p", { class: "soft", text: "Nothing reads it: it ends here." }),
    shared.length > 0 && el("p", { class: "shared" }, "One and the same tensor as ", ...shared.flatMap((name, i) => [i ? ", " : "", el("code", { text: name })]), ": tied weights, counted once."));
}

/** @param {string[]} names @param {Context} context @param {Store} store */
function list(names, context, store) {
  return el("ul", { class: "operands" }, ...names.map((name) => el("li", {}, ...operand(name, context, store))));
}

/** @param {string} name @param {Context} context @param {Store} store */
function operand(name, { trace, model, record: here, find }, store) {
  const record = trace.records.find((one) => one.name === name);
  const tensor = find(name);
  const shape = record?.shape ?? tensor?.shape;
  const near = name.slice(0, name.lastIndexOf(".")) === here.name.slice(0, here.name.lastIndexOf("."));
  return [
    tensorLink(name, ownName(name), longTitle(model, name), store, record !== undefined),
    shape && tensor && sizeText(shape, record?.axes ?? tensor.axes, record?.over ?? tensor.over, store),
    !near && name.includes(".") && el("span", { class: "soft small operand-where", text: whereabouts(model, name).slice(0, 2).join(" · ") }),
  ];
}

/**
 * A button that opens a tensor; pointing at it lights its edge in the diagram.
 * @param {string} name @param {string} text @param {string} title @param {Store} store @param {boolean} [there]
 */
export function tensorLink(name, text, title, store, there = true) {
  if (!there) return el("span", { class: "soft", text });
  return el("button", {
    type: "button", class: "link tensor-link", title, text, data: { tensor: name },
    on: {
      click: () => store.set({ tensor: name, cell: null, pointed: null }), pointerenter: () => store.set({ pointed: name }), pointerleave: () => store.set({ pointed: null }),
      focus: () => store.set({ pointed: name }), blur: () => store.set({ pointed: null }),
    },
  });
}
