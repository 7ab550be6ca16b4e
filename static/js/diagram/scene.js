/** A scene is one level of the diagram, laid out: boxes, frames and edges with coordinates. Pure: no DOM. */

/** @typedef {[number, number]} Point */
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
 * @property {string} [aside]     a softer word after the first line
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
export const TIGHT_LINE = 12;

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

/**
 * How wide a label is.
 * @param {Pick<Edge, "name" | "axes" | "shape">} edge @param {Options["text"]} text
 */
export function labelWidth(edge, text) {
  const name = edge.name ? edge.name.length + 1 : 0;
  const one = name + numbers(edge).length;
  if (text === "numbers") return one * CHAR;
  return (text === "names" ? name + names(edge).length : Math.max(one, names(edge).length)) * CHAR;
}

/**
 * Move a scene so that it starts at 0, and measure it.
 * @param {Scene} scene @param {number} margin
 * @returns {Scene}
 */
export function settle(scene, margin) {
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
