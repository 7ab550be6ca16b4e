/** The cut into heads in words: which columns of the whole become which head. Pure: no DOM. */

import { countsFromOne } from "../core/axes.js";
import { leaf } from "./words.js";

/** @typedef {import("./legend.js").Legend} Legend @typedef {import("../core/types.js").Tensor} Tensor */

/** How many heads are named one by one. */
const MOST = 4;

/**
 * What a tensor is cut from, and into how many parts of which width; null where it is not cut.
 * @param {Legend} legend @param {Tensor} tensor @param {Record<string, number>} sizes
 */
export function cutOf(legend, tensor, sizes) {
  const whole = tensor.kind === "split" ? legend.tensors.get(tensor.reads[0]) : undefined;
  if (!whole) return null;
  const [part, column] = tensor.over.filter((over) => !whole.over.includes(over));
  return { whole: leaf(whole.name), part, parts: sizes[part], width: sizes[column] };
}

/**
 * "Columns 0–3 of queries become head 1, columns 4–7 head 2."
 * @param {Legend} legend @param {Tensor} tensor @param {Record<string, number>} sizes
 */
export function cutSentence(legend, tensor, sizes) {
  const cut = cutOf(legend, tensor, sizes);
  if (!cut) return "";
  const { whole, part, parts, width } = cut;
  const one = (/** @type {number} */ place) => `columns ${columns(place, width)} become ${named(part, place)}`;
  const places = Array.from({ length: parts }, (_, place) => place).filter((place) => parts <= MOST || place < 2 || place === parts - 1);
  const list = places.map((place, i) => (i ? `${columns(place, width)} ${named(part, place)}` : one(place)));
  if (parts > MOST) list.splice(2, 0, "…");
  return `Of ${whole}, ${list.join(", ")}. Each row stays the same token’s.`;
}

/**
 * Where one column of one head stands in the whole.
 * @param {Legend} legend @param {Tensor} tensor @param {Record<string, number>} sizes
 * @param {{over: string, place: number}[]} leading the places chosen on the axes before the last two @param {number} column
 */
export function columnOfWhole(legend, tensor, sizes, leading, column) {
  const cut = cutOf(legend, tensor, sizes);
  const chosen = leading.find(({ over }) => over === cut?.part);
  if (!cut || !chosen) return "";
  return `column ${chosen.place * cut.width + column} of ${cut.whole}: its columns ${columns(chosen.place, cut.width)} are ${named(cut.part, chosen.place)}`;
}

/** @param {number} place @param {number} width */
function columns(place, width) {
  const from = place * width;
  return width > 1 ? `${from}–${from + width - 1}` : `${from}`;
}

/** @param {string} over @param {number} place */
function named(over, place) {
  return `${over} ${countsFromOne(over) ? place + 1 : place}`;
}
