/** The signs of the timeline's buttons, drawn: not every system's fonts have them. */

import { svg } from "../core/dom.js";

const PATHS = {
  first: "M3 2h2v12H3zM14 2v12L6 8z",
  last: "M11 2h2v12h-2zM2 2v12l8-6z",
  back: "M10.5 1.5 12.5 3.5 8 8l4.5 4.5-2 2L4 8z",
  forward: "M5.5 1.5 3.5 3.5 8 8l-4.5 4.5 2 2L12 8z",
  play: "M3 1.5v13L14 8z",
  pause: "M3.5 2h3v12h-3zM9.5 2h3v12h-3z",
};

/** @typedef {keyof typeof PATHS} Sign */

/**
 * @param {Sign} sign
 * @returns {SVGElement}
 */
export function icon(sign) {
  return svg("svg", { viewBox: "0 0 16 16", width: 13, height: 13, "aria-hidden": "true", class: "sign" }, svg("path", { d: PATHS[sign], fill: "currentColor" }));
}
