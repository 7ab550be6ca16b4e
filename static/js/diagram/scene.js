/** A scene is one level of the diagram, laid out: boxes, frames and edges with coordinates. Pure: no DOM. */

import { shapeAt } from "./legend.js";
import { leaf } from "./words.js";

/** @typedef {import("./legend.js").Legend} Legend @typedef {[number, number]} Point */
/** @typedef {"attention" | "plain" | "norm" | "embed" | "output" | "step"} Tint */

/**
 * @typedef {object} Box
 * @property {string} id
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {string[]} title     one line each
 * @property {string} [sub]       a softer line below
 * @property {Tint} tint
 * @property {boolean} mixes      positions exchange information here
 * @property {string | null} into the place it leads to; null when it leads nowhere
 * @property {string | null} tensor the tensor that it selects, when it leads nowhere
 * @property {boolean} [round]    drawn as a circle: an addition
 * @property {boolean} [stack]    drawn as one of several
 *
 * @typedef {object} Frame   the outline of a layer
 * @property {string} id
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {string} title
 * @property {string} into
 * @property {string} stack  the place of the stack that the layer is one of
 * @property {number} layer  which one it is, from 0
 * @property {number} layers how many there are
 * @property {number} open   how many of them can be shown
 *
 * @typedef {{points: Point[], dashed?: boolean, arrow?: boolean}} Path
 * @typedef {{text: string, x: number, y: number}} Mark
 * @typedef {{x: number, y: number, w: number, h: number}} Rect
 *
 * @typedef {object} Edge    one tensor on its way to everything that reads it here
 * @property {string} id
 * @property {string} tensor
 * @property {string[]} axes
 * @property {string[]} over
 * @property {number[]} shape
 * @property {string} name   shown before the size; "" when only the size is
 * @property {Path[]} paths
 * @property {Mark[]} marks
 * @property {Rect & {anchor: "start" | "end" | "middle"}} label
 * @property {Rect | null} thumb
 *
 * @typedef {{text: string, x: number, y: number, anchor: "start" | "middle" | "end"}} Note
 * @typedef {{at: string, width: number, height: number, boxes: Box[], frames: Frame[], edges: Edge[], notes: Note[], corner: boolean}} Scene
 *
 * @typedef {object} Options
 * @property {"numbers" | "names" | "both"} text   what sizes are written in
 * @property {boolean} compact   a phone: narrow boxes, no pictures
 * @property {Record<string, number>} [layer]      which layer of each stack is drawn open
 * @property {Record<string, number>} [layers]     how many layers each stack has, where it is not the model's own number
 * @property {boolean} [loss]    labels exist
 */

/** Height of a parameter's picture with its size below. @param {number} rows lines of the label */
export function stubHeight(rows) {
  return 20 + LINE * rows;
}

/** Widths of one character of a size and of a title, and the heights of their lines, in pixels at scale 1. */
export const CHAR = 6.7;
export const LETTER = 7.4;
export const LINE = 14;
const THUMB = { w: 34, h: 13 };

/**
 * A sheet to lay a scene out on; y grows downwards, and nothing needs to start at 0.
 * @param {Legend} legend @param {Record<string, number>} sizes @param {Options} options
 */
export function sheet(legend, sizes, options) {
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

  return {
    legend, sizes, options,
    /** How many lines a label takes. */
    rows: options.text === "both" ? 2 : 1,

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
     * @param {{side?: 1 | -1, named?: boolean, thumb?: boolean, name?: string}} [how]
     */
    label(tensor, x, y, { side = 1, named = false, thumb = true, name } = {}) {
      const made = edgeOf(tensor);
      if (made.label.w > 0) return;
      made.name = name ?? (named ? leaf(tensor) : "");
      const w = labelWidth(made, options.text);
      const h = LINE * (options.text === "both" ? 2 : 1);
      made.label = { x: side > 0 ? x + 7 : x - 7 - w, y: y - h / 2, w, h, anchor: side > 0 ? "start" : "end" };
      if (thumb && !options.compact && made.axes.length > 0) made.thumb = { x: side > 0 ? x - 8 - THUMB.w : x + 8, y: y - THUMB.h / 2, ...THUMB };
    },

    /**
     * A short line into the side of a box, with the picture of the tensor's values at its end and the size below, clear of the box.
     * @param {string} tensor @param {number} edge the box's side @param {number} y @param {1 | -1} side @param {string} [name]
     */
    stub(tensor, edge, y, side, name = leaf(tensor)) {
      const made = edgeOf(tensor);
      made.paths.push({ points: [[edge + side * 14, y], [edge, y]], dashed: false, arrow: true });
      made.name = name;
      const w = labelWidth(made, options.text);
      const h = LINE * (options.text === "both" ? 2 : 1);
      made.thumb = { x: side > 0 ? edge + 16 : edge - 16 - THUMB.w, y: y - THUMB.h / 2, ...THUMB };
      made.label = { x: side > 0 ? edge + 6 : edge - 6 - w, y: y + THUMB.h / 2 + 1, w, h, anchor: side > 0 ? "start" : "end" };
    },

    /** How wide a tensor's size is, with its name. @param {string} name */
    measure(name) {
      const tensor = /** @type {import("../core/types.js").Tensor} */ (legend.tensors.get(name));
      return labelWidth({ name: leaf(name), axes: tensor.axes, shape: shapeAt(tensor, sizes) }, options.text);
    },

    /**
     * Write a tensor's size above a horizontal line, the picture of its values below.
     * @param {string} tensor @param {number} x the middle of the line @param {number} y
     */
    over(tensor, x, y) {
      const made = edgeOf(tensor);
      made.name = leaf(tensor);
      const w = labelWidth(made, options.text);
      const h = LINE * (options.text === "both" ? 2 : 1);
      made.label = { x: x - w / 2, y: y - 3 - h, w, h, anchor: "middle" };
      if (!options.compact && made.axes.length > 0) made.thumb = { x: x - THUMB.w / 2, y: y + 4, ...THUMB };
    },

    /**
     * Write a tensor's size at the end of a horizontal line, the picture of its values between the two.
     * @param {string} tensor @param {number} x where the line ends @param {number} y @param {1 | -1} side
     */
    beside(tensor, x, y, side) {
      const made = edgeOf(tensor);
      made.name = options.compact ? "" : leaf(tensor);
      const w = labelWidth(made, options.text);
      const h = LINE * (options.text === "both" ? 2 : 1);
      if (!options.compact) made.thumb = { x: side > 0 ? x + 2 : x - 2 - THUMB.w, y: y - THUMB.h / 2, ...THUMB };
      const start = x + side * (made.thumb ? THUMB.w + 7 : 4);
      made.label = { x: side > 0 ? start : start - w, y: y - h / 2, w, h, anchor: side > 0 ? "start" : "end" };
    },

    /** @param {string} at @param {{corner?: boolean}} [about] `corner`: the top left stays free @returns {Scene} */
    finish(at, { corner = false } = {}) {
      return settle({ at, width: 0, height: 0, boxes, frames, edges: [...edges.values()], notes, corner }, options.compact ? 4 : 8);
    },
  };
}

/** @typedef {ReturnType<typeof sheet>} Sheet */

/**
 * A size in numbers: (2, 3, 8).
 * @param {{shape: number[]}} edge
 */
export function numbers(edge) {
  return `(${edge.shape.join(", ")}${edge.shape.length === 1 ? "," : ""})`;
}

/**
 * A size in names: (batch, src, d_model).
 * @param {{axes: string[]}} edge
 */
export function names(edge) {
  return `(${edge.axes.join(", ")}${edge.axes.length === 1 ? "," : ""})`;
}

/** @param {Pick<Edge, "name" | "axes" | "shape">} edge @param {Options["text"]} text */
function labelWidth(edge, text) {
  const name = edge.name ? edge.name.length + 1 : 0;
  const one = name + numbers(edge).length;
  if (text === "numbers") return one * CHAR;
  return (text === "names" ? name + names(edge).length : Math.max(one, names(edge).length)) * CHAR;
}

/** Move a scene so that it starts at 0, and measure it. @param {Scene} scene @param {number} margin @returns {Scene} */
function settle(scene, margin) {
  /** @type {Rect[]} */
  const rects = [
    ...scene.boxes, ...scene.frames, ...scene.edges.map((edge) => edge.label), ...scene.edges.flatMap((edge) => (edge.thumb ? [edge.thumb] : [])),
    ...scene.edges.flatMap((edge) => edge.paths.flatMap((path) => path.points.map(([x, y]) => ({ x, y, w: 0, h: 0 })))),
    ...scene.notes.map((note) => noteRect(note)),
  ];
  const left = Math.min(...rects.map((rect) => rect.x)) - margin;
  const top = Math.min(...rects.map((rect) => rect.y)) - margin;
  const move = (/** @type {{x: number, y: number}} */ thing) => { thing.x -= left; thing.y -= top; };
  scene.width = Math.max(...rects.map((rect) => rect.x + rect.w)) - left + margin;
  scene.height = Math.max(...rects.map((rect) => rect.y + rect.h)) - top + margin;
  [...scene.boxes, ...scene.frames, ...scene.notes].forEach(move);
  for (const edge of scene.edges) {
    move(edge.label);
    if (edge.thumb) move(edge.thumb);
    edge.marks.forEach(move);
    for (const path of edge.paths) path.points = path.points.map(([x, y]) => [x - left, y - top]);
  }
  return scene;
}

/** @param {Note} note @returns {Rect} */
function noteRect({ text, x, y, anchor }) {
  const w = text.length * 6.2;
  return { x: anchor === "start" ? x : anchor === "end" ? x - w : x - w / 2, y: y - 8, w, h: 16 };
}
