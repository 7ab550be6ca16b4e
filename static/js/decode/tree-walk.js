/** Walking the tree by keys: left to the parent, right to the best child, up and down within a step. Pure. */

/** @typedef {import("./tree-layout.js").Plan} Plan @typedef {import("./tree-layout.js").Place} Place */

/**
 * Where a key leads to; null for a key that means nothing here.
 * @param {Plan} plan
 * @param {number} id   the hypothesis that has the focus
 * @param {string} key
 * @param {(place: Place) => boolean} seen   whether a hypothesis is drawn
 * @returns {number | null}
 */
export function walk(plan, id, key, seen) {
  const at = plan.places.get(id);
  if (!at) return null;
  const column = plan.columns.find(({ step }) => step === at.node.step);
  const beside = column ? [...column.kept, ...column.dropped].filter(seen) : [];
  const place = beside.indexOf(at);
  /** @type {Record<string, () => Place | undefined | null>} */
  const moves = {
    ArrowLeft: () => at.parent,
    ArrowRight: () => at.children.find(seen),
    ArrowUp: () => beside[place - 1],
    ArrowDown: () => beside[place + 1],
    Home: () => plan.columns[0].kept[0],
    End: () => [...plan.places.values()].filter(({ best }) => best).at(-1),
  };
  return key in moves ? (moves[key]()?.node.id ?? id) : null;
}

/**
 * The step and the row that show a hypothesis: the pass that it was fed to, or the one that made it where it was fed to none.
 * @param {import("../core/types.js").TreeNode} node
 * @returns {{step: number, fed: boolean}}
 */
export function passOf({ step, fate }) {
  const fed = fate === "live" || fate === "passed" || fate === "died";
  return { step: fed ? step + 1 : step, fed };
}
