/** The legend of axes: a colour, a name and a size each; pointing at one lights up every edge that has it. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";

/**
 * @param {(over: string | null) => void} point
 */
export function createAxes(point) {
  const element = el("ul", { class: "dg-axes", "aria-label": "Axes" });
  /** @type {Map<string, {button: HTMLElement, size: HTMLElement}>} */
  const items = new Map();

  return {
    element,
    /**
     * @param {Record<string, number>} sizes @param {Record<string, {title: string, says: string}>} axes
     */
    show(sizes, axes) {
      if ([...items.keys()].join() !== Object.keys(sizes).join()) {
        items.clear();
        fill(element, ...Object.keys(sizes).map((over) => {
          const size = el("span", { class: "dg-axis-size" });
          const about = axes[over];
          const button = el("button", {
            type: "button", class: "dg-axis", vars: { "--axis": axisColour(over) }, title: about ? `${about.title}: ${about.says}` : over, data: { axis: over },
            on: { pointerenter: () => point(over), pointerleave: () => point(null), focus: () => point(over), blur: () => point(null) },
          }, el("span", { class: "dg-swatch", "aria-hidden": "true" }), el("span", { class: "dg-axis-name", text: over }), size);
          items.set(over, { button, size });
          return el("li", {}, button);
        }));
      }
      for (const [over, { size }] of items) size.textContent = String(sizes[over]);
    },
    /** @param {string | null} axis */
    light(axis) {
      for (const [over, { button }] of items) button.classList.toggle("lit", over === axis);
    },
  };
}
