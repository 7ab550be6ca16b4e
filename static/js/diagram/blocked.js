/** Why a query may not look at a key: which of the masks that the attention's mask is made of forbids it. Pure: no DOM. */

/** @typedef {import("../core/types.js").Values} Values @typedef {import("./legend.js").Legend} Legend */

/** What a mask forbids, by its kind. */
const FORBIDS = /** @type {Record<string, string>} */ ({ not_padding: "padding", not_later: "later than the query" });

/**
 * The masks with a reason of their own that a mask is made of.
 * @param {Legend} legend @param {string | undefined} mask
 * @returns {string[]}
 */
export function reasonsOf(legend, mask) {
  const tensor = mask ? legend.tensors.get(mask) : undefined;
  if (!tensor) return [];
  return FORBIDS[tensor.kind] ? [tensor.name] : tensor.reads.flatMap((name) => reasonsOf(legend, name));
}

/**
 * Why a cell is blocked, in words: "because it is padding".
 * @param {Legend} legend
 * @param {Values[]} masks  the values of the masks that `reasonsOf` names, for one sentence: (key) or (query, key)
 * @param {number} query @param {number} key
 */
export function whyBlocked(legend, masks, query, key) {
  const forbidding = masks.filter(({ values, shape }) => !values[shape.length > 1 ? query * shape[1] + key : key]);
  const words = forbidding.map(({ name }) => FORBIDS[legend.tensors.get(name)?.kind ?? ""]);
  return words.length ? `because it is ${words.join(" and ")}` : "because the mask says so";
}
