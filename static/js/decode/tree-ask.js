/** Asking for the tree: as far as a step, and never again once it is finished. */

import { json } from "../core/api.js";

/** @typedef {import("../core/types.js").Tree} Tree */

/** @returns {{known: (decoding: string, step: number) => Tree | null, ask: (decoding: string, step: number) => Promise<Tree>}} */
export function createAsking() {
  /** @type {{decoding: string, tree: Tree} | null} */
  let held = null;

  return {
    known: (decoding, step) => (held?.decoding === decoding && (held.tree.finished || held.tree.steps > step) ? held.tree : null),
    async ask(decoding, step) {
      const tree = /** @type {Tree} */ (await json(`/api/decodings/${decoding}/tree?to=${step}`));
      if (held?.decoding !== decoding || tree.steps >= held.tree.steps) held = { decoding, tree };
      return held.tree;
    },
  };
}
