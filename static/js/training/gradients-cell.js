/** What stands under the explanation of a gradient's cell: its check, and for a weight the step that the optimiser would take. */

import { el } from "../core/dom.js";
import { standing } from "../core/trail.js";
import { createCheck } from "./gradients-check.js";
import { createStep } from "./gradients-step.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{element: HTMLElement, show: (context: import("../tensor/context.js").Context) => void, hide: () => void}}
 */
export function createGradientCell(store) {
  const [check, step] = [createCheck(), createStep()];
  const element = el("div", { class: "gr-cell" }, check.element, step.element);

  function hide() {
    check.show(null);
    step.show(null);
  }

  return {
    element, hide,
    show({ trace, tensor }) {
      const hop = standing(store.get());
      if (hop?.of !== "gradient") return hide();
      const asked = { trace: trace.id, name: hop.name, cell: hop.cell };
      check.show(asked);
      step.show(tensor?.parameter ? asked : null);
    },
  };
}
