/** The chosen tensor with everything that is known of it: its record in the trace, its legend entry, and what is shown of it. */

import { arrange, panelAlone, placesShown, sentenceShown } from "./arrange.js";
import { tensorNamed } from "./naming.js";
import { gradientsHere, shownOf } from "../core/gradients.js";
import { boundOf, scaleOf } from "../core/scale.js";

/**
 * @typedef {object} Context
 * @property {import("../core/types.js").Trace} trace
 * @property {import("../core/types.js").Model} model
 * @property {"value" | "gradient"} of   what is shown of it
 * @property {import("../core/gradients.js").Gradient | null} gradient   what is known of its gradient, where that is shown
 * @property {import("../core/types.js").Record_} record   with the summary of what is shown
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
export function contextOf({ trace, model, tensor: name, index, cell, of, gradients }) {
  const record = trace?.records.find((one) => one.name === name);
  if (!trace || !model || !record) return null;
  const find = (/** @type {string} */ other) => tensorNamed(model, other);
  const tensor = find(record.name);
  const layout = arrange(record);
  const places = placesShown(record, layout, index, cell);
  const context = {
    trace, model, record, tensor, layout, places, find, alone: panelAlone(record, layout, index, cell), of: shownOf({ trace, of }, record), gradient: null,
    sentence: sentenceShown(record, places, index), scale: scaleOf(tensor, record, find),
  };
  return context.of === "gradient" ? asGradient(context, gradientsHere({ trace, gradients })?.records.get(record.name) ?? null) : context;
}

/**
 * The gradient in the tensor's place: the same axes, signed, on a scale of its own. What the tensor is made of and means goes for its values only.
 * @param {Context} context @param {Context["gradient"]} gradient
 * @returns {Context}
 */
function asGradient({ record, tensor, ...context }, gradient) {
  const summary = gradient?.summary ?? record.summary;
  const range = /** @type {[number, number] | null} */ (summary.min === null ? null : [Number(summary.min), Number(summary.max)]);
  return { ...context, gradient, record: { ...record, summary }, tensor: tensor && { ...tensor, kind: "gradient" }, scale: { kind: "signed", bound: boundOf(range), blocked: false } };
}
