/** The paper's base model, whose sizes the same diagram can show. */

import { json } from "../core/api.js";
import { layersOf, readLegend } from "./legend.js";

/** @typedef {import("../core/types.js").Model} Model */

const PAPER = "paper-base";

export function createPaper() {
  /** @type {Model | null} */
  let model = null;
  return {
    get model() {
      return model;
    },
    /** Read the model once. */
    async read() {
      model ??= await json(`/api/models/${PAPER}`);
    },
    /**
     * How many layers each of these stacks has in the paper's model.
     * @param {import("./legend.js").Legend} legend
     * @returns {Record<string, number> | undefined}
     */
    layers(legend) {
      if (!model) return undefined;
      const base = readLegend(model);
      return Object.fromEntries([...legend.parts.keys()].map((name) => [name, layersOf(base.parts.get(name)).length]).filter(([, count]) => count));
    },
  };
}
