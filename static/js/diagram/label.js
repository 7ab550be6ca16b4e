/** A tensor's size beside its edge: the text, its axes in their colours, and what a screen reader says. */

import { axisColour } from "../core/axes.js";
import { svg } from "../core/dom.js";
import { numbers } from "./scene.js";
import { leaf } from "./words.js";

/** @typedef {import("./scene.js").Edge} Edge */

/**
 * The text of a size, one colour an axis.
 * @param {Edge} edge @param {import("./scene.js").Options["text"]} text @param {(over: string | null) => void} point
 */
export function sizeText(edge, text, point) {
  const { label } = edge;
  const x = label.anchor === "start" ? label.x : label.anchor === "end" ? label.x + label.w : label.x + label.w / 2;
  const rows = text === "both" ? [edge.shape, edge.axes] : [text === "names" ? edge.axes : edge.shape];
  const high = label.h / rows.length;
  const made = svg("text", { class: "dg-size-label", y: label.y + high - 3, "text-anchor": label.anchor });
  rows.forEach((row, r) => {
    const line = svg("tspan", { x, dy: r ? high : null });
    if (r === 0 && edge.name) line.append(svg("tspan", { class: "dg-label-name", text: edge.name }), " ");
    line.append("(");
    row.forEach((word, i) => {
      line.append(svg("tspan", {
        class: "dg-label-axis", data: { axis: edge.over[i] }, vars: { "--axis": axisColour(edge.over[i]) }, text: word,
        on: { pointerenter: () => point(edge.over[i]), pointerleave: () => point(null) },
      }), i < row.length - 1 ? ", " : "");
    });
    line.append(row.length === 1 ? ",)" : ")");
    made.append(line);
  });
  return made;
}

/**
 * Change the numbers in a size where they stand.
 * @param {SVGElement} label @param {Edge} edge @param {import("./scene.js").Options["text"]} text
 */
export function changeSize(label, edge, text) {
  if (text === "names") return;
  const words = label.querySelectorAll("[data-axis]");
  edge.shape.forEach((size, i) => {
    const held = /** @type {Text} */ (words[i].firstChild);
    if (held.data !== String(size)) held.data = String(size);
  });
}

/**
 * What a screen reader says of an edge: weights, (2, 2, 2, 3), batch head query key.
 * @param {Edge} edge
 */
export function spoken(edge) {
  return [edge.name || leaf(edge.tensor), edge.shape.length ? numbers(edge) : "one number", edge.axes.join(" ")].filter(Boolean).join(", ");
}

/**
 * The rectangle around a label and its picture.
 * @param {Edge} edge
 * @returns {import("./scene.js").Rect}
 */
export function around({ label, thumb }) {
  const rects = thumb ? [label, thumb] : [label];
  const [left, top] = [Math.min(...rects.map((rect) => rect.x)) - 3, Math.min(...rects.map((rect) => rect.y)) - 2];
  return { x: left, y: top, w: Math.max(...rects.map((rect) => rect.x + rect.w)) + 3 - left, h: Math.max(...rects.map((rect) => rect.y + rect.h)) + 2 - top };
}
