/** The names around a matrix, drawn on its canvas: each text stands alone, so that its direction is its own. */

import { labelStride } from "./geometry.js";
import { edgeOf, inView, stepOf } from "./span.js";

/** @typedef {import("./draw.js").Sheet} Sheet @typedef {import("../core/colour.js").Palette} Palette @typedef {import("./span.js").Span} Span */

const SIZES = [12, 11, 10];

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette */
export function drawColumnLabels(pen, { frame, spans, columnLabel, colours }, palette) {
  const span = spans.columns;
  const places = labelled(span, frame.upright ? 11 : null, (place) => columnLabel(place).text);
  const room = frame.upright ? frame.top : span.px * places.stride * stepOf(span) - 3;
  pen.font = fitted(pen, places.list.map((place) => columnLabel(place).text), frame.upright ? Infinity : room, palette);
  pen.textBaseline = "middle";
  for (const place of places.list) {
    const { text, faint } = columnLabel(place);
    const x = frame.left + middle(span, place);
    if (x < frame.left || x > frame.left + span.room + 1) continue;
    pen.fillStyle = colours.column;
    pen.globalAlpha = faint ? 0.55 : 1;
    pen.save();
    const turned = frame.upright && pen.measureText(text).width > span.px - 1;
    pen.translate(x, frame.top - (turned ? 4 : 9));
    if (turned) pen.rotate(-Math.PI / 2);
    pen.textAlign = turned ? "left" : "center";
    pen.fillText(clipped(pen, text, turned ? frame.top - 6 : Math.max(room, 24)), 0, 0);
    pen.restore();
  }
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette */
export function drawRowLabels(pen, { frame, spans, rowLabel, colours }, palette) {
  const span = spans.rows;
  const places = labelled(span, 13, () => "");
  const room = frame.left - 6;
  pen.font = fitted(pen, places.list.map((place) => rowLabel(place).text), room, palette);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const place of places.list) {
    const { text, faint } = rowLabel(place);
    const y = frame.top + middle(span, place);
    if (y < frame.top || y > frame.top + span.room + 1) continue;
    pen.fillStyle = colours.row;
    pen.globalAlpha = faint ? 0.55 : 1;
    pen.fillText(clipped(pen, text, room), frame.left - 6, y + 0.5);
  }
  pen.globalAlpha = 1;
}

/** The sums of the rows, beside them. @param {CanvasRenderingContext2D} pen @param {Sheet} sheet @param {Palette} palette */
export function drawStrip(pen, { frame, spans, sums }, palette) {
  if (!sums || spans.rows.px < 9) return;
  const x = frame.left + spans.columns.room + 6;
  pen.fillStyle = palette.css("--ink-soft");
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = `11px ${palette.css("--sans")}`;
  pen.fillText("sum", x, frame.top - 9);
  pen.font = `${spans.rows.px < 13 ? 9 : 11}px ${palette.css("--mono")}`;
  const [from, to] = inView(spans.rows);
  for (let row = from; row < to; row++) {
    const sum = sums.sums[row - sums.first];
    if (sum === undefined) continue;
    pen.fillText(sum === 0 ? "0" : sum.toFixed(2), x, frame.top + middle(spans.rows, row) + 0.5);
  }
}

/** Which places get a label. @param {Span} span @param {number | null} needs pixels for one, or null to go by its text @param {(place: number) => string} text */
function labelled(span, needs, text) {
  const step = stepOf(span);
  const [from, to] = inView(span);
  const px = span.px * step;
  const longest = needs ?? Math.max(12, ...Array.from({ length: Math.min(to - from, 60) }, (_, i) => Math.min(text(from + i * step).length * 6 + 6, 60)));
  const stride = labelStride(px, needs === null && px >= 24 ? Math.min(longest, px) : longest);
  const list = [];
  for (let place = Math.ceil(from / (stride * step)) * stride * step; place < to; place += stride * step) list.push(place);
  return { list, stride };
}

/** @param {Span} span @param {number} place */
function middle(span, place) {
  return edgeOf(span, place) + Math.max(span.px * stepOf(span), 1) / 2;
}

/** The largest font at which every text fits. @param {CanvasRenderingContext2D} pen @param {string[]} texts @param {number} room @param {Palette} palette */
function fitted(pen, texts, room, palette) {
  for (const size of SIZES) {
    pen.font = `600 ${size}px ${palette.css("--sans")}`;
    if (texts.every((text) => pen.measureText(text).width <= room)) return pen.font;
  }
  return pen.font;
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} room */
function clipped(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let kept = [...text];
  while (kept.length > 1 && pen.measureText(`${kept.join("")}…`).width > room) kept = kept.slice(0, -1);
  return `${kept.join("")}…`;
}
