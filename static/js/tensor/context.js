/** The chosen tensor with everything that is known of it: its record in the trace, its legend entry, and what is shown of it. */

import { arrange, panelAlone, placesShown, sentenceShown } from "./arrange.js";
import { tensorNamed } from "./naming.js";
import { scaleOf } from "../core/scale.js";

/**
 * @typedef {object} Context
 * @property {import("../core/types.js").Trace} trace
 * @property {import("../core/types.js").Model} model
 * @property {import("../core/types.js").Record_} record
 * @property {import("../core/types.js").Tensor | undefined} tensor
 * @property {import("./arrange.js").Layout} layout
 * @property {number[]} places    shown on each axis that is not drawn
 * @property {number | null} alone   the panel that stands alone
 * @property {number} sentence
 * @property {import("../core/scale.js").Scale} scale
 * @property {(name: string) => import("../core/types.js").Tensor | undefined} find
 */

/**
 * @param {import("../core/store.js").State} state
 * @returns {Context | null} null when no tensor of this trace is chosen
 */
export function contextOf({ trace, model, tensor: name, index, cell }) {
  const record = trace?.records.find((one) => one.name === name);
  if (!trace || !model || !record) return null;
  const find = (/** @type {string} */ other) => tensorNamed(model, other);
  const tensor = find(record.name);
  const layout = arrange(record);
  const places = placesShown(record, layout, index, cell);
  return {
    trace, model, record, tensor, layout, places, find, alone: panelAlone(record, layout, index, cell),
    sentence: sentenceShown(record, places, index), scale: scaleOf(tensor, record, find),
  };
}
