/** Any block as the flow of its tensors, bottom to top: one box a step, one wire a tensor. Pure: no DOM. */

import { computed, holder, results } from "./legend.js";
import { leaf, stepTitle, tint, title } from "./words.js";
import { LETTER, stubHeight } from "./scene.js";
import { sheet as newSheet } from "./sheet.js";
import { heights } from "./column.js";
import { rank } from "./rank.js";
import { whence, whither } from "./stack.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("../core/types.js").Part} Part @typedef {import("../core/types.js").Tensor} Tensor */
/** @typedef {import("./legend.js").Legend} Legend @typedef {import("./rank.js").Wire} Wire */

const STEP = 30;
const SUM = 22;
const TRACK = 7;

/**
 * @param {Legend} legend @param {Record<string, number>} sizes @param {import("./scene.js").Options} options @param {Part} part
 */
export function flow(legend, sizes, options, part) {
  const sheet = newSheet(legend, sizes, options, { at: part.name });
  const steps = stepsOf(legend, part);
  const wires = wiresOf(legend, part, steps);
  const made = new Set(steps.map((step) => step.id));
  const ends = { first: new Set(wires.map((wire) => wire.from).filter((id) => !made.has(id))), last: new Set(wires.flatMap((wire) => wire.to).filter((id) => !made.has(id))) };
  const room = (/** @type {Wire} */ wire) => 2 * (8 + sheet.measure(wire.id));
  const boxes = [
    ...[...ends.first].map((id) => ({ id, width: Math.max(...wires.filter((wire) => wire.from === id).map(room)) })),
    ...steps.map((step) => ({ id: step.id, width: Math.max(boxWidth(step) + (step.parameters.length ? 170 : 0), ...wires.filter((wire) => wire.from === step.id).map(room)) })),
    ...[...ends.last].map((id) => ({ id, width: 40 })),
  ];
  const ranking = rank(boxes, wires, ends);
  const levels = place(sheet, ranking, steps);
  draw(sheet, { ranking, steps, levels, ends });
  for (const id of ends.first) note(sheet, whence(legend, id.slice(3)), ranking.nodes.get(id), levels.get(id)?.top, 12);
  for (const id of ends.last) note(sheet, whither(legend, part, id.slice(4)), ranking.nodes.get(id), levels.get(id)?.bottom, -8);
  return sheet.finish();
}

/**
 * @typedef {{id: string, title: string, round: boolean, into: string | null, tensor: string | null, tint: import("./scene.js").Tint, mixes: boolean, parameters: string[], tensors: string[]}} Step
 */

/** The boxes: a block's own steps and the blocks in it. @param {Legend} legend @param {Part} part @returns {Step[]} */
function stepsOf(legend, part) {
  const own = computed(legend, part).map((tensor) => ({
    id: tensor.name, title: stepTitle(tensor), round: tensor.kind === "add" || tensor.kind === "multiply", into: null, tensor: tensor.name, tint: /** @type {const} */ ("plain"), mixes: tensor.kind === "mix",
    parameters: tensor.reads.filter((name) => legend.tensors.get(name)?.parameter), tensors: [tensor.name],
  }));
  const inner = part.parts.map((inside) => ({
    id: inside.name, title: title(legend, inside), round: false, into: inside.name, tensor: null, tint: tint(inside.kind), mixes: inside.mixes, parameters: [],
    tensors: [...legend.tensors.keys()].filter((name) => name.startsWith(`${inside.name}.`)),
  }));
  return [...own, ...inner];
}

/** The wires: each tensor that a step reads, or that leaves the block. @param {Legend} legend @param {Part} part @param {Step[]} steps @returns {Wire[]} */
function wiresOf(legend, part, steps) {
  /** @type {Map<string, Wire>} */
  const wires = new Map();
  const maker = (/** @type {string} */ name) => holder(part, name)?.name ?? (part.tensors.includes(name) ? name : `in ${name}`);
  for (const step of steps) {
    for (const name of step.tensors) {
      for (const read of legend.tensors.get(name)?.reads ?? []) {
        if (legend.tensors.get(read)?.parameter || maker(read) === step.id) continue;
        const wire = wires.get(read) ?? { id: read, from: maker(read), to: [] };
        if (!wire.to.includes(step.id)) wire.to.push(step.id);
        wires.set(read, wire);
      }
    }
  }
  for (const name of results(legend, part)) {
    const wire = wires.get(name) ?? { id: name, from: maker(name), to: [] };
    wire.to.push(`out ${name}`);
    wires.set(name, wire);
  }
  return [...wires.values()];
}

/** @param {Step} step */
function boxWidth(step) {
  return step.round ? SUM : Math.max(96, Math.ceil(step.title.length * LETTER) + 28);
}

/**
 * The height at which each row stands, with room between two rows for the labels and for the wires that cross.
 * @param {Sheet} sheet @param {import("./rank.js").Ranking} ranking @param {Step[]} steps
 */
function place(sheet, ranking, steps) {
  const { row: label, arrow } = heights(sheet, true);
  const known = new Map(steps.map((step) => [step.id, step]));
  /** @type {Map<string, {top: number, bottom: number}>} */
  const levels = new Map();
  let y = 0;
  ranking.rows.forEach((row) => {
    const tall = Math.max(...row.map((node) => heightOf(known.get(node.id), sheet.rows)));
    for (const node of row) {
      const own = heightOf(known.get(node.id), sheet.rows);
      levels.set(node.id, node.lane ? { top: y - tall, bottom: y } : { top: y - (tall + own) / 2, bottom: y - (tall - own) / 2 });
    }
    const tracks = tracksAbove(ranking, row).length;
    y -= tall + label + arrow + tracks * TRACK + (tracks ? 4 : 0);
  });
  return levels;
}

/** @param {Step | undefined} step @param {number} rows */
function heightOf(step, rows) {
  if (!step) return 0;
  return step.round ? SUM : Math.max(STEP, stubHeight(rows) * step.parameters.length);
}

/** The wires that go sideways above a row, from left to right. @param {import("./rank.js").Ranking} ranking @param {import("./rank.js").Node[]} row */
function tracksAbove({ steps, nodes }, row) {
  const here = new Set(row.map((node) => node.id));
  const x = (/** @type {string} */ id) => nodes.get(id)?.x ?? 0;
  const sideways = steps.filter((step) => here.has(step.from) && Math.abs(x(step.from) - x(step.to)) > 1);
  return [...new Set(sideways.map((step) => step.wire))].sort((a, b) => a < b ? -1 : 1);
}

/**
 * @param {Sheet} sheet
 * @param {{ranking: import("./rank.js").Ranking, steps: Step[], levels: Map<string, {top: number, bottom: number}>, ends: {first: Set<string>, last: Set<string>}}} made
 */
function draw(sheet, { ranking, steps, levels }) {
  const { row: label } = heights(sheet, true);
  for (const step of steps) box(sheet, step, /** @type {import("./rank.js").Node} */ (ranking.nodes.get(step.id)), levels);
  for (const row of ranking.rows) {
    const tracks = tracksAbove(ranking, row);
    const top = Math.min(...row.map((node) => levels.get(node.id)?.top ?? 0));
    for (const piece of ranking.steps.filter((step) => row.some((node) => node.id === step.from))) {
      const from = /** @type {import("./rank.js").Node} */ (ranking.nodes.get(piece.from));
      const to = /** @type {import("./rank.js").Node} */ (ranking.nodes.get(piece.to));
      const start = levels.get(piece.from)?.top ?? 0;
      const end = levels.get(piece.to)?.bottom ?? 0;
      const enter = piece.arrives ? entry(ranking, piece, to, steps) : to.x;
      const track = top - label - 2 - tracks.indexOf(piece.wire) * TRACK;
      const points = /** @type {import("./scene.js").Point[]} */ (Math.abs(from.x - enter) <= 1 ? [[from.x, start], [enter, end]] : [[from.x, start], [from.x, track], [enter, track], [enter, end]]);
      if (from.lane) points.unshift([from.x, levels.get(piece.from)?.bottom ?? start]);
      sheet.wire(piece.wire, points, { arrow: piece.arrives });
      if (!from.lane) sheet.label(piece.wire, from.x, top - label / 2, { named: true });
    }
  }
}

/** Where on a box's lower side a wire enters, so that several stand side by side. @param {import("./rank.js").Ranking} ranking @param {{wire: string, from: string, to: string}} piece @param {import("./rank.js").Node} to @param {Step[]} steps */
function entry(ranking, piece, to, steps) {
  const arriving = ranking.steps.filter((step) => step.to === piece.to).sort((a, b) => (ranking.nodes.get(a.from)?.x ?? 0) - (ranking.nodes.get(b.from)?.x ?? 0));
  const step = steps.find((known) => known.id === to.id);
  const gap = step?.round ? 12 : 22;
  return to.x + (arriving.findIndex((other) => other.wire === piece.wire) - (arriving.length - 1) / 2) * (arriving.length > 1 ? gap : 0);
}

/** @param {Sheet} sheet @param {Step} step @param {import("./rank.js").Node} node @param {Map<string, {top: number, bottom: number}>} levels */
function box(sheet, step, node, levels) {
  const w = boxWidth(step);
  const { top, bottom } = /** @type {{top: number, bottom: number}} */ (levels.get(step.id));
  sheet.box({ id: step.id, x: node.x - w / 2, y: top, w, h: bottom - top, title: [step.title], sub: step.parameters.length > 0 && step.title === "linear" ? `× ${step.parameters.map(leaf).join(" + ")}` : "", tint: step.round ? "step" : step.tint, mixes: step.mixes, into: step.into, tensor: step.tensor, round: step.round });
  step.parameters.forEach((name, i) => sheet.stub(name, node.x - w / 2, top + 9 + stubHeight(sheet.rows) * i, -1));
}

/** @param {Sheet} sheet @param {string} text @param {import("./rank.js").Node | undefined} node @param {number | undefined} y @param {number} off */
function note(sheet, text, node, y, off) {
  if (text && node && y !== undefined) sheet.note({ text, x: node.x, y: y + off, anchor: "middle" });
}
