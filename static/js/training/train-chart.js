/** A small curve over the steps of a training: pure functions from numbers to SVG. */

import { svg } from "../core/dom.js";
import { count } from "../core/format.js";

/**
 * @typedef {{step: number, value: number}} Dot
 * @typedef {{at: number, title: string, least?: boolean}} Level   a line across; `least`: no number goes below it, so that its words stand there
 * @typedef {{title: string, dots: Dot[], also?: Dot[], levels?: Level[], steps: number, most?: number, written: (value: number) => string, scale: (value: number) => string, at?: number | null}} Curve
 */

const DOTS = 300;
const [LEFT, RIGHT, TOP, FOOT] = [44, 8, 6, 16];
const GRID = [0, 0.5, 1];

/**
 * @param {Curve} curve
 * @param {number} width
 * @param {number} height
 * @returns {SVGElement}
 */
export function chart({ title, dots, also: others = [], levels = [], steps, most, scale, at = null }, width, height) {
  const [drawn, also] = [thinned(dots), thinned(others)];
  const known = most ?? Math.max(...[...drawn, ...also].map(({ value }) => value), ...levels.map((level) => level.at));
  const top = known > 0 ? niceTop(known) : 1;
  const marks = GRID.map((share) => ({ value: share * top, text: known > 0 ? scale(share * top) : "" }));
  const x = (/** @type {number} */ step) => LEFT + step / Math.max(steps, 1) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + (1 - Math.min(value / top, 1)) * (height - TOP - FOOT);
  const now = at === null ? null : nearest(dots, at);
  return svg("svg", { class: "tr-chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title },
    ...marks.map(({ value, text }) => svg("g", {}, svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }), svg("text", { class: "tick", x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end", text }))),
    svg("text", { class: "tick", x: LEFT, y: height - 3, text: "0" }), svg("text", { class: "tick", x: width - RIGHT, y: height - 3, "text-anchor": "end", text: `step ${count(steps)}` }),
    also.length > 0 && svg("path", { class: "also", d: path(also, x, y) }), dots.length > 0 && svg("path", { class: "curve", d: path(drawn, x, y) }),
    ...levels.map((level) => levelLine(level, y(level.at), width)),
    now && svg("g", { class: "now" }, svg("line", { x1: x(now.step), x2: x(now.step), y1: TOP, y2: height - FOOT }), svg("circle", { cx: x(now.step), cy: y(now.value), r: 3 })));
}

/**
 * The step under a place on a chart.
 * @param {number} left   from the chart's left edge
 * @param {number} width
 * @param {number} steps
 */
export function stepAt(left, width, steps) {
  return Math.round(Math.min(1, Math.max(0, (left - LEFT) / (width - LEFT - RIGHT))) * steps);
}

/**
 * The last dot at or before a step, else the first.
 * @template {{step: number}} T
 * @param {T[]} dots   in the order of their steps
 * @param {number} step
 * @returns {T | undefined}
 */
export function nearest(dots, step) {
  let [low, high] = [0, dots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (dots[middle].step <= step) low = middle + 1;
    else high = middle;
  }
  return dots[Math.max(low - 1, 0)];
}

/**
 * No more dots than a chart can show: each the mean of its neighbours; the last one stays.
 * @param {Dot[]} dots
 * @param {number} [most]
 * @returns {Dot[]}
 */
export function thinned(dots, most = DOTS) {
  const each = Math.ceil(dots.length / most);
  if (each <= 1) return dots;
  return Array.from({ length: Math.ceil(dots.length / each) }, (_, i) => {
    const group = dots.slice(i * each, (i + 1) * each);
    return { step: group[group.length - 1].step, value: group.reduce((sum, { value }) => sum + value, 0) / group.length };
  });
}

/**
 * The end of a scale: 1, 2, 2.5, 3, 4, 5 or 8 times a power of ten.
 * @param {number} value
 */
export function niceTop(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 3, 4, 5, 8, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10);
}

/** A level and its words: above its line, or below it where there is no room or a curve; amid the line there, clear of the steps. @param {Level} level @param {number} y @param {number} width */
function levelLine({ title, least }, y, width) {
  const words = least ? { x: (LEFT + width - RIGHT) / 2, y: y + 12, "text-anchor": "middle" } : { x: width - RIGHT - 2, y: y + (y < 24 ? 11 : -3), "text-anchor": "end" };
  return svg("g", { class: "level" }, svg("line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y }), svg("text", { ...words, text: title }));
}

/** @param {Dot[]} dots @param {(step: number) => number} x @param {(value: number) => number} y */
function path(dots, x, y) {
  return dots.map(({ step, value }, i) => `${i ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}
