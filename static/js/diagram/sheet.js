/** A sheet on which an arrangement lays its boxes, wires and labels, until the scene is finished. Pure: no DOM. */

import { shapeAt } from "./legend.js";
import { LINE, TIGHT_LINE, labelWidth, settle } from "./scene.js";
import { nameIn } from "./words.js";

/** @typedef {import("./legend.js").Legend} Legend @typedef {import("./scene.js").Options} Options @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Box} Box @typedef {import("./scene.js").Edge} Edge @typedef {import("./scene.js").Frame} Frame @typedef {import("./scene.js").Note} Note */
/** @typedef {import("./scene.js").Rect} Rect @typedef {import("./scene.js").Point} Point @typedef {import("./scene.js").Tint} Tint */

const THUMB = { w: 34, h: 13 };

/**
 * A sheet to lay a scene out on; y grows downwards, and nothing needs to start at 0.
 * @param {Legend} legend @param {Record<string, number>} sizes @param {Options} options
 * @param {{at?: string, tight?: boolean}} [how] `at`: the block that is laid out; `tight`: lower rows and boxes, where much stands one above the other
 */
export function sheet(legend, sizes, options, { at = "", tight = false } = {}) {
  const rows = options.text === "both" ? 2 : 1;
  const high = rows * (tight && rows > 1 ? TIGHT_LINE : LINE);
  /** @type {Box[]} */ const boxes = [];
  /** @type {Frame[]} */ const frames = [];
  /** @type {Note[]} */ const notes = [];
  /** @type {Map<string, Edge>} */ const edges = new Map();

  /** @param {string} name */
  function edgeOf(name) {
    const known = edges.get(name);
    if (known) return known;
    const tensor = legend.tensors.get(name);
    if (!tensor) throw new Error(`the diagram draws ${name}, which is no tensor of this model`);
    /** @type {Edge} */
    const made = {
      id: name, tensor: name, axes: tensor.axes, over: tensor.over, shape: shapeAt(tensor, sizes), name: "",
      paths: [], marks: [], label: { x: 0, y: 0, w: 0, h: 0, anchor: "start" }, thumb: null,
    };
    edges.set(name, made);
    return made;
  }

  /** @param {string} name */
  const called = (name) => nameIn(/** @type {import("../core/types.js").Tensor} */ (legend.tensors.get(name)), at);

  return {
    legend, sizes, options, tight,
    /** How many lines a label takes, and their height. */
    rows, high,

    /** @param {Partial<Box> & Rect & {id: string, title: string[]}} box */
    box(box) {
      const made = { tint: /** @type {Tint} */ ("plain"), mixes: false, into: null, tensor: null, ...box };
      boxes.push(made);
      return made;
    },

    /** @param {Frame} frame */
    frame(frame) {
      frames.push(frame);
    },

    /** @param {Note} note */
    note(note) {
      notes.push(note);
    },

    /**
     * Draw a tensor's way from point to point.
     * @param {string} tensor @param {Point[]} points @param {{dashed?: boolean, arrow?: boolean, mark?: string}} [how]
     */
    wire(tensor, points, { dashed = false, arrow = true, mark } = {}) {
      const made = edgeOf(tensor);
      made.paths.push({ points, dashed, arrow });
      const [x, y] = /** @type {Point} */ (points.at(-1));
      if (mark) made.marks.push({ text: mark, x: x + 5, y: y + 12 });
    },

    /**
     * Write a tensor's size beside a vertical line at x, its middle at y; the picture of its values goes to the other side.
     * @param {string} tensor @param {number} x @param {number} y
     * @param {{side?: 1 | -1, named?: boolean, thumb?: boolean, name?: string, off?: number}} [how] `off`: further from the line, beside a box on it
     */
    label(tensor, x, y, { side = 1, named = false, thumb = true, name, off = 0 } = {}) {
      const made = edgeOf(tensor);
      if (made.label.w > 0) return;
      made.name = name ?? (named ? called(tensor) : "");
      const w = labelWidth(made, options.text);
      const h = high;
      made.label = { x: side > 0 ? x + off + 7 : x - off - 7 - w, y: y - h / 2, w, h, anchor: side > 0 ? "start" : "end" };
      if (thumb && !options.compact && made.axes.length > 0) made.thumb = { x: side > 0 ? x - off - 8 - THUMB.w : x + off + 8, y: y - THUMB.h / 2, ...THUMB };
    },

    /**
     * A short line into the side of a box, with the picture of the tensor's values at its end and the size below, clear of the box.
     * @param {string} tensor @param {number} edge the box's side @param {number} y @param {1 | -1} side @param {string} [name]
     */
    stub(tensor, edge, y, side, name = called(tensor)) {
      const made = edgeOf(tensor);
      made.paths.push({ points: [[edge + side * 14, y], [edge, y]], dashed: false, arrow: true });
      made.name = name;
      const w = labelWidth(made, options.text);
      const h = high;
      made.thumb = { x: side > 0 ? edge + 16 : edge - 16 - THUMB.w, y: y - THUMB.h / 2, ...THUMB };
      made.label = { x: side > 0 ? edge + 6 : edge - 6 - w, y: y + THUMB.h / 2 + 1, w, h, anchor: side > 0 ? "start" : "end" };
    },

    /** How wide a tensor's size is, with its name or without. @param {string} name @param {boolean} [named] */
    measure(name, named = true) {
      const tensor = /** @type {import("../core/types.js").Tensor} */ (legend.tensors.get(name));
      return labelWidth({ name: named ? called(name) : "", axes: tensor.axes, shape: shapeAt(tensor, sizes) }, options.text);
    },

    /**
     * Write a tensor's size above a horizontal line, the picture of its values below.
     * @param {string} tensor @param {number} x the middle of the line @param {number} y @param {boolean} [named]
     */
    over(tensor, x, y, named = true) {
      const made = edgeOf(tensor);
      made.name = named ? called(tensor) : "";
      const w = labelWidth(made, options.text);
      const h = high;
      made.label = { x: x - w / 2, y: y - 3 - h, w, h, anchor: "middle" };
      if (!options.compact && made.axes.length > 0) made.thumb = { x: x - THUMB.w / 2, y: y + 4, ...THUMB };
    },

    /**
     * Write a tensor's size at the end of a horizontal line, the picture of its values between the two.
     * @param {string} tensor @param {number} x where the line ends @param {number} y @param {1 | -1} side
     */
    beside(tensor, x, y, side) {
      const made = edgeOf(tensor);
      made.name = options.compact ? "" : called(tensor);
      const w = labelWidth(made, options.text);
      const h = high;
      if (!options.compact) made.thumb = { x: side > 0 ? x + 2 : x - 2 - THUMB.w, y: y - THUMB.h / 2, ...THUMB };
      const start = x + side * (made.thumb ? THUMB.w + 7 : 4);
      made.label = { x: side > 0 ? start : start - w, y: y - h / 2, w, h, anchor: side > 0 ? "start" : "end" };
    },

    /** @param {{corner?: boolean}} [about] `corner`: the top left stays free @returns {Scene} */
    finish({ corner = false } = {}) {
      return settle({ at, width: 0, height: 0, boxes, frames, edges: [...edges.values()], notes, corner }, options.compact ? 4 : 8);
    },
  };
}

/** @typedef {ReturnType<typeof sheet>} Sheet */
