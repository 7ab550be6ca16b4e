/** One axis of a heatmap seen through a window: which cells are in view, how wide a cell is, how many are skipped. */

/**
 * `length` cells, `room` pixels for them, `px` pixels a cell (under 1 where cells are skipped), `offset` the first cell in view.
 * @typedef {{length: number, room: number, px: number, offset: number, least: number, most: number}} Span
 */

/**
 * A window that shows the whole axis, with cells no wider than `most`.
 * @param {number} length
 * @param {number} room
 * @param {number} most
 * @param {number} [zoomed] how wide a cell may become by zooming
 * @returns {Span}
 */
export function whole(length, room, most, zoomed = most) {
  const px = Math.min(most, room / Math.max(length, 1));
  return { length, room: Math.min(room, px * length), px, offset: 0, least: px, most: Math.max(zoomed, px) };
}

/**
 * Every how many cells one is drawn: a power of two, so that what is drawn is at least a pixel wide.
 * @param {Span} span
 */
export function stepOf({ px }) {
  return px >= 1 ? 1 : 2 ** Math.ceil(Math.log2(1 / px) - 1e-9);
}

/**
 * The cells in view, first included, last excluded.
 * @param {Span} span
 * @returns {[number, number]}
 */
export function inView({ length, room, px, offset }) {
  return [Math.max(0, Math.floor(offset + 1e-6)), Math.min(length, Math.ceil(offset + room / px - 1e-6))];
}

/**
 * @param {{rows: Span, columns: Span}} spans
 * @param {(row: number, column: number) => void} visit
 */
export function eachInView({ rows, columns }, visit) {
  const [firstRow, endRow] = inView(rows);
  const [firstColumn, endColumn] = inView(columns);
  for (let row = firstRow; row < endRow; row++) for (let column = firstColumn; column < endColumn; column++) visit(row, column);
}

/**
 * @param {Span} span
 * @param {number} cell
 * @returns {number} the pixel where a cell begins
 */
export function edgeOf({ offset, px }, cell) {
  return (cell - offset) * px;
}

/**
 * The drawn cell at a pixel; where cells are skipped, the one that stands for it.
 * @param {Span} span
 * @param {number} x
 * @returns {number | null}
 */
export function cellAt(span, x) {
  if (x < 0 || x >= span.room) return null;
  const step = stepOf(span);
  const cell = Math.floor((span.offset + x / span.px) / step) * step;
  return cell < span.length ? cell : null;
}

/**
 * @param {Span} span
 * @param {number} cells how far the window moves
 * @returns {Span}
 */
export function moved(span, cells) {
  return held({ ...span, offset: span.offset + cells });
}

/**
 * Zoom, keeping what lies under a pixel where it is.
 * @param {Span} span
 * @param {number} factor
 * @param {number} at
 * @returns {Span}
 */
export function zoomed(span, factor, at) {
  const px = Math.min(span.most, Math.max(span.least, span.px * factor));
  return held({ ...span, px, offset: span.offset + at / span.px - at / px });
}

/**
 * Move the window just so far that a cell is in view.
 * @param {Span} span
 * @param {number} cell
 * @returns {Span}
 */
export function revealing(span, cell) {
  const width = stepOf(span);
  const seen = span.room / span.px;
  if (cell < span.offset) return held({ ...span, offset: cell });
  if (cell + width > span.offset + seen) return held({ ...span, offset: cell + width - seen });
  return span;
}

/** @param {Span} span @returns {Span} */
function held(span) {
  return { ...span, offset: Math.max(0, Math.min(span.offset, span.length - span.room / span.px)) };
}
