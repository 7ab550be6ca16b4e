/** Going from a position to its logits: into the pass that was fed the target, or to the step of the decoding. */

import { followTo } from "../core/history.js";
import { sentenceAxis } from "../core/sentences.js";
import { opened } from "../panels/open.js";
import { logitsOf } from "./cache-places.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions @typedef {import("./target-table.js").Where} Where
 * @typedef {{forced: (where: Where, position: number, at: import("./target.js").Position) => Promise<void>, free: (beside: import("./target.js").Beside, where: Where, position: number) => Promise<void>}} Opening
 */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {Opening}
 */
export function createOpening(store, actions) {
  /** @param {number} row @param {number} position @param {number | undefined} token @param {(patch: Partial<import("../core/store.js").State>) => void} [set] */
  function open(row, position, token, set = store.set) {
    const { trace, model, index } = store.get();
    const logits = trace && model && logitsOf(trace, model);
    if (logits && token !== undefined) set({ ...opened(logits, [row, position, token]), index: { ...index, [sentenceAxis(trace)[0]]: row } });
  }

  return {
    async forced({ place, targets }, position, { forced }) {
      const { decoding } = store.get();
      if (!decoding) return;
      const { model, src, options, seed } = /** @type {import("../core/types.js").Recipe} */ (decoding.recipe);
      const recipe = { model, src, tgt: targets, ...(options ? { options } : {}), ...(seed === undefined ? {} : { seed }) };
      if (await actions.run(recipe)) open(place, position, forced?.predicted.id, (patch) => followTo(store, patch));
    },
    async free(beside, { place }, position) {
      if (!(await actions.goToStep(position))) return;
      const { rows } = await actions.stepAt(position);
      const fed = beside.positions.slice(0, position + 1).map(({ free }) => free?.fed.id);
      const row = rows.findIndex(({ sentence, prefix }) => sentence === place && prefix.length === fed.length && prefix.every(({ id }, i) => id === fed[i]));
      if (row >= 0) open(row, position, beside.positions[position].free?.predicted.id);
    },
  };
}
