/** How wide a label is, before it is drawn. */

import { palette } from "../core/palette.js";

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** @param {string} text */
export function measure(text) {
  ruler ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  ruler.font = `600 12px ${palette().css("--sans")}`;
  return ruler.measureText(text).width;
}
