/** The model's legend as the diagram asks it: blocks and tensors by name, who stands in whom, what a size is. Pure: no DOM. */

/** @typedef {import("../core/types.js").Model} Model @typedef {import("../core/types.js").Part} Part @typedef {import("../core/types.js").Tensor} Tensor */

/**
 * @typedef {object} Legend
 * @property {Part} root
 * @property {Map<string, Part>} parts      blocks by name
 * @property {Map<string, Part>} around     the block around each block
 * @property {Map<string, Tensor>} tensors  tensors by name, parameters too
 */

/** The suffix of the innermost view of an attention block: the arithmetic of one head. */
export const DOT = ":dot";

/**
 * @param {Model} model
 * @returns {Legend}
 */
export function readLegend(model) {
  /** @type {Legend} */
  const legend = { root: model.tree, parts: new Map(), around: new Map(), tensors: new Map(model.tensors.map((tensor) => [tensor.name, tensor])) };
  const walk = (/** @type {Part} */ part) => {
    legend.parts.set(part.name, part);
    for (const inner of part.parts) {
      legend.around.set(inner.name, part);
      walk(inner);
    }
  };
  walk(model.tree);
  return legend;
}

/**
 * The block that a place in the diagram shows, without the suffix of the arithmetic view.
 * @param {string} at
 */
export function blockOf(at) {
  return at.endsWith(DOT) ? at.slice(0, -DOT.length) : at;
}

/**
 * The places from the whole model down to this one.
 * @param {Legend} legend @param {string} at
 * @returns {string[]}
 */
export function placesTo(legend, at) {
  const places = at.endsWith(DOT) ? [at] : [];
  for (let part = legend.parts.get(blockOf(at)); part; part = legend.around.get(part.name)) places.unshift(part.name);
  return places;
}

/**
 * The block directly inside `part` that holds a tensor; null when it is the part's own or stands outside.
 * @param {Part} part @param {string} tensor
 * @returns {Part | null}
 */
export function holder(part, tensor) {
  return part.parts.find((inner) => tensor.startsWith(`${inner.name}.`)) ?? null;
}

/**
 * The tensors of a block that are computed, its parameters left out.
 * @param {Legend} legend @param {Part} part
 */
export function computed(legend, part) {
  return part.tensors.map((name) => /** @type {Tensor} */ (legend.tensors.get(name))).filter((tensor) => !tensor.parameter);
}

/**
 * The first tensor of a block whose kind is one of these.
 * @param {Legend} legend @param {Part} part @param {...string} kinds
 * @returns {Tensor | undefined}
 */
export function ofKind(legend, part, ...kinds) {
  return computed(legend, part).find((tensor) => kinds.includes(tensor.kind));
}

/**
 * The layers of a stack.
 * @param {Part | null | undefined} stack
 */
export function layersOf(stack) {
  return stack ? stack.parts.filter((part) => part.kind.endsWith("Layer")) : [];
}

/** @type {WeakMap<Part, string[]>} what leaves a block never changes */
const left = new WeakMap();

/**
 * What leaves a block: its tensors that something outside reads, or, where nothing does, its last one.
 * @param {Legend} legend @param {Part} part
 * @returns {string[]}
 */
export function results(legend, part) {
  const known = left.get(part) ?? leaving(legend, part);
  left.set(part, known);
  return known;
}

/** @param {Legend} legend @param {Part} part */
function leaving(legend, part) {
  const inside = (/** @type {string} */ name) => part.name === "" || name.startsWith(`${part.name}.`);
  const own = [...legend.tensors.values()].filter((tensor) => inside(tensor.name) && !tensor.parameter);
  const read = own.filter((tensor) => tensor.feeds.some((reader) => !inside(reader)));
  return (read.length ? read : own.filter((tensor) => tensor.feeds.length === 0)).map((tensor) => tensor.name);
}

/**
 * One sublayer with the residual connection around it, in the order in which they run.
 * @typedef {{sublayer: Part, residual: Part, norm: Part, sum: Tensor, pre: boolean, input: string, result: string}} Sub
 */

/**
 * The sublayers of a layer.
 * @param {Legend} legend @param {Part} layer
 * @returns {Sub[]}
 */
export function subs(legend, layer) {
  return layer.parts.filter((part) => part.kind === "Residual").map((residual) => {
    const norm = /** @type {Part} */ (residual.parts.find((part) => part.kind === "LayerNorm"));
    const sum = /** @type {Tensor} */ (ofKind(legend, residual, "add"));
    const pre = norm.inputs.x === residual.inputs.x;
    const sublayer = /** @type {Part} */ (holder(layer, residual.inputs.sublayer));
    return { sublayer, residual, norm, sum, pre, input: residual.inputs.x, result: pre ? sum.name : lastOf(legend, norm) };
  });
}

/**
 * The name of a block's last computed tensor.
 * @param {Legend} legend @param {Part} part
 */
export function lastOf(legend, part) {
  return /** @type {Tensor} */ (computed(legend, part).at(-1)).name;
}

/**
 * A tensor's shape at given sizes.
 * @param {Tensor} tensor @param {Record<string, number>} sizes
 * @returns {number[]}
 */
export function shapeAt(tensor, sizes) {
  return tensor.over.map((over, i) => sizes[over] ?? tensor.shape?.[i] ?? 0);
}

/**
 * Whether a mask forbids to look ahead: one of the masks that it is made of does.
 * @param {Legend} legend @param {string | undefined} mask
 * @returns {boolean}
 */
export function looksBackOnly(legend, mask) {
  const tensor = mask ? legend.tensors.get(mask) : undefined;
  return tensor !== undefined && (tensor.kind === "not_later" || tensor.reads.some((name) => looksBackOnly(legend, name)));
}
