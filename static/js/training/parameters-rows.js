/** What stands in the table of parameters: the parts as a tree, or every weight and bias by size. Pure: no DOM. */

import { count } from "../core/format.js";
import { longTitle, ownName, partTitle } from "../tensor/naming.js";

/**
 * @typedef {import("../core/types.js").Model} Model @typedef {import("../core/types.js").Part} Part
 *
 * A row: a part with others inside it, a weight or bias, or a place where a table stands that counts elsewhere.
 * @typedef {object} Line
 * @property {"part" | "parameter" | "again"} kind
 * @property {string} name
 * @property {string} title
 * @property {number} depth
 * @property {string} formula
 * @property {number} count
 * @property {number} share  of all parameters
 * @property {boolean | null} open  whether what is inside a part is shown; null where nothing is
 * @property {string} opens  the parameter that a press on it opens; "" for a part
 * @property {string[]} places  where a shared table stands, when there are several
 */

/**
 * The parts that are open to begin with: the stacks, whose layers are closed, and where a shared table stands.
 * @param {Model} model
 * @returns {Set<string>}
 */
export function openAtFirst(model) {
  const shared = model.parameters.each.flatMap(({ name, shared_with: others }) => (others.length ? [name, ...others] : []));
  return new Set(model.tree.parts.filter((part) => part.parts.some(({ name }) => name in model.parameters.parts) || shared.some((name) => standsIn(name, part))).map(({ name }) => name));
}

/**
 * The tree in forward order, as far as it is open.
 * @param {Model} model
 * @param {Set<string>} open
 * @returns {Line[]}
 */
export function treeLines(model, open) {
  return inside(model, model.tree, { depth: 0, open });
}

/**
 * Every weight and bias, the largest first.
 * @param {Model} model
 * @returns {Line[]}
 */
export function bySize(model) {
  return model.parameters.each.map((each) => ({ ...ofOne(model, each, 0), title: longTitle(model, each.name) })).sort((a, b) => b.count - a.count);
}

/** @param {Model} model @param {Part} part @param {{depth: number, open: Set<string>}} at @returns {Line[]} */
function inside(model, part, { depth, open }) {
  const own = model.parameters.each.flatMap((each) => [
    ...(standsIn(each.name, part) ? [ofOne(model, each, depth)] : []),
    ...each.shared_with.filter((name) => standsIn(name, part)).map((name) => again(model, each, { name, depth })),
  ]);
  const parts = part.parts.filter(({ name }) => name in model.parameters.parts).flatMap((inner) => {
    const line = ofPart(model, inner, { depth, open });
    return line.open ? [line, ...inside(model, onlyChild(model, inner), { depth: depth + 1, open })] : [line];
  });
  return [...own, ...parts];
}

/** @param {Model} model @param {Part} part @param {{depth: number, open: Set<string>}} at @returns {Line} */
function ofPart(model, part, { depth, open }) {
  const sum = model.parameters.parts[part.name];
  const block = model.parameters.blocks.find(({ name }) => name === onlyChild(model, part).name);
  return { kind: "part", name: part.name, title: partTitle(model, part), depth, formula: block?.formula ?? times(model, part), count: sum, share: sum / model.parameters.total, open: open.has(part.name), opens: "", places: [] };
}

/** @param {Model} model @param {Model["parameters"]["each"][number]} each @param {number} depth @returns {Line} */
function ofOne(model, { name, count: number, formula, share, shared_with: others }, depth) {
  return { kind: "parameter", name, title: ownName(name), depth, formula, count: number, share, open: null, opens: name, places: others.length ? [name, ...others].map((place) => placeOf(model, place)) : [] };
}

/** @param {Model} model @param {Model["parameters"]["each"][number]} each @param {{name: string, depth: number}} at @returns {Line} */
function again(model, each, { name, depth }) {
  return { ...ofOne(model, each, depth), kind: "again", name, title: ownName(name), share: 0 };
}

/**
 * The part whose contents are shown: a part that only wraps another one is skipped.
 * @param {Model} model @param {Part} part
 * @returns {Part}
 */
function onlyChild(model, part) {
  const counted = part.parts.filter(({ name }) => name in model.parameters.parts);
  const own = model.parameters.each.some(({ name, shared_with: others }) => [name, ...others].some((each) => standsIn(each, part)));
  return counted.length === 1 && !own ? onlyChild(model, counted[0]) : part;
}

/** "6 × 3 152 384" where all that is inside is of one size. @param {Model} model @param {Part} part */
function times(model, part) {
  const counts = part.parts.map(({ name }) => model.parameters.parts[name]).filter(Boolean);
  return counts.length > 1 && counts.every((each) => each === counts[0]) ? `${counts.length} × ${count(counts[0])}` : "";
}

/** @param {Model} model @param {string} name */
function placeOf(model, name) {
  return longTitle(model, name).split(" · ").slice(1).join(" · ");
}

/** @param {string} name @param {Part} part */
function standsIn(name, part) {
  return name.slice(0, name.lastIndexOf(".")) === part.name;
}
