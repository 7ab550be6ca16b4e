/** What lights up: the selected tensor, what its cell is made of, the one pointed at elsewhere, and every edge that has the axis pointed at. */

import { isFed } from "../core/axes.js";

/**
 * @param {import("./draw.js").Drawing} drawing
 * @param {Pick<import("../core/store.js").State, "tensor" | "pointed" | "axis" | "lit">} state
 * @param {{light: (axis: string | null) => void}} axes
 */
export function light(drawing, { tensor, pointed, axis, lit }, axes) {
  lightBoxes(drawing, { tensor, pointed, lit });
  drawing.group.classList.toggle("dg-by-axis", axis !== null);
  for (const [name, { label, wire, edge }] of drawing.edges) {
    const has = axis !== null && edge.over.includes(axis);
    for (const element of [label, wire]) {
      element.classList.toggle("selected", name === tensor);
      element.classList.toggle("pointed", name === pointed);
      element.classList.toggle("operand", lit.includes(name));
      element.classList.toggle("lit", has);
    }
    if (name === tensor) label.setAttribute("aria-current", "true");
    else label.removeAttribute("aria-current");
    if (!axis && !drawing.lastAxis) continue;
    for (const word of label.querySelectorAll("[data-axis]")) word.classList.toggle("lit", /** @type {SVGElement} */ (word).dataset.axis === axis);
  }
  drawing.lastAxis = axis;
  axes.light(axis);
}

/**
 * A box stands for what is inside it: for each tensor that no edge of this drawing carries, and for a block around or inside it.
 * @param {import("./draw.js").Drawing} drawing
 * @param {Pick<import("../core/store.js").State, "tensor" | "pointed" | "lit">} state
 */
function lightBoxes({ scene, stops, edges }, { tensor, pointed, lit }) {
  const boxes = new Set(scene.boxes.map(({ id }) => id));
  const holds = (/** @type {string} */ id, /** @type {string | null} */ name) => name !== null && !edges.has(name) && (name === id || name.startsWith(`${id}.`) || id.startsWith(`${name}.`));
  for (const { id, element } of stops) {
    if (!boxes.has(id)) continue;
    element.classList.toggle("selected", holds(id, tensor));
    element.classList.toggle("pointed", holds(id, pointed));
    element.classList.toggle("operand", lit.some((name) => holds(id, name)));
  }
}

/**
 * While decoding, the edges of what is the same as in the step before step back: all that does not run over what the decoder is fed.
 * @param {import("./draw.js").Drawing} drawing
 * @param {Pick<import("../core/store.js").State, "decoding" | "step">} state
 */
export function stepBack(drawing, { decoding, step }) {
  const goesOn = decoding !== null && step !== null && step > 0;
  drawing.group.classList.toggle("dg-goes-on", goesOn);
  if (!goesOn) return;
  for (const { label, wire, edge } of drawing.edges.values()) for (const element of [label, wire]) element.classList.toggle("still", !edge.over.some(isFed));
}
