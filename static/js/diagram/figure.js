/** The whole model as the paper's Figure 1: encoder left, decoder right, bottom to top. Pure: no DOM. */

import { computed, holder, layersOf, ofKind, lastOf, subs } from "./legend.js";
import { dropoutNote, stepTitle, tint, title } from "./words.js";
import { sheet as newSheet } from "./sheet.js";
import { heights, layerColumn, lineUp } from "./column.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("./scene.js").Point} Point @typedef {import("../core/types.js").Part} Part */
/** @typedef {{x: number, side: 1 | -1, w: number, half: number}} Column */

/**
 * @param {import("./legend.js").Legend} legend @param {Record<string, number>} sizes @param {import("./scene.js").Options} options
 */
export function figure(legend, sizes, options) {
  const pre = legend.root.parts.flatMap(layersOf).some((layer) => subs(legend, layer).some((sub) => sub.pre));
  const sheet = newSheet(legend, sizes, options, { tight: !options.compact && (pre || options.text === "both") });
  const [w, half, gap] = options.compact ? [126, 91, 12] : [198, 164, options.text === "numbers" ? 66 : 170];
  const kind = (/** @type {string} */ name) => /** @type {Part} */ (legend.root.parts.find((part) => part.kind === name));
  const left = /** @type {Column} */ ({ x: 0, side: -1, w, half });
  const right = /** @type {Column} */ ({ x: 2 * half + gap, side: 1, w, half });
  const [encoder, decoder] = [kind("Encoder"), kind("Decoder")];

  const encoded = stack(sheet, encoder, left, embed(sheet, encoder, left, "source"));
  const channel = half + gap / 2;
  const { row } = heights(sheet);
  const turn = encoded.top - row - 8;
  const memory = decoder.inputs.memory;
  sheet.label(memory, left.x, encoded.top - row / 2, { named: true, side: options.compact ? -1 : 1 });
  const way = /** @type {Point[]} */ ([[left.x, encoded.leave], [left.x, turn], [channel, turn]]);

  const decoded = stack(sheet, decoder, right, embed(sheet, decoder, right, "target, shifted right"), way);
  output(sheet, kind("Generator"), right, decoded);
  masks(sheet, kind("Masks"), left, right, embedding(sheet, encoder), embedding(sheet, decoder));
  return sheet.finish({ corner: true });
}

/** The block that makes what a stack reads. @param {Sheet} sheet @param {Part} stack */
function embedding(sheet, stack) {
  return /** @type {Part} */ (holder(sheet.legend.root, stack.inputs.x));
}

/**
 * Ids, embedding, and the position code joining.
 * @param {Sheet} sheet @param {Part} stack @param {Column} column @param {string} word
 * @returns {number} the top of the sum
 */
function embed(sheet, stack, { x, side, w }, word) {
  const { flat, row, arrow } = heights(sheet);
  const part = embedding(sheet, stack);
  const [ids] = Object.values(part.inputs);
  const sum = /** @type {import("../core/types.js").Tensor} */ (ofKind(sheet.legend, part, "add"));
  const [token, position] = sum.reads;

  sheet.note({ text: sheet.options.compact ? word.split(",")[0] : word, x, y: 0, anchor: "middle" });
  const foot = -10 - row - arrow - 2;
  sheet.wire(ids, [[x, -10], [x, foot]]);
  sheet.label(ids, x, -14 - row / 2, { named: !sheet.options.compact });
  const y = foot - flat - 4;
  sheet.box({ id: part.name, x: x - w / 2, y, w, h: flat + 4, title: [part.title.split(" ")[0]], aside: dropoutNote(part, sheet.options.compact), tint: "embed", into: part.name });

  const middle = y - row - arrow - 10;
  lineUp(sheet, token, x, y, middle + 10, false);
  sheet.box({ id: sum.name, x: x - 10, y: middle - 10, w: 20, h: 20, title: ["+"], tint: "step", into: part.name, round: true });
  const reach = x + side * (sheet.options.compact ? 22 : 30);
  sheet.wire(position, [[reach, middle], [x + side * 10, middle]]);
  sheet.beside(position, reach, middle, side);
  return middle - 10;
}

/**
 * A stack with one of its layers open.
 * @param {Sheet} sheet @param {Part} part @param {Column} column @param {number} from @param {Point[]} [memory]
 * @returns {{top: number, leave: number}} the top of everything, and where the line that leaves it starts
 */
function stack(sheet, part, { x, side, w, half }, from, memory) {
  const { flat, row, arrow } = heights(sheet);
  const layers = layersOf(part);
  const open = Math.min(sheet.options.layer?.[part.name] ?? 0, layers.length - 1);
  const layer = layers[open];
  const bottom = from - row - 4;
  const inner = open === 0;

  sheet.label(part.inputs.x, x, from - row / 2);
  if (!inner) {
    sheet.wire(part.inputs.x, [[x, from], [x, bottom + 5]], { arrow: false });
    sheet.note({ text: "⋮", x, y: bottom + 1, anchor: "middle" });
    sheet.label(layer.inputs.x, x, bottom - row / 2 + 2);
  }
  const end = layerColumn(sheet, layer, { x, from: inner ? from : bottom - 4, bottom: inner ? bottom + row - 6 : bottom, side, w, detail: false, memory });
  const top = end - sheet.high - (sheet.tight ? 4 : 7);
  sheet.frame({
    id: part.name, x: x - half, y: top, w: 2 * half, h: bottom - top, title: sheet.options.compact || sheet.options.text !== "numbers" ? "" : layer.title, into: layer.name, stack: part.name,
    layer: open, open: layers.length, layers: sheet.options.layers?.[part.name] ?? layers.length,
  });

  let leave = end;
  if (open < layers.length - 1) {
    const result = layers[open + 1].inputs.x;
    sheet.wire(result, [[x, end], [x, top + 2]], { arrow: false });
    sheet.label(result, x, (end + top) / 2 + 1, { thumb: false });
    sheet.note({ text: "⋮", x, y: top - 3, anchor: "middle" });
    leave = top - 8;
  }
  const last = part.parts.find((inside) => inside.kind === "LayerNorm");
  if (!last) return { top, leave };
  const y = top - row - arrow - flat;
  sheet.box({ id: last.name, x: x - w / 2, y, w, h: flat, title: [title(sheet.legend, last)], tint: "norm", into: last.name });
  sheet.wire(last.inputs.x, [[x, leave], [x, y + flat]]);
  sheet.label(last.inputs.x, x, top - row / 2);
  return { top: y, leave: y };
}

/**
 * From vectors to probabilities, and the loss beside them.
 * @param {Sheet} sheet @param {Part} generator @param {Column} column @param {{top: number, leave: number}} below
 */
function output(sheet, generator, { x, w }, { top, leave }) {
  const { flat, row, arrow } = heights(sheet);
  const own = computed(sheet.legend, sheet.legend.root);
  const y = top - row - arrow - flat - 4;
  sheet.wire(generator.inputs.x, [[x, leave], [x, y + flat + 4]]);
  sheet.label(generator.inputs.x, x, top - row / 2);
  sheet.box({ id: generator.name, x: x - w / 2, y, w, h: flat + 4, title: [sheet.options.compact ? "linear" : generator.title], tint: "output", into: generator.name });

  const logits = own.find((tensor) => tensor.kind === "same" && tensor.reads[0].startsWith(`${generator.name}.`))?.name ?? lastOf(sheet.legend, generator);
  const steps = own.filter((tensor) => tensor.kind !== "same" && tensor.kind !== "given");
  const above = y - row - arrow - flat - 4;
  lineUp(sheet, logits, x, y, above + flat + 4, !sheet.options.compact);
  sheet.box({ id: steps[0].name, x: x - w / 2, y: above, w, h: flat + 4, title: [steps.map(stepTitle).join(", ")], tint: "output", tensor: steps[0].name });
  const last = steps[steps.length - 1].name;
  lineUp(sheet, last, x, above, above - row - arrow, !sheet.options.compact);
  if (steps.length > 1) loss(sheet, steps[0].name, { x: x - w / 2, y: above + flat / 2 + 2 });
}

/** @param {Sheet} sheet @param {string} tensor @param {{x: number, y: number}} at */
function loss(sheet, tensor, { x, y }) {
  const part = sheet.legend.root.parts.find((inside) => inside.kind === "Loss");
  const { compact } = sheet.options;
  if (!part || !sheet.options.loss) {
    const end = x - (compact ? 12 : 24);
    sheet.wire(tensor, [[x, y], [end, y]], { arrow: false });
    sheet.beside(tensor, end, y, -1);
    return;
  }
  const [end, w] = compact ? [x - sheet.measure(tensor, false) - 12, 40] : [x - sheet.measure(tensor) - 30, 72];
  sheet.wire(tensor, [[x, y], [end, y]]);
  sheet.over(tensor, (x + end) / 2, y, !compact);
  sheet.box({ id: part.name, x: end - w, y: y - 13, w, h: 26, title: [part.title], tint: tint(part.kind), mixes: false, into: part.name });
  if (compact) return;
  const mean = part.tensors.find((name) => isQuotient(sheet.legend.tensors.get(name))) ?? lastOf(sheet.legend, part);
  sheet.wire(mean, [[end - w, y], [end - w - 20, y]]);
  sheet.beside(mean, end - w - 20, y, -1);
}

/** The loss itself: one number, a sum over a count. @param {import("../core/types.js").Tensor | undefined} tensor */
function isQuotient(tensor) {
  return tensor?.kind === "divide" && tensor.axes.length === 0;
}

/**
 * The block that makes the masks from the ids of both sides.
 * @param {Sheet} sheet @param {Part} part @param {Column} left @param {Column} right @param {Part} source @param {Part} target
 */
function masks(sheet, part, left, right, source, target) {
  const middle = (left.x + right.x) / 2;
  const w = sheet.options.compact ? 48 : 84;
  sheet.box({ id: part.name, x: middle - w / 2, y: -24, w, h: 24, title: [part.title], tint: "plain", into: part.name });
  for (const [column, embedding, side] of /** @type {[Column, Part, number][]} */ ([[left, source, -1], [right, target, 1]])) {
    sheet.wire(Object.values(embedding.inputs)[0], [[column.x, -13], [middle + side * (w / 2), -13]]);
  }
}
