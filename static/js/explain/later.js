/** The explanation's place in the inspector; the explanation itself is fetched with the first cell that is selected. */

import { el } from "../core/dom.js";
import { standing } from "../core/trail.js";

/** @typedef {import("./panel.js").Panel} Panel @typedef {import("../tensor/context.js").Context} Context */

/**
 * @param {import("../core/store.js").Store} store
 * @returns {Panel}
 */
export function createExplanation(store) {
  const [element, peek] = [el("div", { class: "ex-room" }), el("div", { class: "ex-room" })];
  /** @type {Panel | null} */
  let made = null;
  /** @type {Promise<Panel> | null} */
  let making = null;

  function make() {
    making ??= import("./panel.js").then(({ createExplanation: create }) => {
      made = create(store);
      element.append(made.element);
      peek.append(made.peek);
      return made;
    });
    making.catch(() => { making = null; });
    return making;
  }

  return {
    element, peek,
    ask: (context) => (made ? made.ask(context) : standing(store.get()) ? /** @type {any} */ ({ context }) : null),
    async show(asked) {
      if (made) return made.show(asked);
      if (!asked) return;
      const panel = await make();
      await panel.show(panel.ask(asked.context));
    },
    key: (event) => made?.key(event),
  };
}
