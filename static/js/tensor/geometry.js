/** Where things stand in a heatmap: pure arithmetic from sizes to pixels. */

/** Space for labels: width of the row labels, width of the widest column label, whether a strip of row sums follows. */
/** @typedef {{left: number, widest: number, strip: boolean, captions: boolean}} Margins */

/**
 * @typedef {object} Frame
 * @property {number} left     where cells begin
 * @property {number} top
 * @property {number} width    room for cells
 * @property {number} height
 * @property {number} outerWidth
 * @property {number} outerHeight
 * @property {number} cellWidth   of the whole matrix, unzoomed
 * @property {number} cellHeight
 * @property {boolean} upright  column labels are turned by a quarter
 * @property {boolean} labelled
 */

export const CELL = { width: 54, height: 30, caption: 42, legible: 33 };
const STRIP = 38;
const LINE = 18;
const TALLEST = 96;
const TALLEST_STACK = 460;
const GAP = 16;
/** How much narrower a label may be set before it is turned. */
const LEAST_FONT = 10 / 12;

/**
 * The frame of one matrix.
 * @param {number} rows
 * @param {number} columns
 * @param {number} width the room there is
 * @param {number} tallest how high the cells may stand together
 * @param {Margins} margins
 * @returns {Frame}
 */
export function frameOf(rows, columns, width, tallest, margins) {
  const right = margins.strip ? STRIP : 2;
  const { left } = margins;
  const room = Math.max(width - left - right, 40);
  const cellWidth = Math.min(CELL.width, room / columns);
  const most = margins.captions ? CELL.caption : CELL.height;
  const cellHeight = Math.min(most, tallest / rows, Math.max(cellWidth, LINE));
  const upright = margins.widest > 0 && margins.widest * LEAST_FONT > cellWidth - 1;
  const top = upright ? Math.min(margins.widest, TALLEST) + 8 : LINE;
  const [wide, high] = [cellWidth * columns, cellHeight * rows];
  return {
    left, top, width: wide, height: high, outerWidth: left + wide + right, outerHeight: top + high + 2, cellWidth, cellHeight, upright, labelled: true,
  };
}

/**
 * The frame of one of several matrices side by side without labels.
 * @param {number} rows
 * @param {number} columns
 * @param {number} width
 * @param {number} tallest
 * @returns {Frame}
 */
export function bareFrame(rows, columns, width, tallest) {
  const side = Math.min(CELL.width, (width - 2) / columns);
  const cellHeight = Math.min(CELL.height, tallest / rows, Math.max(side, 4));
  const [wide, high] = [side * columns, cellHeight * rows];
  return { left: 1, top: 1, width: wide, height: high, outerWidth: wide + 2, outerHeight: high + 2, cellWidth: side, cellHeight, upright: false, labelled: false };
}

/**
 * How several matrices of one size stand: as many side by side as keep their numbers legible, else small ones.
 * @param {number} count
 * @param {number} rows
 * @param {number} columns
 * @param {number} width
 * @param {Margins} margins
 * @returns {{perRow: number, frame: Frame}}
 */
export function multiples(count, rows, columns, width, margins) {
  const share = (/** @type {number} */ n) => (width - (n - 1) * GAP) / n;
  for (let perRow = count; perRow > 1; perRow--) {
    const frame = frameOf(rows, columns, share(perRow), 300, margins);
    if (frame.cellWidth >= CELL.legible && frame.outerWidth <= share(perRow) + 1) return { perRow, frame };
  }
  const single = frameOf(rows, columns, width, 260, margins);
  if (single.cellWidth >= CELL.legible && single.outerHeight * count <= TALLEST_STACK) return { perRow: 1, frame: single };
  const pair = frameOf(rows, columns, share(2), 260, margins);
  if (count <= 4 && pair.cellWidth >= 9 && pair.cellHeight >= 9) return { perRow: Math.min(2, count), frame: pair };
  const perRow = Math.min(count, count > 4 && width > 420 ? 4 : 2);
  return { perRow, frame: bareFrame(rows, columns, share(perRow), 200) };
}

/**
 * Every how many places one label is written, so that labels do not touch.
 * @param {number} px pixels a place
 * @param {number} needs pixels a label
 */
export function labelStride(px, needs) {
  const least = Math.max(1, Math.ceil(needs / px));
  if (least === 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((stride) => stride >= least) ?? least;
}
