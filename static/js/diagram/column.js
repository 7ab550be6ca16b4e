/** One layer, bottom to top: its sublayers with their norms, sums and residual paths. Pure: no DOM. */

import { lastOf, subs } from "./legend.js";
import { attendsToItself, dropoutNote, subtitle, tint, title } from "./words.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("./scene.js").Point} Point @typedef {import("../core/types.js").Part} Part */

const SIDE = 18;
/** Width of a norm's box where the size of what leaves it stands beside it. */
const NORM = 82;

/**
 * @typedef {object} Place
 * @property {number} x          the middle of the column
 * @property {number} from       where the layer's input comes from, further down
 * @property {number} bottom     where the column starts
 * @property {1 | -1} side       which side the residual paths take; masks enter at the other
 * @property {number} w          width of a box
 * @property {boolean} detail    sums and norms apart, and every tensor named
 * @property {Point[]} [memory]  the memory's way to this column; its last point gives the x from which it enters
 */

/** Heights: of whole boxes, of the flat ones of norms, of a sum, of a size on a line, of an arrow. @param {Sheet} sheet @param {boolean} detail */
export function heights(sheet, detail = false) {
  const { high, rows, options: { compact } } = sheet;
  if (compact) return { block: 29, flat: 18, sum: 20, row: 3 + high + (rows > 1 ? 4 : 0), arrow: 6 };
  if (sheet.tight) return { block: 36, flat: 18, sum: 16, row: 1 + rows + high, arrow: 7 };
  return { block: 40, flat: 22, sum: 20, row: 5 + high + (rows > 1 ? 4 : 0), arrow: detail ? 12 : 8 };
}

/**
 * Draw a layer and say where it ends.
 * @param {Sheet} sheet @param {Part} layer @param {Place} place
 * @returns {number} the top of its last box
 */
export function layerColumn(sheet, layer, place) {
  let { from, bottom } = place;
  for (const sub of subs(sheet.legend, layer)) {
    from = sub.pre ? preNorm(sheet, sub, { ...place, from, bottom }) : postNorm(sheet, sub, { ...place, from, bottom });
    bottom = from;
  }
  return from;
}

/** Sublayer, sum, norm. @param {Sheet} sheet @param {import("./legend.js").Sub} sub @param {Place} place @returns {number} */
function postNorm(sheet, sub, place) {
  const { x, w, detail } = place;
  const { flat, row, arrow } = heights(sheet, detail);
  const { top, branch } = sublayer(sheet, sub, place, true);
  const out = sub.residual.inputs.sublayer;
  if (!detail) {
    const y = top - row - arrow - flat;
    addAndNorm(sheet, sub, place, y);
    lineUp(sheet, out, x, top, y + flat, false);
    arc(sheet, sub.input, place, branch, y + flat / 2, w / 2);
    return y;
  }
  const sum = plus(sheet, sub, place, top, out, branch);
  const y = sum - row - arrow - flat;
  normBox(sheet, sub.norm, place, y);
  lineUp(sheet, sub.sum.name, x, sum, y + flat, true);
  if (place.detail) sheet.label(sub.result, x, y - row / 2, { named: true });
  return y;
}

/** Norm, sublayer, sum. @param {Sheet} sheet @param {import("./legend.js").Sub} sub @param {Place} place @returns {number} */
function preNorm(sheet, sub, place) {
  const { x, detail } = place;
  const { flat, row, arrow } = heights(sheet, detail);
  const branch = place.bottom - row - (sheet.tight ? 2 : 4);
  const y = branch - (sheet.tight ? 2 : 4) - arrow - flat;
  normBox(sheet, sub.norm, sheet.tight ? { ...place, w: NORM } : place, y);
  sheet.wire(sub.input, [[x, place.from], [x, y + flat]]);
  if (place.from === place.bottom) sheet.label(sub.input, x, place.bottom - row / 2, { named: detail });
  const { top } = sublayer(sheet, sub, { ...place, from: y, bottom: sheet.tight ? y + row : y }, false);
  const normed = lastOf(sheet.legend, sub.norm);
  if (sheet.tight) sheet.label(normed, x, y + flat / 2, { off: NORM / 2 });
  else sheet.label(normed, x, y - row / 2, { named: detail });
  return plus(sheet, sub, place, top, sub.residual.inputs.sublayer, branch);
}

/**
 * The sublayer's box and what enters it.
 * @param {Sheet} sheet @param {import("./legend.js").Sub} sub @param {Place} place @param {boolean} branches whether the residual path starts here
 */
function sublayer(sheet, sub, place, branches) {
  const { x, from, bottom, w, detail } = place;
  const { block, row, arrow } = heights(sheet, detail);
  const part = sub.sublayer;
  const attention = part.kind === "MultiHeadAttention";
  const branch = bottom - row - 4;
  const foot = (branches ? branch - 2 : bottom - row) - (attention ? (attendsToItself(part) ? 18 : 26) : arrow);
  const y = foot - block;
  const name = lines(sheet, title(sheet.legend, part));
  const drop = dropoutNote(part);
  sheet.box({
    id: part.name, x: x - w / 2, y, w, h: block, title: name, sub: sheet.options.compact ? (name.length > 1 ? "" : drop) : subtitle(sheet.legend, part, sheet.sizes), aside: sheet.options.compact && name.length > 1 ? dropoutNote(part, true) : "",
    tint: tint(part.kind), mixes: part.mixes, into: part.name,
  });
  if (attention) threeArrows(sheet, part, place, foot);
  else sheet.wire(part.inputs.x, [[x, from], [x, foot]]);
  if (from === bottom) sheet.label(attention ? part.inputs.query : part.inputs.x, x, bottom - row / 2, { named: detail });
  if (attention && !sheet.options.compact) maskStub(sheet, part, place, y + block / 2);
  return { top: y, branch };
}

/** V, K and Q enter an attention block. @param {Sheet} sheet @param {Part} part @param {Place} place @param {number} foot */
function threeArrows(sheet, part, { x, from, w, memory }, foot) {
  const reach = Math.round(w * 0.3);
  const [v, q] = [x - reach, x + reach];
  const { query, memory: source } = part.inputs;
  if (attendsToItself(part) || !memory) {
    sheet.wire(query, [[x, foot + 13], [v, foot + 13], [v, foot]], { mark: "V" });
    sheet.wire(query, [[x, from], [x, foot]], { mark: "K" });
    sheet.wire(query, [[x, foot + 13], [q, foot + 13], [q, foot]], { mark: "Q" });
    return;
  }
  const [enter] = /** @type {Point} */ (memory.at(-1));
  sheet.wire(source, [[v, foot + 14], [v, foot]], { mark: "V" });
  sheet.wire(source, [...memory, [enter, foot + 14], [x, foot + 14], [x, foot]], { mark: "K" });
  sheet.wire(query, [[x, from], [x, foot + 21], [q, foot + 21], [q, foot]], { mark: "Q" });
}

/** @param {Sheet} sheet @param {Part} part @param {Place} place @param {number} y */
function maskStub(sheet, part, { x, w, side, detail }, y) {
  sheet.stub(part.inputs.mask, x - side * (w / 2), y - 8, side > 0 ? -1 : 1, detail ? "mask" : "");
}

/** The box of sum and norm together. @param {Sheet} sheet @param {import("./legend.js").Sub} sub @param {Place} place @param {number} y */
function addAndNorm(sheet, sub, { x, w }, y) {
  const { flat } = heights(sheet);
  sheet.box({ id: sub.residual.name, x: x - w / 2, y, w, h: flat, title: [sub.residual.title], aside: dropoutNote(sub.residual, sheet.options.compact), tint: "norm", into: sub.residual.name });
}

/** @param {Sheet} sheet @param {Part} norm @param {Place} place @param {number} y */
function normBox(sheet, norm, { x, w }, y) {
  const { flat } = heights(sheet);
  sheet.box({ id: norm.name, x: x - w / 2, y, w, h: flat, title: [norm.title], tint: "norm", into: norm.name });
}

/**
 * The circle where a residual path joins.
 * @param {Sheet} sheet @param {import("./legend.js").Sub} sub @param {Place} place @param {number} top of the sublayer @param {string} out @param {number} branch
 * @returns {number} its top
 */
function plus(sheet, sub, place, top, out, branch) {
  const { x, side, detail } = place;
  const { row, arrow, sum } = heights(sheet, detail);
  const y = top - row - arrow - sum;
  sheet.box({ id: sub.sum.name, x: x - sum / 2, y, w: sum, h: sum, title: ["+"], tint: "step", into: sub.residual.name, round: true });
  lineUp(sheet, out, x, top, y + sum, detail);
  arc(sheet, sub.input, place, branch, y + sum / 2, sum / 2);
  const dropout = dropoutNote(sub.residual);
  if (dropout) sheet.note({ text: dropout, x: x - side * (detail ? place.w / 2 : sum / 2 + 6), y: detail ? top - row / 2 : y + sum / 2, anchor: (side > 0) === detail ? "start" : "end" });
  return y;
}

/** A residual path round a sublayer. @param {Sheet} sheet @param {string} tensor @param {Place} place @param {number} from @param {number} to @param {number} half */
function arc(sheet, tensor, { x, w, side }, from, to, half) {
  const out = x + side * (w / 2 + SIDE);
  sheet.wire(tensor, [[x, from], [out, from], [out, to], [x + side * half, to]], { dashed: true });
}

/**
 * A straight way up, with its size beside it.
 * @param {Sheet} sheet @param {string} tensor @param {number} x @param {number} from @param {number} to @param {boolean} named
 */
export function lineUp(sheet, tensor, x, from, to, named) {
  sheet.wire(tensor, [[x, from], [x, to]]);
  sheet.label(tensor, x, from - heights(sheet).row / 2, { named });
}

/** A title on one line, or on two where boxes are narrow. @param {Sheet} sheet @param {string} text */
function lines(sheet, text) {
  const space = text.lastIndexOf(" ");
  return sheet.options.compact && text.length > 15 && space > 0 ? [text.slice(0, space), text.slice(space + 1)] : [text];
}
