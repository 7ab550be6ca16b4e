/** Multi-head attention: three projections, cut into heads, compared and mixed, joined again. Pure: no DOM. */

import { DOT, computed, ofKind, results } from "./legend.js";
import { attendsToItself, leaf, stepTitle } from "./words.js";
import { stubHeight } from "./scene.js";
import { sheet as newSheet } from "./sheet.js";
import { heights, lineUp } from "./column.js";
import { whence, whither } from "./stack.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("../core/types.js").Part} Part @typedef {import("../core/types.js").Tensor} Tensor */

/**
 * The tensors of an attention block by what they do.
 * @typedef {{q: Tensor, k: Tensor, v: Tensor, dot: Tensor, scale: Tensor, mask: Tensor, softmax: Tensor, mix: Tensor, concat: Tensor, out: Tensor,
 *   mixed: string, multiplier: string | null}} Roles  `mixed` is what V is mixed by: the weights, or what dropout leaves of them by its `multiplier`
 */

/**
 * @param {import("./legend.js").Legend} legend @param {Part} part
 * @returns {Roles}
 */
export function roles(legend, part) {
  const of = (/** @type {string} */ kind) => /** @type {Tensor} */ (ofKind(legend, part, kind));
  const named = (/** @type {string} */ name) => /** @type {Tensor} */ (legend.tensors.get(name));
  const [dot, mix, softmax] = [of("dot"), of("mix"), of("softmax")];
  const out = /** @type {Tensor} */ (computed(legend, part).at(-1));
  return {
    q: named(dot.reads[0]), k: named(dot.reads[1]), v: named(mix.reads[1]), dot, scale: of("scale"), mask: of("mask"), softmax, mix, concat: of("concat"), out,
    mixed: mix.reads[0], multiplier: mix.reads[0] === softmax.name ? null : named(mix.reads[0]).reads.find((name) => name !== softmax.name) ?? null,
  };
}

/**
 * Whether an attention block has dropout, and whether it drops anything in a run: outside training every multiplier is 1.
 * @param {Roles} role @param {import("../core/types.js").Trace | null} trace
 * @returns {"none" | "idle" | "acts"}
 */
export function dropoutIn({ multiplier }, trace) {
  if (!multiplier) return "none";
  const drawn = trace?.records.find((record) => record.name === multiplier)?.summary;
  return drawn && (Number(drawn.min) !== 1 || Number(drawn.max) !== 1) ? "acts" : "idle";
}

/**
 * @param {import("./legend.js").Legend} legend @param {Record<string, number>} sizes @param {import("./scene.js").Options} options @param {Part} part
 */
export function attention(legend, sizes, options, part) {
  const sheet = newSheet(legend, sizes, options, { at: part.name });
  const { row, arrow } = heights(sheet, true);
  const role = roles(legend, part);
  const w = options.compact ? 84 : 138;
  const beside = part.tensors.filter((name) => legend.tensors.get(name)?.parameter).map((name) => sheet.measure(name));
  const spread = options.compact ? 122 : Math.max(options.text === "numbers" ? 236 : 262, w + 16 + Math.max(...beside));
  const stem = -row - 8;
  const foot = stem - 26;

  /** @type {[string, Tensor, number][]} */
  const lanes = [["V", role.v, -spread], ["K", role.k, 0], ["Q", role.q, spread]];
  let y = 0;
  for (const [mark, split, x] of lanes) {
    const whole = /** @type {Tensor} */ (legend.tensors.get(split.reads[0]));
    const start = attendsToItself(part) ? 0 : mark === "Q" ? spread : -spread / 2;
    sheet.wire(whole.reads[0], [[start, 0], ...(start === x ? [] : /** @type {import("./scene.js").Point[]} */ ([[start, stem], [x, stem]])), [x, foot]], { mark });
    y = project(sheet, whole, x, foot, w);
    y = step(sheet, split, whole.name, x, y, w);
  }
  inputs(sheet, part, spread);

  const wide = 2 * spread + w;
  const h = options.compact ? 50 : 62;
  const top = y - row - arrow - h;
  for (const [, split, x] of lanes) lineUp(sheet, split.name, x, y, top + h, !options.compact);
  const within = [role.dot, role.scale, role.mask, role.softmax, role.mix].map(stepTitle).join(options.compact ? ", " : "  →  ");
  sheet.box({
    id: `${part.name}${DOT}`, x: -wide / 2, y: top, w: wide, h, title: ["scaled dot-product attention"], sub: options.compact ? "" : within, tint: "attention", mixes: true, into: `${part.name}${DOT}`,
  });
  if (!options.compact) sheet.stub(part.inputs.mask, -wide / 2, top + h / 2 - 8, -1, "mask");
  y = step(sheet, role.concat, role.mix.name, 0, top, w);
  lineUp(sheet, role.concat.name, 0, y, y - row - arrow, !options.compact);
  const last = project(sheet, role.out, 0, y - row - arrow, w);
  for (const name of results(legend, part)) {
    lineUp(sheet, name, 0, last, last - row - arrow - 4, true);
    sheet.note({ text: whither(legend, part, name), x: 0, y: last - row - arrow - 12, anchor: "middle" });
  }
  return sheet.finish();
}

/** What comes in at the bottom, and from where. @param {Sheet} sheet @param {Part} part @param {number} spread */
function inputs(sheet, part, spread) {
  const { row } = heights(sheet, true);
  const own = attendsToItself(part);
  const entries = /** @type {[string, number][]} */ (own ? [[part.inputs.query, 0]] : [[part.inputs.memory, -spread / 2], [part.inputs.query, spread]]);
  for (const [name, x] of entries) {
    sheet.label(name, x, -row / 2 - 2, { named: !sheet.options.compact });
    sheet.note({ text: whence(sheet.legend, name), x, y: 8, anchor: "middle" });
  }
}

/**
 * A linear step with its parameters. @param {Sheet} sheet @param {Tensor} tensor @param {number} x @param {number} foot @param {number} w
 * @returns {number} the top of its box
 */
function project(sheet, tensor, x, foot, w) {
  const parameters = tensor.reads.filter((name) => sheet.legend.tensors.get(name)?.parameter);
  const h = sheet.options.compact ? 34 : Math.max(40, stubHeight(sheet.rows) * parameters.length);
  const y = foot - h;
  sheet.box({ id: tensor.name, x: x - w / 2, y, w, h, title: [stepTitle(tensor)], sub: `× ${parameters.map(leaf).join(" + ")}`, tint: "plain", tensor: tensor.name });
  if (sheet.options.compact) return y;
  parameters.forEach((name, i) => sheet.stub(name, x - w / 2, y + 9 + stubHeight(sheet.rows) * i, -1));
  return y;
}

/**
 * A step without parameters: a flat box on top of the line that enters it.
 * @param {Sheet} sheet @param {Tensor} tensor @param {string} from @param {number} x @param {number} bottom @param {number} w
 * @returns {number} the top of its box
 */
function step(sheet, tensor, from, x, bottom, w) {
  const { flat, row, arrow } = heights(sheet, true);
  const y = bottom - row - arrow - flat;
  lineUp(sheet, from, x, bottom, y + flat, !sheet.options.compact);
  sheet.box({ id: tensor.name, x: x - w / 2, y, w, h: flat, title: [sheet.options.compact ? stepTitle(tensor).split(" ")[0] : stepTitle(tensor)], tint: "plain", tensor: tensor.name });
  return y;
}
