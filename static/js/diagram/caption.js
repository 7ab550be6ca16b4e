/** The calm line under the diagram: what a block or a tensor is, and how many parameters stand in it. */

import { dress, el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { names } from "./scene.js";
import { leaf, title } from "./words.js";

/** @typedef {import("../core/types.js").Model} Model @typedef {import("./scene.js").Edge} Edge @typedef {import("../core/types.js").Part} Part */

export function createCaption() {
  const name = el("strong", { class: "dg-caption-name" });
  const size = el("span", { class: "dg-caption-size mono" });
  const says = el("span", { class: "dg-caption-says" });
  const parameters = el("span", { class: "dg-caption-parameters" });
  const word = el("span", { class: "dg-word", role: "status" });
  const element = el("div", { class: "dg-caption", role: "group", "aria-label": "what is shown" }, el("p", {}, name, " ", size, " ", says), el("p", { class: "dg-caption-right" }, word, " ", parameters));
  const show = (/** @type {string} */ title, /** @type {string} */ shape, /** @type {string} */ text, /** @type {(Node | string)[]} */ right) => {
    name.textContent = title;
    size.textContent = shape;
    says.textContent = text;
    fill(parameters, ...right);
  };

  // where it may scroll, keys must reach it
  const scrolls = matchMedia("(max-width: 560px)");
  const reach = () => dress(element, { tabindex: scrolls.matches ? 0 : null });
  scrolls.addEventListener("change", reach);
  reach();

  return {
    element,
    /** What is being read, or whose sizes these are. @param {string} text */
    tell(text) {
      word.textContent = text;
      element.classList.toggle("told", text !== "");
    },
    /** @param {import("./legend.js").Legend} legend @param {Part} part @param {Model} counted whose parameters are told */
    block(legend, part, counted) {
      show(part.name === "" ? part.title : title(legend, part), "", part.says, part.name === "" ? whole(counted) : ofBlock(part, counted));
    },
    /** @param {import("../core/types.js").Tensor} tensor @param {Edge | undefined} edge @param {string} [more] what its sizes say */
    tensor(tensor, edge, more) {
      show(leaf(tensor.name), edge ? names(edge) : "", [tensor.says, more].filter(Boolean).join(" "), []);
    },
  };
}

/** @param {Model} model */
function whole({ parameters }) {
  return [el("span", { class: "mono", text: count(parameters.total) }), " parameters, ", el("span", { class: "mono", text: count(parameters.without_embeddings) }), " without embeddings"];
}

/** @param {Part} part @param {Model} model */
function ofBlock(part, { parameters }) {
  const exact = parameters.blocks.find((block) => block.name === part.name);
  if (exact) return [el("span", { class: "mono", text: `${exact.formula} = ${count(exact.count)}` }), " parameters"];
  const inside = parameters.blocks.filter((block) => block.name.startsWith(`${part.name}.`));
  const sum = inside.reduce((total, block) => total + block.count, 0);
  return sum ? [el("span", { class: "mono", text: count(sum) }), " parameters"] : [];
}
