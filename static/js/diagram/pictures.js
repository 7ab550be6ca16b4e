/** The small pictures on the wires: a few real cells of each tensor, fetched together, repainted in place. */

import { svg } from "../core/dom.js";
import { tensors } from "../core/api.js";
import { looks } from "./values.js";

/** @typedef {import("../core/types.js").Values} Values @typedef {import("../core/types.js").Trace} Trace @typedef {import("./draw.js").Drawing} Drawing */

const FIT = "12x6";
const IDS = 4;

/**
 * Fetch what the pictures of a drawing need, in one request.
 * @param {Drawing} drawing @param {Trace} trace @param {Record<string, number>} index the chosen place on each axis
 * @returns {Promise<Map<string, Values>>}
 */
export async function fetchPictures(drawing, trace, index) {
  const recorded = new Set(trace.records.map((record) => record.name));
  const edges = drawing.scene.edges.filter((edge) => edge.thumb && recorded.has(edge.tensor));
  if (!edges.length) return new Map();
  const chosen = new Map(edges.flatMap((edge) => edge.axes.slice(0, -2).map((axis, i) => [axis, index[edge.over[i]] ?? 0])));
  const slice = [...chosen].map(([axis, place]) => `${axis}:${place}`).join(",");
  const found = await tensors(trace.id, edges.map((edge) => edge.tensor), { index: slice || undefined, fit: FIT });
  return new Map(found.map((values) => [values.name, values]));
}

/**
 * Paint the pictures; those whose values are unknown are emptied.
 * @param {Drawing} drawing @param {Trace | null} trace @param {Map<string, Values>} values @param {import("./legend.js").Legend} legend
 */
export function paintPictures(drawing, trace, values, legend) {
  const records = new Map(trace?.records.map((record) => [record.name, record]));
  for (const { edge, picture } of drawing.edges.values()) {
    if (!picture || !edge.thumb) continue;
    const found = values.get(edge.tensor);
    const record = records.get(edge.tensor);
    if (!found || !record) picture.replaceChildren();
    else if (record.dtype.startsWith("int")) paintIds(picture, found, edge.thumb);
    else paintCells(picture, found, edge.thumb, looks(legend.tensors.get(edge.tensor)?.kind ?? "", record));
  }
}

/** @param {SVGGElement} picture @param {Values} found @param {import("./scene.js").Rect} thumb @param {(value: number) => import("./values.js").Look} look */
function paintCells(picture, found, thumb, look) {
  const columns = found.shape.at(-1) ?? 1;
  const rows = found.values.length / columns;
  const key = `${rows}x${columns}`;
  if (picture.dataset.cells !== key) {
    const [w, h] = [thumb.w / columns, thumb.h / rows];
    const cells = Array.from(found.values, (_, i) => svg("rect", { x: round((i % columns) * w), y: round(Math.floor(i / columns) * h), width: round(w + 0.05), height: round(h + 0.05) }));
    picture.replaceChildren(...cells, svg("rect", { class: "dg-picture-frame", x: -0.5, y: -0.5, width: thumb.w + 1, height: thumb.h + 1, rx: 2 }));
    picture.dataset.cells = key;
  }
  found.values.forEach((/** @type {number | bigint} */ value, /** @type {number} */ i) => {
    const cell = /** @type {SVGRectElement} */ (picture.children[i]);
    const { fill, mark } = look(Number(value));
    cell.setAttribute("class", mark ? `dg-${mark}` : "dg-value");
    cell.style.setProperty("fill", fill);
  });
}

/** Ids have no more or less: they are written. @param {SVGGElement} picture @param {Values} found @param {import("./scene.js").Rect} thumb */
function paintIds(picture, found, thumb) {
  const columns = found.shape.at(-1) ?? 1;
  const ids = Array.from(found.values.slice(0, columns), Number);
  let text = ids.slice(0, IDS).join(" ");
  if (ids.length > IDS || text.length > 7) text = `${text.slice(0, 6).trim()}…`;
  delete picture.dataset.cells;
  picture.replaceChildren(svg("text", { class: "dg-picture-ids", x: thumb.w, y: thumb.h - 3, "text-anchor": "end", text }));
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
