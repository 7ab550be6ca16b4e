/** The title of the document says what is on screen: it is what histories, tabs and bookmarks show. */

import { seen } from "../core/seen.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/store.js").State} State @typedef {import("../core/types.js").Part} Part */

/** @param {Store} store */
export function keepTitle(store) {
  store.subscribe(["trace", "model", "at", "tensor", "step", "unopened"], (state) => { document.title = seen(titleOf(state)); });
}

/**
 * @param {Pick<State, "trace" | "model" | "at" | "tensor" | "step" | "unopened">} state
 * @returns {string}
 */
export function titleOf({ trace, model, at, tensor, step, unopened }) {
  if (unopened) return "A link that cannot be opened · Glassformer";
  if (!trace || !model) return "Glassformer";
  const block = tensor ? tensor.slice(0, tensor.lastIndexOf(".")) : at.split(":")[0];
  const where = block ? wayTo(model.tree, block).slice(1).map((part) => part.title) : [];
  return [
    tensor?.slice(tensor.lastIndexOf(".") + 1).replaceAll("_", " "), where.join(", "), step === null ? null : `step ${step + 1}`,
    trace.recipe.src[0], model.title, "Glassformer",
  ].filter(Boolean).join(" · ");
}

/** @param {Part} part @param {string} name @returns {Part[]} from the whole model to the block */
function wayTo(part, name) {
  if (part.name === name) return [part];
  for (const inner of part.parts) {
    const way = wayTo(inner, name);
    if (way.length) return [part, ...way];
  }
  return [];
}
