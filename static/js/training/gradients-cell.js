/** What stands under the explanation of a gradient's cell: its check, and for a weight the step that the optimiser would take. */

import { el } from "../core/dom.js";
import { standing } from "../core/trail.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{element: HTMLElement, show: (context: import("../tensor/context.js").Context) => void, hide: () => void}}
 */
export function createGradientCell(store) {
  const element = el("div", { class: "gr-cell" });
  /** @typedef {{show: (asked: {trace: string, model: string, name: string, cell: number[]} | null) => void}} Part */
  /** @type {Part[]} the check, the step, and the step in the training that the model comes from, once they have been fetched */
  let parts = [];
  /** @type {Promise<void> | null} */
  let fetching = null;
  let turn = 0;

  async function fetchParts() {
    const [{ createCheck }, { createStep }, { createRunStep }] = await Promise.all([import("./gradients-check.js"), import("./gradients-step.js"), import("./train-step.js")]);
    const made = [createCheck(), createStep(), createRunStep()];
    parts = made;
    element.append(...made.map((part) => part.element));
  }

  function hide() {
    turn += 1;
    for (const part of parts) part.show(null);
  }

  return {
    element, hide,
    async show({ trace, tensor }) {
      const hop = standing(store.get());
      if (hop?.of !== "gradient") return hide();
      const mine = ++turn;
      await (fetching ??= fetchParts());
      if (mine !== turn) return;
      const asked = { trace: trace.id, model: trace.model, name: hop.name, cell: hop.cell };
      parts[0].show(asked);
      for (const step of parts.slice(1)) step.show(tensor?.parameter ? asked : null);
    },
  };
}
