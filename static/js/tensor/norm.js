/** What a layer norm does to a tensor's numbers: which of them it takes together, and the ε it adds. */

import { full } from "../core/format.js";
import { partNamed } from "./naming.js";

/**
 * @param {Pick<import("./context.js").Context, "record" | "tensor" | "model" | "layout">} context
 * @returns {string[]} sentences; none for a tensor that is not a norm's own
 */
export function normWords({ record, tensor, model, layout }) {
  if (!tensor || partNamed(model.tree, tensor.block)?.kind !== "LayerNorm") return [];
  const gain = model.tensors.find(({ block, parameter }) => parameter && block === tensor.block);
  if (tensor.parameter || !gain?.shape) return [];
  const together = `the ${gain.shape[0]} numbers of one token (${gain.axes[0]})`;
  const across = layout.column !== null && record.axes[layout.column] === gain.axes[0];
  return [
    across ? `Normalised together: each row, ${together}.` : `Each number here stands for ${together}, which are normalised together.`,
    ...(tensor.kind === "deviation" ? [`Here ε = ${full(model.config.norm_eps)}.`] : []),
  ];
}
