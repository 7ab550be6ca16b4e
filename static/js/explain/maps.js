/** The maps of what a cell reads: each operand as a small heatmap, with the row or the column that goes into the cell. */

import { el, fill } from "../core/dom.js";
import { whenThemeChanges } from "../core/palette.js";
import { followed } from "../core/trail.js";
import { contextOf } from "../tensor/context.js";
import { createBoard } from "./maps-board.js";
import { keepLit } from "./maps-lit.js";
import { cellAtSpot, planMaps, takenBy } from "./maps-plan.js";
import { createSays } from "./maps-says.js";
import { createSlices } from "./maps-slices.js";
import { explanationAt } from "./maps-ask.js";
import { createPlay } from "./play.js";

/**
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("../tensor/context.js").Context} Context
 * @typedef {import("./maps-plan.js").Part} Part @typedef {import("./maps-board.js").Board} Board @typedef {import("./maps-board.js").Line} Line
 * @typedef {{explanation: Explanation, plan: import("./maps-plan.js").Plan, contexts: Context[], slices: import("./maps-slices.js").Slices, board: Board, key: string}} Shown
 */

/** How long a cell is pointed at before the server is asked about it. */
const STEADY = 60;
/** The width that the maps are laid out for while they are not on screen. */
const LEAST = 260;

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{ element: HTMLElement, show: (explanation: Explanation | null, context: Context | null) => void }}
 */
export function createMaps(store) {
  const place = el("div", { class: "maps-place" });
  const says = createSays();
  const play = createPlay({ light: playing, explain: (cell, count) => explanationAt(store, cell, count), open: (cell) => store.set({ cell }) });
  const element = el("section", { class: "maps", "aria-label": "What this cell reads", hidden: true }, place, play.element, el("div", { class: "maps-words" }, says.element, play.line));
  /** @type {Shown | null} */
  let now = null;
  /** @type {{cell: number[], lines: (Line | null)[]}} the cell whose operands are lit, and those of each part */
  let lit = { cell: [], lines: [] };
  /** @type {{i: number, spot: import("./map-marks.js").Spot} | null} */
  let pointed = null;
  let turn = 0;
  let dwell = 0;
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const changed = Math.abs(contentRect.width - width) >= 1;
    width = contentRect.width;
    if (changed && now && width > 0) build(now);
  }).observe(element);

  /** @param {Explanation | null} explanation @param {Context | null} context */
  async function show(explanation, context) {
    const mine = ++turn;
    const plan = explanation && context ? planMaps(explanation, (name) => context.trace.records.find((record) => record.name === name)) : null;
    if (!explanation || !context || !plan?.parts.length) return hide();
    const contexts = plan.parts.map((part) => contextAt(part, context));
    const slices = now?.slices.trace === context.trace.id ? now.slices : createSlices(context.trace.id);
    const came = await slices.fetch(plan.parts.map((part) => ({ part, around: part.cell })));
    if (mine !== turn) return;
    if (!came) return hide();
    element.hidden = false;
    const key = [context.trace.id, context.sentence, explanation.of, explanation.name, plan.parts.map(({ of, name, row, column }) => [of, name, row, column])].join(" ");
    const next = { explanation, plan, contexts, slices, key };
    if (now?.key === key) Object.assign(now, next);
    else build(next);
    play.show(productOf(explanation, plan));
    light(hovered());
  }

  function hide() {
    now = null;
    element.hidden = true;
    play.show(null);
  }

  /** @param {Omit<Shown, "board">} next */
  function build(next) {
    const { plan, contexts, slices } = next;
    width ||= element.clientWidth;
    const board = createBoard(plan, contexts, Math.max(LEAST, width), { store, point, open });
    now = { ...next, board };
    plan.parts.forEach((part, i) => { const values = slices.at(part, part.cell); if (values) board.draw(i, values, part.cell); });
    fill(place, board.element);
    says.hint(now);
    light(hovered());
  }

  /** @param {Part} part @param {Context} context of the explained tensor */
  function contextAt({ name, of, cell, stands }, context) {
    if (stands === "result") return context;
    const state = store.get();
    return { .../** @type {Context} */ (contextOf({ ...state, of, tensor: name, cell: cell.map((at) => at ?? 0) })), sentence: context.sentence };
  }

  /** The cell of the explained tensor that is pointed at, there or in its map. */
  function hovered() {
    const { hovered: cell, tensor } = store.get();
    return now && tensor === now.explanation.name && cell?.length === now.explanation.cell.length ? cell : null;
  }

  /** Light what goes into a cell: the one pointed at, or the one that is explained. @param {number[] | null} cell */
  function light(cell) {
    if (!now || play.running()) return;
    const { explanation, plan } = now;
    const own = !cell || String(cell) === String(explanation.cell);
    const lines = plan.parts.map((part) => (own ? part.cell : takenBy(part, cell)));
    clearTimeout(dwell);
    if (lines.includes(null)) dwell = window.setTimeout(() => void ask(/** @type {number[]} */ (cell)), STEADY);
    turnTo(cell ?? explanation.cell, lines);
  }

  /** Ask which cells go into one whose operands no rule tells. @param {number[]} cell */
  async function ask(cell) {
    const mine = now;
    const answer = await explanationAt(store, cell);
    if (mine && mine === now && answer && String(hovered()) === String(cell)) {
      turnTo(cell, mine.plan.parts.map((part) => (part.stands === "result" ? cell : answer.operands.find(({ name, role }) => name === part.name && role === part.role)?.cell ?? null)));
    }
  }

  /** Show the slices that hold some cells, and light them. @param {number[]} cell @param {(Line | null)[]} lines */
  function turnTo(cell, lines) {
    if (!now) return;
    lit = { cell, lines };
    const { plan, slices, board } = now;
    const missing = plan.parts.flatMap((part, i) => {
      const line = lines[i];
      if (!line || !elsewhere(part, board.maps[i].around(), line)) return [];
      const values = slices.at(part, line);
      if (values) board.draw(i, values, line);
      return values ? [] : [{ part, around: line }];
    });
    if (missing.length) {
      const mine = now;
      clearTimeout(dwell);
      dwell = window.setTimeout(() => void slices.fetch(missing).then((came) => { if (came && mine === now && lit.lines === lines) turnTo(cell, lines); }), STEADY);
    }
    mark();
  }

  /** @param {{terms?: (Line | null)[], done?: number | null}} [playing] */
  function mark({ terms = [], done = null } = {}) {
    if (!now) return;
    const { operand } = store.get();
    now.board.mark(now.plan.parts.map((part, i) => ({
      cell: lit.lines[i] && !elsewhere(part, /** @type {Board} */ (now?.board).maps[i].around(), lit.lines[i]) ? lit.lines[i] : null,
      ring: pointed?.i === i ? cellAtSpot(part, now?.board.maps[i].around() ?? part.cell, pointed.spot) : operand?.name === part.name && (operand.of ?? "value") === part.of ? operand.cell : null,
      now: terms[i] ?? null, done: part.stands === "result" ? done : null,
    })));
  }

  /** Show where the playing is: which cell, which term of its sum, how many cells are worked out. @param {{cell: number[], term: number | null, done: number} | null} at */
  function playing(at) {
    says.element.hidden = at !== null;
    if (!now) return;
    if (!at) return light(hovered());
    const lines = now.plan.parts.map((part) => takenBy(part, at.cell) ?? part.cell);
    turnTo(at.cell, lines);
    mark({ done: at.done, terms: lines.map((line) => (at.term !== null && line.includes(null) ? line.map((place) => place ?? at.term) : null)) });
  }

  /** @param {number} i @param {import("./map-marks.js").Spot | null} spot */
  function point(i, spot) {
    if (!now || (pointed?.i === i && spot && pointed.spot.row === spot.row && pointed.spot.column === spot.column)) return;
    pointed = spot && { i, spot };
    const part = now.plan.parts[i];
    const cell = spot && cellAtSpot(part, now.board.maps[i].around(), spot);
    if (part.stands === "result") store.set({ hovered: cell });
    else store.set({ pointed: spot ? part.name : null });
    const value = spot ? now.board.maps[i].value(spot) : undefined;
    if (cell && value !== undefined) says.tell(now, i, { cell, value });
    else says.hint(now);
    if (!play.running()) mark();
  }

  /** @param {number} i @param {import("./map-marks.js").Spot} spot */
  function open(i, spot) {
    if (!now) return;
    const part = now.plan.parts[i];
    const cell = cellAtSpot(part, now.board.maps[i].around(), spot);
    const line = part.cell;
    if (part.stands === "result") store.set({ cell });
    else if (cell.every((at, axis) => line[axis] === null || line[axis] === at)) store.set(followed(store.get(), { name: part.name, of: part.of, cell }));
    else store.set({ tensor: part.name, of: part.of, cell });
  }

  keepLit(store, () => now?.explanation ?? null);
  store.subscribe(["hovered"], () => light(hovered()));
  store.subscribe(["operand"], () => { if (!play.running()) mark(); });
  whenThemeChanges(() => {
    if (!now) return;
    const { plan, slices, board } = now;
    plan.parts.forEach((part, i) => { const values = slices.at(part, board.maps[i].around()); if (values) board.draw(i, values, board.maps[i].around()); });
    mark();
  });
  return { element, show: (explanation, context) => void show(explanation, context) };
}

/** What there is to play. @param {Explanation} explanation @param {import("./maps-plan.js").Plan} plan @returns {import("./play.js").Product | null} */
function productOf({ cell, count }, { product, parts: [left, above, result] }) {
  return product ? { shape: result.record.shape, count, roles: { left: left.role, above: above.role }, cell } : null;
}

/** Whether cells lie in another slice than the one that is drawn. @param {Part} part @param {Line} around @param {Line} line */
function elsewhere({ row, column }, around, line) {
  return line.some((place, i) => i !== row && i !== column && (place ?? 0) !== (around[i] ?? 0));
}
