/** Readable names of tensors: what it is and where it is, from the inside out. */

/** @typedef {import("../core/types.js").Model} Model @typedef {import("../core/types.js").Part} Part @typedef {import("../core/types.js").Tensor} Tensor */

/**
 * @param {Model} model
 * @param {string} name
 * @returns {Tensor | undefined}
 */
export function tensorNamed(model, name) {
  return legendOf(model).get(name);
}

/**
 * "masked scores": the last part of a tensor's name as words.
 * @param {string} name
 */
export function ownName(name) {
  const own = name.slice(name.lastIndexOf(".") + 1);
  return /^[a-z]_/.test(own) ? own : attentionWords(own);
}

/**
 * Where a tensor is, from the inside out: ["cross-attention", "decoder layer 1"].
 * @param {Model} model
 * @param {string} name
 * @returns {string[]}
 */
export function whereabouts(model, name) {
  const path = [];
  let part = model.tree;
  for (let next = childOver(part, name); next; next = childOver(part, name)) {
    part = next;
    path.unshift(part);
  }
  const layered = path.some((at) => numberOf(at.name) !== null);
  const sides = path.filter((at) => !(layered && at.parts.some((inner) => numberOf(inner.name) !== null)));
  return sides.map((at) => partTitle(model, at));
}

/**
 * "weights · cross-attention · decoder layer 1"
 * @param {Model} model
 * @param {string} name
 */
export function longTitle(model, name) {
  return [ownName(name), ...whereabouts(model, name)].join(" · ");
}

/**
 * What a block is called where several of its kind stand side by side.
 * @param {Model} model
 * @param {Part} part
 */
export function partTitle(model, part) {
  const own = part.name.slice(part.name.lastIndexOf(".") + 1);
  const number = numberOf(part.name);
  if (number !== null) return `${part.title} ${number + 1}`;
  if (part.mixes) return attentionTitle(model, part, own);
  const around = /^(.+)_residual$/.exec(own)?.[1];
  if (around) return `${part.title} (${around.includes("attn") ? attentionWords(around) : around.replaceAll("_", "-")})`;
  const prefix = /^([a-z]+)_embed$/.exec(own)?.[1];
  return prefix ? `${prefix === "src" ? "source" : "target"} ${part.title}` : part.title;
}

/** @param {Model} model @param {Part} part @param {string} own */
function attentionTitle(model, part, own) {
  const mask = tensorNamed(model, part.inputs.mask ?? "");
  const masked = mask?.reads.some((name) => tensorNamed(model, name)?.kind === "not_later");
  return `${masked ? "masked " : ""}${attentionWords(own)}`;
}

/** @param {string} own */
function attentionWords(own) {
  return own.replace("_attn", "-attention").replaceAll("_", " ");
}

/** @param {string} name @returns {number | null} */
function numberOf(name) {
  const last = /(?:^|\.)(\d+)$/.exec(name)?.[1];
  return last === undefined ? null : Number(last);
}

/** @param {Part} part @param {string} name */
function childOver(part, name) {
  return part.parts.find((inner) => name.startsWith(`${inner.name}.`));
}

/**
 * @param {Part} part where to look
 * @param {string} name
 * @returns {Part | undefined}
 */
export function partNamed(part, name) {
  if (part.name === name) return part;
  const next = part.parts.find((inner) => name === inner.name || name.startsWith(`${inner.name}.`));
  return next && partNamed(next, name);
}

/** @type {WeakMap<Model, Map<string, Tensor>>} */
const legends = new WeakMap();

/** @param {Model} model */
function legendOf(model) {
  const known = legends.get(model);
  if (known) return known;
  const made = new Map(model.tensors.map((tensor) => [tensor.name, tensor]));
  for (const tensor of model.tensors) for (const alias of tensor.shared_with ?? []) if (!made.has(alias)) made.set(alias, tensor);
  legends.set(model, made);
  return made;
}
