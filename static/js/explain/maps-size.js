/** How large the maps of the operands are, so that a product's rows and columns meet. Pure arithmetic. */

import { sidesOfPart } from "./maps-plan.js";

/** @typedef {import("./maps-plan.js").Part} Part @typedef {import("./maps-plan.js").Plan} Plan @typedef {import("../tensor/geometry.js").Frame} Frame */

/** What is written beside a map: the width of its row labels, and of its widest column label; 0 for none. @typedef {{rows: number, columns: number}} Labels */

const CELL = { width: 38, height: 20 };
export const GAP = 12;
const TALL = { product: 264, plain: 132 };
/** The least share of the room that one of two matrices side by side keeps. */
const LEAST = 0.28;
const LINE = 16;
const UPRIGHT = 54;
/** Labels stand beside rows that are at least so high, and lie above columns that are at least so wide. */
const WRITTEN = { row: 11, column: 9, lying: 30 };
/** How many times as wide as high a cell may be. */
const SHAPE = 2.2;

/**
 * @param {Plan} plan @param {number} width the room there is @param {(part: Part) => Labels} labels
 * @returns {Frame[]} one for each part
 */
export function framesOf({ product, parts }, width, labels) {
  return product ? productFrames(parts, width, labels) : parts.map((part) => plainFrame(part, plainRoom(parts, part, width), TALL.plain, labels(part)));
}

/** @param {Part[]} parts @param {number} width @param {(part: Part) => Labels} labels */
function productFrames(parts, width, labels) {
  const [left, above] = parts;
  const [{ rows, columns: along }, { columns }] = [sidesOfPart(left), sidesOfPart(above)];
  const [down, high] = shareOut([along, rows], TALL.product, CELL.height);
  const margin = high >= WRITTEN.row ? labels(left).rows : 0;
  const [across, wide] = shareOut([along, columns], width - margin - GAP - 6, CELL.width);
  return parts.map((part) => {
    if (part.stands === "left") return frame({ rows, columns: along }, [across, high], { left: margin, top: 0 });
    if (part.stands === "above") return frame({ rows: along, columns }, [wide, down], { left: 0, ...topOf(labels(part).columns, wide) });
    if (part.stands === "result") return frame({ rows, columns }, [wide, high], { left: 0, top: 0 });
    const own = sidesOfPart(part);
    return own.rows === 1 && own.columns === columns ? frame(own, [wide, Math.min(CELL.height, Math.max(high, 10))], { left: 0, top: 0 }) : plainFrame(part, columns * wide, TALL.plain, { rows: 0, columns: 0 });
  });
}

/**
 * Pixels a cell for two runs of cells in one room: the same for both, unless the shorter would be too thin to see.
 * @param {[number, number]} counts @param {number} room @param {number} most
 * @returns {[number, number]}
 */
export function shareOut([a, b], room, most) {
  const px = Math.min(most, room / (a + b));
  const least = room * LEAST;
  if (a * px < least && a < b) return widened(a, b, room, most);
  if (b * px < least && b < a) return /** @type {[number, number]} */ (widened(b, a, room, most).reverse());
  return [px, px];
}

/** @param {number} thin @param {number} thick @param {number} room @param {number} most @returns {[number, number]} */
function widened(thin, thick, room, most) {
  const own = Math.min(thin * most, room * LEAST);
  return [own / thin, Math.min(most, (room - own) / thick)];
}

/** Two large maps stand side by side; a list or a single map has all the width. @param {Part[]} parts @param {Part} part @param {number} width */
function plainRoom(parts, part, width) {
  const matrices = parts.filter((one) => sidesOfPart(one).rows > 1).length;
  return sidesOfPart(part).rows === 1 || matrices < 2 ? width : (width - GAP) / 2;
}

/** @param {Part} part @param {number} room @param {number} tallest @param {Labels} labels @returns {Frame} */
function plainFrame(part, room, tallest, labels) {
  const sides = sidesOfPart(part);
  const most = Math.min(CELL.height, tallest / sides.rows);
  const written = most >= WRITTEN.row ? labels.rows : 0;
  const wide = Math.min(CELL.width, (room - written - 4) / sides.columns, sides.rows === 1 ? Infinity : most * SHAPE);
  const high = Math.min(most, Math.max(wide, sides.rows === 1 ? CELL.height : WRITTEN.row));
  return frame(sides, [wide, high], { left: written, ...topOf(labels.columns, wide) });
}

/** The room above for column labels, turned by a quarter where they are wider than their cells. @param {number} widest @param {number} px */
function topOf(widest, px) {
  if (widest === 0 || px < WRITTEN.column) return { top: 0 };
  return widest > px - 2 && px < WRITTEN.lying ? { top: Math.min(widest + 8, UPRIGHT), upright: true } : { top: LINE };
}

/** @param {{rows: number, columns: number}} sides @param {[number, number]} px @param {{left: number, top: number, upright?: boolean}} margins @returns {Frame} */
function frame({ rows, columns }, [cellWidth, cellHeight], { left, top, upright = false }) {
  const [width, height] = [columns * cellWidth, rows * cellHeight];
  return { left, top, width, height, outerWidth: left + width + 2, outerHeight: top + height + 2, cellWidth, cellHeight, upright, labelled: left > 0 || top > 0 };
}
