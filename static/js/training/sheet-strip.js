/** What the mask lets one position see, as a strip of small cells: seen, hidden, its own place, and its label where that is seen. */

import { svg } from "../core/dom.js";

const HIGH = 14;
const ROOM = 156;

/**
 * @param {{sees: number[], place: number, length: number, leak: number | null}} position
 * @returns {SVGSVGElement}
 */
export function strip({ sees, place, length, leak }) {
  const step = Math.max(3, Math.min(14, Math.floor(ROOM / length)));
  const gap = step > 5 ? 2 : 0.5;
  const box = (/** @type {number} */ at) => `M${at * step} 1h${step - gap}v${HIGH - 2}h${gap - step}z`;
  const all = Array.from({ length }, (_, at) => at);
  const draw = (/** @type {string} */ kind, /** @type {number[]} */ places) => svg("path", { class: kind, d: places.map(box).join("") });
  return svg("svg", { class: "sheet-strip", width: length * step, height: HIGH, viewBox: `0 0 ${length * step} ${HIGH}`, "aria-hidden": "true" },
    draw("hidden", all.filter((at) => !sees.includes(at))), draw("seen", sees.filter((at) => at !== leak)), draw("leak", leak === null ? [] : [leak]), draw("own", [place]));
}

/**
 * "sees 0 to 3 of 0 to 11": which positions, in words.
 * @param {number[]} sees
 * @param {number} length
 */
export function seesWords(sees, length) {
  if (!sees.length) return "sees nothing";
  if (sees.length === length) return `sees all ${length} positions`;
  const last = sees[sees.length - 1];
  const whole = last - sees[0] === sees.length - 1;
  if (sees.length === 1) return `sees position ${sees[0]} alone`;
  return whole ? `sees positions ${sees[0]} to ${last} of ${length}` : `sees ${sees.length} of ${length} positions`;
}
