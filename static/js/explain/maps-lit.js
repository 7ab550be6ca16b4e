/** Which tensors are lit as operands: those of the cell that is pointed at, or else of the selected one. */

/** @typedef {import("../core/types.js").Explanation} Explanation */

/** @type {string[]} */
const NONE = [];

/**
 * @param {import("../core/store.js").Store} store
 * @param {() => Explanation | null} explained   what is known of the selected cell
 */
export function keepLit(store, explained) {
  function light() {
    const { lit } = store.get();
    const next = litNow(store.get(), explained());
    if (String(next) !== String(lit)) store.set({ lit: next });
  }

  store.subscribe(["tensor", "trace", "cell", "hovered"], light);
  light();
}

/**
 * @param {Pick<import("../core/store.js").State, "trace" | "tensor" | "cell" | "hovered">} state
 * @param {Explanation | null} explanation
 * @returns {string[]}
 */
export function litNow({ trace, tensor, cell, hovered }, explanation) {
  if (!cell && !hovered) return NONE;
  if (explanation && explanation.name === tensor) return [...new Set(explanation.operands.map(({ name }) => name))];
  return trace?.records.find(({ name }) => name === tensor)?.reads ?? NONE;
}
