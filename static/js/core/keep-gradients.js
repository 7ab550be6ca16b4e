/** The gradients of the trace on screen: asked for once, and only while somebody looks at them. */

import { createAnswers } from "./answers.js";
import { ServerError } from "./api.js";

/** @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State @typedef {import("./gradients.js").Gradient} Gradient */

/** Whether anything on the page shows gradients. @param {Pick<State, "of" | "panel" | "trace" | "decoding">} state */
export function wantsGradients({ of, panel, trace, decoding }) {
  return trace !== null && trace.tokens.labels !== null && (of === "gradient" || (panel === "gradients" && decoding === null));
}

/**
 * Keep the gradients of the trace on screen in the store while they are wanted.
 * @param {Store} store
 */
export function keepGradients(store) {
  const { once } = createAnswers();

  async function fetchThem() {
    const { trace, gradients } = store.get();
    if (!trace || gradients?.id === trace.id || !wantsGradients(store.get())) return;
    try {
      const { id, loss, norm, records } = await once(`/api/traces/${trace.id}/gradients`);
      if (store.get().trace !== trace) return;
      store.set({ gradients: { id, loss: Number(loss), norm: Number(norm), records: new Map(records.map((/** @type {Gradient} */ record) => [record.name, { ...record, norm: Number(record.norm), rms: Number(record.rms) }])) } });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (store.get().trace === trace) store.set({ problem: error.problem });
    }
  }

  store.subscribe(["trace", "of", "panel"], () => void fetchThem());
  void fetchThem();
}
