/** Which tensors a training step's numbers stand in, found by their kinds among the tensors of a model. Pure. */

/**
 * @typedef {import("../core/types.js").Trace} Trace @typedef {import("../core/types.js").Model} Model
 * @typedef {"logits" | "log_probs" | "probs" | "mask" | "surprisal" | "terms" | "total" | "count" | "mean" | "sentence_means" | "mean_of_means" | "targets" | "entropy" | "divergence"} Role
 */

/**
 * @param {Trace} trace
 * @param {Model} model
 * @returns {Partial<Record<Role, string>>} by role; a run without a loss lacks some
 */
export function namesOf(trace, model) {
  const of = (/** @type {string} */ kind) => model.tensors.filter((tensor) => tensor.kind === kind);
  const there = new Set(trace.records.map(({ name }) => name));
  const [logSoftmax] = of("log_softmax");
  const positions = logSoftmax?.over.at(-2);
  const means = of("divide").filter(({ reads }) => reads.every((name) => of("total").some((total) => total.name === name)));
  const mean = means.find(({ axes }) => axes.length === 0);
  const sentenceMeans = means.find(({ axes }) => axes.length === 1);
  const [targets] = of("smooth_target");
  const apart = of("subtract").find(({ reads, block }) => block === targets?.block && reads.length === 2);
  const found = {
    logits: logSoftmax?.reads[0], log_probs: logSoftmax?.name, probs: of("exp").find(({ reads }) => reads[0] === logSoftmax?.name)?.name,
    mask: of("mask").find(({ over }) => over.at(-1) === positions && over.at(-2) === positions)?.reads.at(-1),
    surprisal: of("label_loss")[0]?.name, terms: of("keep")[0]?.name, total: mean?.reads[0], count: mean?.reads[1], mean: mean?.name,
    sentence_means: sentenceMeans?.name, mean_of_means: of("mean").find(({ reads }) => reads[0] === sentenceMeans?.name)?.name,
    targets: targets?.name, entropy: apart?.reads[1], divergence: apart?.name,
  };
  return Object.fromEntries(Object.entries(found).filter(([, name]) => name !== undefined && there.has(name)));
}
