/** The tensors that the arithmetic of one head is made of: which to ask for, and how to read them. Pure: no DOM. */

/** @typedef {import("../core/types.js").Values} Values @typedef {import("./attention.js").Roles} Roles */

/**
 * The names of all tensors that are drawn or that explain a cell.
 * @param {Roles} role @param {string[]} reasons the masks that explain a blocked cell
 * @returns {string[]}
 */
export function wanted(role, reasons) {
  const drawn = [role.q, role.k, role.v, role.scale, role.mask, role.softmax, role.mix].map((tensor) => tensor.name);
  return [...new Set(drawn.concat(role.mixed, role.multiplier ?? [], reasons))];
}

/**
 * The values by what they do.
 * @param {Roles} role @param {Map<string, Values>} values
 * @returns {import("./sum-panel.js").Shown["values"]}
 */
export function operands(role, values) {
  const of = (/** @type {string} */ name) => /** @type {Values} */ (values.get(name));
  return {
    q: of(role.q.name), k: of(role.k.name), v: of(role.v.name), scores: of(role.scale.name), masked: of(role.mask.name), weights: of(role.softmax.name),
    dropped: of(role.mixed), multiplier: of(role.multiplier ?? role.mixed), heads: of(role.mix.name),
  };
}

/**
 * One number of a matrix.
 * @param {Values} found @param {number} row @param {number} column
 */
export function at(found, row, column) {
  return Number(found.values[row * (found.shape.at(-1) ?? 1) + column]);
}

/**
 * The cell that says most at first sight: the largest weight of the last query.
 * @param {Values} weights
 */
export function largestOfLast(weights) {
  const [rows, columns] = weights.shape.slice(-2);
  const last = Array.from(weights.values.slice((rows - 1) * columns, rows * columns), Number);
  return { row: rows - 1, column: last.indexOf(Math.max(...last)) };
}
