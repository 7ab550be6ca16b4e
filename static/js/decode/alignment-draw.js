/** The alignment as SVG: the source above, what was written below, and a line for each look, as thick as its weight. */

import { fill, svg } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { linesOf, roomFor, spread, strongest } from "./alignment-lines.js";

/**
 * @typedef {import("../core/types.js").Token} Token @typedef {import("./alignment-lines.js").Spot} Spot @typedef {import("./alignment-lines.js").Line} Line
 * @typedef {"source" | "written"} Side @typedef {{side: Side, place: number}} At
 * @typedef {{root: SVGSVGElement, light: (at: At | null) => void, element: (at: At) => SVGGElement | undefined}} Drawing
 */

const HIGH = 22;
const NUMBERS = 15;
const BETWEEN = 104;
const [ABOVE, BELOW] = [NUMBERS + HIGH, NUMBERS + HIGH + BETWEEN];

/**
 * @param {{source: Token[], written: Token[], map: Float64Array}} alignment
 * @param {number} width   at least so wide
 * @param {(at: At) => string} says
 * @returns {Drawing}
 */
export function drawAlignment({ source, written, map }, width, says) {
  const columns = source.length;
  const texts = { source: source.map(({ text }) => visible(text)), written: written.map(({ text }) => visible(text)) };
  const wide = Math.max(width, roomFor(texts.source), roomFor(texts.written));
  const spots = { source: spread(texts.source, wide), written: spread(texts.written, wide) };
  const height = BELOW + HIGH + NUMBERS;
  const all = svg("g", { class: "look-all" }, ...strongest(map, columns).map((line) => drawLine(line, spots)));
  const lit = svg("g", { class: "look-lit" });
  /** @type {Record<Side, SVGGElement[]>} */
  const tokens = { source: [], written: [] };
  for (const side of /** @type {Side[]} */ (["source", "written"])) {
    tokens[side] = spots[side].map((spot, place) => drawToken({ side, place }, spot, (side === "source" ? source : written)[place], says));
  }
  const root = svg("svg", { class: "look", width: wide, height, viewBox: `0 0 ${wide} ${height}`, role: "group", "aria-label": "source above, written below: arrows walk, Enter keeps the weights of a token" }, all, lit, ...tokens.source, ...tokens.written);

  /** @param {At | null} at */
  function light(at) {
    const lines = at ? linesOf(map, columns, at) : [];
    root.classList.toggle("lighting", at !== null);
    fill(lit, ...lines.map((line) => drawLine(line, spots)), ...lines.map((line) => drawNumber(line, spots, /** @type {At} */ (at).side)));
    const here = { source: new Set(lines.map(({ column }) => column)), written: new Set(lines.map(({ row }) => row)) };
    for (const side of /** @type {Side[]} */ (["source", "written"])) tokens[side].forEach((token, place) => token.classList.toggle("lit", at !== null && (here[side].has(place) || (at.side === side && at.place === place))));
  }

  return { root, light, element: ({ side, place }) => tokens[side][place] };
}

/** @param {Line} line @param {Record<Side, Spot[]>} spots */
function drawLine({ row, column, weight }, spots) {
  const [from, to] = [middle(spots.source[column]), middle(spots.written[row])];
  return svg("path", { class: "look-line", d: `M${from} ${ABOVE}C${from} ${ABOVE + BETWEEN / 2} ${to} ${BELOW - BETWEEN / 2} ${to} ${BELOW}`, vars: { "--weight": weight.toFixed(3) } });
}

/** The weight, at the other end of its line. @param {Line} line @param {Record<Side, Spot[]>} spots @param {Side} side */
function drawNumber({ row, column, weight }, spots, side) {
  const above = side === "written";
  return svg("text", { class: "look-number", x: middle(above ? spots.source[column] : spots.written[row]), y: above ? NUMBERS - 4 : BELOW + HIGH + NUMBERS - 3, text: fixed(weight, 2) });
}

/** @param {At} at @param {Spot} spot @param {Token} token @param {(at: At) => string} says */
function drawToken(at, { text, x, w }, token, says) {
  const y = at.side === "source" ? NUMBERS : BELOW;
  return svg("g", { class: `look-token ${at.side}${token.pad ? " pad" : ""}`, role: "button", tabindex: -1, "aria-pressed": "false", "aria-label": says(at), data: { side: at.side, place: at.place } },
    svg("rect", { x, y, width: w, height: HIGH, rx: 5 }), svg("text", { x: x + w / 2, y: y + 15.5, text }));
}

/** @param {Spot} spot */
function middle({ x, w }) {
  return Math.round(x + w / 2);
}
