/** A stack with all its layers, each closed; and one layer, open, with all its tensors. Pure: no DOM. */

import { holder, layersOf, results, subs } from "./legend.js";
import { leaf, title } from "./words.js";
import { sheet as newSheet } from "./sheet.js";
import { heights, layerColumn } from "./column.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("../core/types.js").Part} Part @typedef {import("./legend.js").Legend} Legend */

const LAYER = 46;

/**
 * @param {Legend} legend @param {Record<string, number>} sizes @param {import("./scene.js").Options} options @param {Part} part
 */
export function stack(legend, sizes, options, part) {
  const sheet = newSheet(legend, sizes, options, { at: part.name });
  const { row, arrow, flat } = heights(sheet, true);
  const layers = layersOf(part);
  const w = options.compact ? 210 : 360;
  const bus = -w / 2 - (options.compact ? 22 : 64);
  let y = 0;
  sheet.note({ text: whence(legend, part.inputs.x), x: 0, y: 8, anchor: "middle" });
  for (const layer of layers) {
    const top = y - row - arrow - LAYER;
    sheet.wire(layer.inputs.x, [[0, y], [0, top + LAYER]]);
    sheet.label(layer.inputs.x, 0, y - row / 2, { named: !options.compact });
    const inside = subs(legend, layer).map((sub) => title(legend, sub.sublayer));
    sheet.box({
      id: layer.name, x: -w / 2, y: top, w, h: LAYER, title: [title(legend, layer)], sub: options.compact ? inside.map((text) => text.split(" ").at(-1)).join(", ").slice(0, 40) : inside.join(" · "), tint: "plain",
      mixes: layer.parts.some((within) => within.mixes), into: layer.name,
    });
    if (layer.inputs.memory) sheet.wire(layer.inputs.memory, [[bus, 0], [bus, top + LAYER / 2], [-w / 2, top + LAYER / 2]], {});
    y = top;
  }
  const memory = layers[0]?.inputs.memory;
  if (memory) {
    sheet.label(memory, bus, -row / 2, { named: true, thumb: false, side: options.compact ? 1 : -1 });
    sheet.note({ text: whence(legend, memory), x: bus, y: 8, anchor: options.compact ? "start" : "end" });
  }
  const norm = part.parts.find((inside) => inside.kind === "LayerNorm");
  if (norm) {
    const top = y - row - arrow - flat;
    sheet.wire(norm.inputs.x, [[0, y], [0, top + flat]]);
    sheet.label(norm.inputs.x, 0, y - row / 2, { named: true });
    sheet.box({ id: norm.name, x: -w / 2, y: top, w, h: flat, title: [norm.title], tint: "norm", into: norm.name });
    y = top;
  }
  leave(sheet, part, y);
  return sheet.finish();
}

/**
 * @param {Legend} legend @param {Record<string, number>} sizes @param {import("./scene.js").Options} options @param {Part} part
 */
export function layer(legend, sizes, options, part) {
  const sheet = newSheet(legend, sizes, options, { at: part.name });
  const { row } = heights(sheet, true);
  const w = options.compact ? 200 : 300;
  const enter = -w / 2 - (options.compact ? 26 : 130);
  sheet.note({ text: whence(legend, part.inputs.x), x: 0, y: 8, anchor: "middle" });
  const end = layerColumn(sheet, part, { x: 0, from: 0, bottom: 0, side: 1, w, detail: true, memory: part.inputs.memory ? [[enter, 0]] : undefined });
  if (part.inputs.memory) {
    sheet.label(part.inputs.memory, enter, -row / 2, { named: true, thumb: !options.compact });
    sheet.note({ text: whence(legend, part.inputs.memory), x: enter, y: 8, anchor: options.compact ? "start" : "middle" });
  }
  leave(sheet, part, end);
  return sheet.finish();
}

/** What leaves a block at its top. @param {Sheet} sheet @param {Part} part @param {number} y */
function leave(sheet, part, y) {
  const { row, arrow } = heights(sheet, true);
  for (const name of results(sheet.legend, part)) {
    sheet.wire(name, [[0, y], [0, y - row - arrow - 4]]);
    sheet.label(name, 0, y - row / 2 - 2, { named: true });
    sheet.note({ text: whither(sheet.legend, part, name), x: 0, y: y - row - arrow - 12, anchor: "middle" });
  }
}

/**
 * Where a tensor comes from, in words.
 * @param {Legend} legend @param {string} name
 * @returns {string}
 */
export function whence(legend, name) {
  const top = holder(legend.root, name);
  if (top) {
    const inner = layersOf(top).find((part) => name.startsWith(`${part.name}.`));
    return ["from ", top.title, inner ? ", " : "", inner ? title(legend, inner) : ""].join("");
  }
  const [source] = legend.tensors.get(name)?.reads ?? [];
  return source ? whence(legend, source) : "given";
}

/**
 * Where a tensor goes when it leaves a block, in words.
 * @param {Legend} legend @param {Part} part @param {string} name
 */
export function whither(legend, part, name) {
  const readers = (legend.tensors.get(name)?.feeds ?? []).filter((reader) => !reader.startsWith(`${part.name}.`));
  const places = readers.map((reader) => {
    const top = holder(legend.root, reader);
    if (!top) return leaf(reader);
    const inner = layersOf(top).find((within) => reader.startsWith(`${within.name}.`));
    return inner ? `${top.title}, ${title(legend, inner)}` : top.title;
  });
  return places.length ? `to ${[...new Set(places)].join(" and ")}` : "";
}
