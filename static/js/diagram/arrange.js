/** From a place in the model to its scene: which arrangement shows which block. Pure: no DOM. */

import { DOT, blockOf } from "./legend.js";
import { attention } from "./attention.js";
import { figure } from "./figure.js";
import { flow } from "./flow.js";
import { layer, stack } from "./stack.js";

/**
 * Lay out one level of the diagram.
 * @param {import("./legend.js").Legend} legend
 * @param {string} at      a block's name; "" is the whole model
 * @param {Record<string, number>} sizes  of every axis
 * @param {import("./scene.js").Options} options
 * @returns {import("./scene.js").Scene}
 */
export function arrange(legend, at, sizes, options) {
  const part = legend.parts.get(blockOf(at)) ?? legend.root;
  if (part.name === "") return figure(legend, sizes, options);
  if (part.kind === "MultiHeadAttention") return attention(legend, sizes, options, part);
  if (part.kind.endsWith("Layer")) return layer(legend, sizes, options, part);
  if (part.parts.some((inner) => inner.kind.endsWith("Layer"))) return stack(legend, sizes, options, part);
  return flow(legend, sizes, options, part);
}

/**
 * Whether a place shows the arithmetic of one head, which is drawn as matrices and not as boxes.
 * @param {string} at
 */
export function isArithmetic(at) {
  return at.endsWith(DOT);
}
