/** How strongly the loss comes back along each edge: the norm of its gradient as a number, and as the weight of the wire. */

import { dress, el, fill, svg } from "../core/dom.js";
import { full, short } from "../core/format.js";
import { GRADIENT_MARKS, gradientsHere } from "../core/gradients.js";
import { wantsGradients } from "../core/keep-gradients.js";
import { logScale, tenths } from "../core/logscale.js";
import { spoken } from "./label.js";

/**
 * @typedef {import("./draw.js").Drawing} Drawing @typedef {import("../core/gradients.js").Gradient} Gradient @typedef {import("../core/gradients.js").Gradients} Gradients
 * @typedef {import("./scene.js").Edge} Edge
 */

/** How far a size stands from its wire. */
const NEAR = 16;
/** How high the head of a layer is. */
const HEADER = 22;

/**
 * @param {import("../core/store.js").Store} store
 * @param {() => Drawing | null} drawn   what is on the stage
 * @returns {{element: HTMLElement, paint: () => void}}
 */
export function createNorms(store, drawn) {
  const ends = [el("span", { class: "mono" }), el("span", { class: "mono" })];
  const element = el("p", { class: "dg-norms small", hidden: true, title: "The norm of a gradient is the root of the sum of the squares of its cells" },
    el("span", { class: "soft", text: "norm of the gradient " }), ends[0], el("i", { class: "dg-norms-bar" }), ends[1]);
  /** @type {Drawing | null} */
  let painted = null;

  function paint() {
    const state = store.get();
    const drawing = drawn();
    const found = wantsGradients(state) && !state.sizesOf ? gradientsHere(state) : null;
    const scale = found && scaleOf(found);
    element.hidden = !scale || !drawing;
    if (painted && !scale) erase(painted);
    painted = scale ? drawing : null;
    if (!drawing || !found || !scale) return;
    ends.forEach((end, i) => { end.textContent = tenths(i ? scale.most : scale.least); });
    drawing.group.classList.add("dg-normed");
    for (const one of drawing.edges.values()) write(one, found.records.get(one.edge.tensor), scale, drawing.scene.frames);
  }

  store.subscribe(["gradients", "of", "panel", "trace"], paint);
  return { element, paint };
}

/** One scale for the whole model, so that levels can be compared. @param {Gradients} gradients */
function scaleOf({ records }) {
  return logScale([...records.values()].filter(({ name, mark }) => mark === null && !name.startsWith("loss.")).map(({ norm }) => norm));
}

/**
 * @param {{label: SVGGElement, wire: SVGGElement, edge: Edge}} on
 * @param {Gradient | undefined} gradient
 * @param {import("../core/logscale.js").LogScale} scale
 * @param {import("./scene.js").Frame[]} frames
 */
function write({ label, wire, edge }, gradient, scale, frames) {
  label.querySelector(".dg-norm")?.remove();
  const share = gradient ? scale.share(gradient.norm) : 0;
  const mark = gradient ? gradient.mark ?? "" : "none";
  for (const element of [label, wire]) dress(element, { vars: { "--norm": share.toFixed(3) }, data: { norm: mark } });
  label.setAttribute("aria-label", gradient ? [spoken(edge), `gradient ${full(gradient.norm)}`, gradient.mark].filter(Boolean).join(", ") : spoken(edge));
  if (gradient) label.append(svg("text", { class: "dg-norm", ...placeOf(edge, frames), text: textOf(gradient) }, svg("title", { text: titleOf(gradient) })));
}

/**
 * To the left of a wire that goes up beside its size, else beyond the size.
 * @param {Edge} edge
 * @param {import("./scene.js").Frame[]} frames   a layer without a title has its number in that place
 */
function placeOf({ label, thumb, paths }, frames) {
  const y = label.y + label.h - 3;
  const wire = paths.flatMap(({ points }) => points.slice(1).map((to, i) => uprightAt(points[i], to, y))).find((x) => x !== null && x < label.x && x > label.x - NEAR) ?? null;
  const taken = frames.some((frame) => frame.title === "" && label.x > frame.x && label.x < frame.x + frame.w && label.y > frame.y - 4 && label.y < frame.y + HEADER);
  if (label.anchor === "start" && wire !== null && !taken) return { x: (thumb?.x ?? wire) - 5, y, "text-anchor": "end" };
  if (label.anchor === "middle" && thumb) return { x: thumb.x + thumb.w + 5, y: thumb.y + thumb.h - 2, "text-anchor": "start" };
  if (label.anchor === "end") return { x: label.x - 8, y, "text-anchor": "end" };
  return { x: label.x + label.w + 5, y, "text-anchor": "start" };
}

/** Where a piece of wire goes up past a height; null where it does not. @param {[number, number]} from @param {[number, number]} to @param {number} y */
function uprightAt([x, from], [other, to], y) {
  return x === other && Math.min(from, to) <= y && Math.max(from, to) >= y - NEAR ? x : null;
}

/** @param {Gradient} gradient */
function textOf({ norm, mark }) {
  if (mark === "unread") return "unread";
  return mark === "vanishing" ? "≈ 0" : short(norm);
}

/** @param {Gradient} gradient */
function titleOf({ norm, mark }) {
  return [`norm of the gradient ${full(norm)}`, ...(mark ? [GRADIENT_MARKS[mark].says] : [])].join(". ");
}

/** @param {Drawing} drawing */
function erase({ group, edges }) {
  group.classList.remove("dg-normed");
  for (const { label, wire, edge } of edges.values()) {
    label.querySelector(".dg-norm")?.remove();
    label.setAttribute("aria-label", spoken(edge));
    for (const element of [label, wire]) {
      element.style.removeProperty("--norm");
      delete element.dataset.norm;
    }
  }
}
