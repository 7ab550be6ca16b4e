/** Which layer of each stack is drawn open in the whole model. Pure: no DOM. */

import { layersOf } from "./legend.js";

/** @typedef {import("./legend.js").Legend} Legend */

export function createOpen() {
  /** @type {Record<string, number>} */
  const layers = {};
  return {
    /** The open layer of each stack, from 0. */
    layers,
    /**
     * Open the layer that a block or a tensor stands in, and say whether this changed anything.
     * @param {Legend} legend @param {string} name
     */
    follow(legend, name) {
      let changed = false;
      for (const part of legend.parts.values()) {
        const layer = layersOf(part).findIndex((inner) => name === inner.name || name.startsWith(`${inner.name}.`));
        if (layer < 0 || (layers[part.name] ?? 0) === layer) continue;
        layers[part.name] = layer;
        changed = true;
      }
      return changed;
    },
  };
}
