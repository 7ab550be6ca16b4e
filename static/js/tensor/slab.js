/** A two-dimensional part of the values that came: one matrix of a tensor, or one tile of it, without copying. */

/** @typedef {import("../core/types.js").Values} Values */

/**
 * `rows` by `columns` cells that stand in `data` from `base` on; the first is cell (`rowStart`, `columnStart`) of the whole matrix.
 * @typedef {{data: Values["values"], base: number, rows: number, columns: number, rowStride: number, columnStride: number,
 *   rowStart: number, columnStart: number, rowStep: number, columnStep: number}} Slab
 */

/**
 * @param {Values} values
 * @param {{row: string | null, column: string | null}} drawn the names of the axes that are drawn
 * @param {Record<string, number>} places the place on each other axis
 * @returns {Slab}
 */
export function slabOf(values, drawn, places) {
  const slab = { data: values.values, base: 0, rows: 1, columns: 1, rowStride: 0, columnStride: 0, rowStart: 0, columnStart: 0, rowStep: 1, columnStep: 1 };
  let stride = 1;
  for (let i = values.shape.length - 1; i >= 0; i--) {
    const axis = values.axes[i];
    const start = values.start[i] ?? 0;
    const step = values.step[i] ?? 1;
    if (axis === drawn.row) Object.assign(slab, { rows: values.shape[i], rowStride: stride, rowStart: start, rowStep: step });
    else if (axis === drawn.column) Object.assign(slab, { columns: values.shape[i], columnStride: stride, columnStart: start, columnStep: step });
    else slab.base += Math.floor(((places[axis] ?? 0) - start) / step) * stride;
    stride *= values.shape[i];
  }
  return slab;
}

/**
 * The value of a cell of the whole matrix, or undefined when it is not in this part.
 * @param {Slab} slab
 * @param {number} row
 * @param {number} column
 * @returns {number | undefined}
 */
export function valueAt(slab, row, column) {
  const i = (row - slab.rowStart) / slab.rowStep;
  const j = (column - slab.columnStart) / slab.columnStep;
  if (i < 0 || j < 0 || i >= slab.rows || j >= slab.columns || !Number.isInteger(i) || !Number.isInteger(j)) return undefined;
  return Number(slab.data[slab.base + i * slab.rowStride + j * slab.columnStride]);
}

/**
 * The sum of each row of a slab that holds whole rows.
 * @param {Slab} slab
 * @returns {number[]}
 */
export function rowSums({ data, base, rows, columns, rowStride, columnStride }) {
  return Array.from({ length: rows }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += Number(data[base + i * rowStride + j * columnStride]);
    return sum;
  });
}

/**
 * The least and the greatest finite value, or null when there is none.
 * @param {Slab} slab
 * @returns {[number, number] | null}
 */
export function rangeOf({ data, base, rows, columns, rowStride, columnStride }) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = Number(data[base + i * rowStride + j * columnStride]);
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}
