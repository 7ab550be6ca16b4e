/** What blocks and steps are called on the diagram, derived from the legend. Pure: no DOM. */

import { ofKind, layersOf, looksBackOnly, shapeAt, DOT, blockOf } from "./legend.js";

/** @typedef {import("./legend.js").Legend} Legend @typedef {import("../core/types.js").Part} Part @typedef {import("../core/types.js").Tensor} Tensor */

/** What a step is called in its box. */
const STEPS = /** @type {Record<string, string>} */ ({
  given: "given", drawn: "draw at random", embed: "look up rows", positions: "position code", rows: "first rows", same: "same", scale: "scale",
  add: "+", multiply: "×", linear: "linear", activation: "activation", split: "split into heads", concat: "concat heads", dot: "Q · Kᵀ",
  mix: "weights · V", mask: "mask", softmax: "softmax", not_padding: "is not padding", not_later: "is not later", everything: "allow all", all_of: "all of",
  mean: "mean", variance: "variance", deviation: "deviation", centre: "less the mean", divide: "divide", gain_offset: "gain and offset", log_softmax: "log-softmax",
  exp: "exp", label_loss: "−ln p(label)", keep: "0 for padding", total: "sum up",
});

/** @param {Tensor} tensor */
export function stepTitle(tensor) {
  return STEPS[tensor.kind] ?? tensor.kind.replaceAll("_", " ");
}

/**
 * A tensor's own name, without the blocks it stands in.
 * @param {string} name
 */
export function leaf(name) {
  return name.slice(name.lastIndexOf(".") + 1);
}

/**
 * What a tensor is called inside a block: by its own name, and by the block that it comes from when it comes from elsewhere.
 * @param {Tensor} tensor @param {string} at the block
 */
export function nameIn({ name, block }, at) {
  const own = at === "" || name.startsWith(`${at}.`);
  return own || block === "" ? leaf(name) : `${leaf(block)} ${leaf(name)}`;
}

/**
 * A block's title: what it is, where several of its kind differ.
 * @param {Legend} legend @param {Part} part
 * @returns {string}
 */
export function title(legend, part) {
  if (part.name === "") return "model";
  if (part.kind === "MultiHeadAttention") return attentionTitle(legend, part);
  const around = legend.around.get(part.name);
  const place = layersOf(around).indexOf(part);
  return place >= 0 ? `layer ${place + 1}` : part.title;
}

/**
 * A place's title, for the breadcrumb.
 * @param {Legend} legend @param {string} at
 */
export function placeTitle(legend, at) {
  if (at.endsWith(DOT)) return "scaled dot-product attention";
  const part = legend.parts.get(blockOf(at));
  return part ? title(legend, part) : "";
}

/** @param {Part} part whether queries and keys come from the same tensor */
export function attendsToItself(part) {
  return part.inputs.query === part.inputs.memory;
}

/** @param {Legend} legend @param {Part} part */
function attentionTitle(legend, part) {
  const word = leaf(part.name).split("_")[0];
  if (!attendsToItself(part)) return `${word}-attention`;
  return looksBackOnly(legend, part.inputs.mask) ? `masked ${word}-attention` : `multi-head ${word}-attention`;
}

/**
 * The second line in a block's box: how it treats the positions.
 * @param {Legend} legend @param {Part} part @param {Record<string, number>} sizes
 */
export function subtitle(legend, part, sizes) {
  const drop = dropoutNote(part);
  if (part.kind === "FeedForward") return alone(widths(legend, part, sizes).join(" → "), drop);
  if (part.kind !== "MultiHeadAttention") return "";
  return [mixing(legend, part, sizes, drop ? "mixes" : "mixes positions"), drop].filter(Boolean).join(" · ");
}

/** @param {Legend} legend @param {Part} part @param {Record<string, number>} sizes @param {string} mixes */
function mixing(legend, part, sizes, mixes) {
  const weights = ofKind(legend, part, "softmax");
  const [queries, keys] = weights ? weights.over.slice(-2) : ["", ""];
  if (!attendsToItself(part)) return `${mixes} · ${queries} looks at ${keys}`;
  if (looksBackOnly(legend, part.inputs.mask)) return `${mixes} · no looking ahead`;
  const split = ofKind(legend, part, "split");
  const whole = split && legend.tensors.get(split.reads[0]);
  const made = split && whole ? split.over.filter((over) => !whole.over.includes(over)).map((over) => sizes[over]) : [];
  return made.length === 2 ? `${mixes} · ${made[0]} heads × ${made[1]}` : mixes;
}

/** @param {string} through @param {string} drop */
function alone(through, drop) {
  if (drop) return [through.length > 14 ? "" : "each alone", through, drop].filter(Boolean).join(" · ");
  return through.length > 14 ? `each alone · ${through}` : `each position alone · ${through}`;
}

/**
 * What a block's box adds where something in it is dropped at random in training.
 * @param {Part} part @param {boolean} [brief] beside a title in a narrow box
 */
export function dropoutNote({ parts }, brief = false) {
  if (!parts.some((inside) => inside.kind === "Dropout")) return "";
  return brief ? "drop" : "dropout";
}

/**
 * The widths that vectors take on their way through the linear steps of a block.
 * @param {Legend} legend @param {Part} part @param {Record<string, number>} sizes
 */
function widths(legend, part, sizes) {
  const linear = part.tensors.map((name) => legend.tensors.get(name)).filter((tensor) => tensor?.kind === "linear");
  const first = linear[0] && legend.tensors.get(linear[0].reads[0]);
  return [first, ...linear].filter((tensor) => tensor !== undefined).map((tensor) => shapeAt(tensor, sizes).at(-1));
}

/** @param {string} kind of a block @returns {import("./scene.js").Tint} */
export function tint(kind) {
  if (kind === "MultiHeadAttention") return "attention";
  if (kind === "LayerNorm" || kind === "Residual") return "norm";
  if (kind === "Embedding") return "embed";
  if (kind === "Generator" || kind === "Loss") return "output";
  return "plain";
}
