/** The maps of one explanation on the page: as the product stands on paper, or in a row. */

import { isTokens, tokensAlong } from "../core/axes.js";
import { el } from "../core/dom.js";
import { palette } from "../core/palette.js";
import { labelOf } from "../tensor/picture.js";
import { createMap } from "./map.js";
import { spotOf } from "./maps-plan.js";
import { framesOf } from "./maps-size.js";

/**
 * @typedef {import("./maps-plan.js").Plan} Plan @typedef {import("./maps-plan.js").Part} Part @typedef {import("../tensor/context.js").Context} Context
 * @typedef {import("../core/types.js").Values} Values @typedef {import("./map-marks.js").Spot} Spot @typedef {(number | null)[]} Line
 *
 * @typedef {object} Board
 * @property {HTMLElement} element
 * @property {import("./map.js").OneMap[]} maps
 * @property {(i: number, values: Values, around: Line) => void} draw
 * @property {(lights: Light[]) => void} mark   one for each part
 *
 * @typedef {{cell: Line | null, ring?: Line | null, now?: Line | null, done?: number | null}} Light   cells of the part's tensor
 */

/** Labels are no wider than this. */
const WIDEST = 72;

/**
 * @param {Plan} plan @param {Context[]} contexts one for each part @param {number} width
 * @param {object} host
 * @param {import("../core/store.js").Store} host.store
 * @param {(i: number, spot: Spot | null) => void} host.point
 * @param {(i: number, spot: Spot) => void} host.open
 * @returns {Board}
 */
export function createBoard(plan, contexts, width, { store, point, open }) {
  const { parts, product } = plan;
  const measure = ruler();
  const frames = framesOf(plan, width, (part) => {
    const context = contexts[parts.indexOf(part)];
    return { rows: widest(context, part.row, measure), columns: widest(context, part.column, measure) };
  });
  const maps = parts.map((part, i) => createMap(part, frames[i], contexts[i], { store, point: (spot) => point(i, spot), open: (spot) => open(i, spot) }));
  const figures = maps.map(({ title, picture }, i) => el("div", { class: "map", data: { stands: parts[i].stands } }, title, picture));
  const element = el("div", { class: product ? "maps-board maps-product" : "maps-board" }, ...(product ? productOf(parts, maps, figures) : figures));

  return {
    element, maps,
    draw: (i, values, around) => maps[i].draw(values, around, palette()),
    mark(lights) {
      lights.forEach(({ cell, ring, now, done }, i) => maps[i].mark({ lit: cell && spotOf(parts[i], cell), ring: spotAt(parts[i], maps[i].around(), ring), now: spotAt(parts[i], maps[i].around(), now), done }));
    },
  };
}

/** The left operand at the left, the other above, the result where they meet, anything else below. @param {Part[]} parts @param {import("./map.js").OneMap[]} maps @param {HTMLElement[]} figures */
function productOf(parts, maps, figures) {
  const [left, above, result] = maps;
  const rest = figures.slice(3);
  return [
    el("div", { class: "map-corner" }, left.title), el("div", { class: "map-above" }, above.title, above.picture), left.picture,
    el("div", { class: "map-result" }, result.picture, result.title, ...rest),
  ];
}

/** A cell as a place in a map, when the slice that is drawn holds it. @param {Part} part @param {Line} around @param {Line | null | undefined} cell @returns {Spot | null} */
function spotAt(part, around, cell) {
  if (!cell || cell.some((place, i) => i !== part.row && i !== part.column && place !== null && around[i] !== null && place !== around[i])) return null;
  const { row, column } = spotOf(part, cell);
  return row === null || column === null ? null : { row, column };
}

/** How wide an axis' labels are; only tokens are written, for the other places have no names. @param {Context} context @param {number | null} axis @param {(text: string) => number} measure */
function widest(context, axis, measure) {
  if (axis === null) return 0;
  const { record, trace } = context;
  if (!tokensAlong(trace, record.axes[axis], record.over[axis]) && !isTokens(record.over[axis])) return 0;
  const count = Math.min(record.shape[axis], 120);
  const named = { ...context, layout: { ...context.layout, row: null } };
  const texts = Array.from({ length: count }, (_, place) => labelOf(named, axis, place).text);
  return Math.min(WIDEST, Math.ceil(Math.max(...texts.map(measure))) + 10);
}

/** How wide a label is. @returns {(text: string) => number} */
function ruler() {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `600 12px ${palette().css("--sans")}`;
  return (text) => pen.measureText(text).width;
}
