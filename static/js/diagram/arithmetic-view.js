/** The innermost level: one head of one sentence, as matrices with all their numbers and one cell's sum written out. */

import { ServerError, tensors } from "../core/api.js";
import { isSentences, placeLabel } from "../core/axes.js";
import { el } from "../core/dom.js";
import { scaleOf } from "../core/scale.js";
import { visible } from "../core/tokens.js";
import { CELL, LEAST, arithmetic, litBy, placesOf, span } from "./arithmetic.js";
import { drawArithmetic, paintMatrix, ring, ringHovered } from "./arithmetic-draw.js";
import { at, largestOfLast, operands, wanted } from "./arithmetic-values.js";
import { dropoutIn, roles } from "./attention.js";
import { reasonsOf, whyBlocked } from "./blocked.js";
import { createChooser, createPager } from "./chooser.js";
import { columnOfWhole } from "./cut.js";
import { createSumPanel } from "./sum-panel.js";
import { looks } from "./values.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("./arithmetic.js").Matrix} Matrix @typedef {import("../core/types.js").Values} Values */
/** @typedef {{id: Matrix["id"], row: number, column: number}} Chosen */

/** How small a cell may get before fewer of them are drawn. */
const LEGIBLE = 0.72;

/**
 * @param {Store} store
 * @param {() => void} redraw
 */
export function createArithmetic(store, redraw) {
  const pager = createPager((axis, from) => { starts[axis] = from; redraw(); });
  const chooser = createChooser(turnTo);
  const panel = createSumPanel();
  const element = el("div", { class: "dg-arithmetic" }, el("div", { class: "dg-choosers" }, chooser.element, pager.element), panel.element);
  element.hidden = true;
  /** @type {{legend: import("./legend.js").Legend, part: import("../core/types.js").Part, role: import("./attention.js").Roles, reasons: string[], drawn: ReturnType<typeof drawArithmetic>} | null} */
  let now = null;
  /** @type {Map<string, Values>} */
  let values = new Map();
  /** @type {{trace: import("../core/types.js").Trace, places: string, sentence: number} | null} whose values these are */
  let loaded = null;
  let turn = 0;
  /** @type {Record<string, number>} where the drawn part of a long axis starts, once somebody has turned to it */
  let starts = {};

  /** The axes before the matrices' own two, and the place chosen on each. */
  function leading() {
    const { trace, index, cell, tensor } = store.get();
    if (!now) return [];
    const { over } = now.role.q;
    const own = cell && tensor && matrixOf(tensor) ? cell : null;
    return over.slice(0, -2).map((name, i) => ({ over: name, size: trace?.sizes[name] ?? 1, place: own?.[i] ?? index[name] ?? 0 }));
  }

  /** @param {string} over @param {number} place */
  function turnTo(over, place) {
    const { index, cell } = store.get();
    const axis = leading().findIndex((entry) => entry.over === over);
    store.set({ index: { ...index, [over]: place }, cell: cell && cell.map((old, i) => (i === axis ? place : old)) });
  }

  /** @param {string} tensor */
  function matrixOf(tensor) {
    if (!now) return undefined;
    const { role } = now;
    const alias = /** @type {Record<string, string>} */ ({ [role.dot.name]: role.scale.name, [role.mask.name]: role.scale.name, [role.mixed]: role.softmax.name });
    const drawn = (/** @type {string} */ name) => [...now?.drawn.shown.values() ?? []].find(({ matrix }) => matrix.tensor === name)?.matrix;
    return drawn(tensor) ?? drawn(alias[tensor]);
  }

  /** The cell that is written out: the store's, or the largest weight of the last query. @returns {Chosen | null} */
  function chosen() {
    const { tensor, cell } = store.get();
    const matrix = tensor ? matrixOf(tensor) : undefined;
    if (matrix && cell) {
      const [a, b] = cell.slice(-2);
      return { id: matrix.id, row: matrix.turned ? b : a, column: matrix.turned ? a : b };
    }
    const weights = now && values.get(now.role.softmax.name);
    if (!weights) return null;
    return { id: "scores", ...largestOfLast(weights) };
  }

  /** @param {Matrix} matrix @param {number} row @param {number} column @returns {number[]} the cell of the tensor */
  function cellAt(matrix, row, column) {
    return [...leading().map((entry) => entry.place), ...(matrix.turned ? [column, row] : [row, column])];
  }

  /** @param {Matrix} matrix @param {number} row @param {number} column */
  function choose(matrix, row, column) {
    store.set({ tensor: matrix.tensor, cell: cellAt(matrix, row, column) });
  }

  /** Ring what a cell is made of while it is pointed at. @param {Matrix} matrix @param {[number, number] | null} spot */
  function hover(matrix, spot) {
    if (!now) return;
    const { shown } = now.drawn;
    ringHovered(shown, spot && litBy(matrix.id, ...spot, shown.has("dropped") ? "dropped" : "weights"));
    if (matrix.tensor === store.get().tensor) store.set({ hovered: spot && cellAt(matrix, ...spot) });
  }

  /** @param {string} over @param {number} place */
  function label(over, place) {
    const { trace, model } = store.get();
    return visible(placeLabel(trace, model, over, place, loaded ? loaded.sentence : sentence()));
  }

  function sentence() {
    return leading().find((entry) => isSentences(entry.over))?.place ?? 0;
  }

  /** @param {number} row @param {number} column */
  function blocked(row, column) {
    const masked = values.get(now?.role.mask.name ?? "");
    return masked !== undefined && at(masked, row, column) === -Infinity;
  }

  function paint() {
    const { trace } = store.get();
    if (!now || !trace || !values.size) return;
    const { drawn } = now;
    drawn.relabel();
    for (const shown of drawn.shown.values()) {
      const { matrix } = shown;
      const found = values.get(matrix.tensor);
      const record = trace.records.find((known) => known.name === matrix.tensor);
      if (!found || !record) continue;
      const read = (/** @type {number} */ r, /** @type {number} */ c) => at(found, matrix.turned ? c : r, matrix.turned ? r : c);
      const name = (/** @type {number} */ r, /** @type {number} */ c) => `${matrix.title}, ${label(matrix.rows.over, r)} ${r}, ${label(matrix.columns.over, c)} ${c}`;
      const masked = ["scores", "weights", "dropped"].includes(matrix.id);
      paintMatrix(shown, read, looks(scaleOf(now.legend.tensors.get(matrix.tensor), record, (other) => now?.legend.tensors.get(other))), name, masked ? { blocked, keep: matrix.id === "scores" } : {});
    }
    light();
  }

  function light() {
    const pick = chosen();
    if (!now || !pick || !values.size) return;
    if (!Object.keys(starts).length && !now.drawn.shown.get(pick.id)?.cells.has(`${pick.row},${pick.column}`)) return redraw();
    const { shown } = now.drawn;
    ring(shown, litBy(pick.id, pick.row, pick.column, shown.has("dropped") ? "dropped" : "weights"));
    panel.show({ pick, role: now.role, values: operands(now.role, values), label, shown, ...about(pick) });
  }

  /** Why the chosen cell is blocked, and which column of the whole it was cut from. @param {Chosen} pick */
  function about({ id, row, column }) {
    const { legend, role, reasons } = /** @type {NonNullable<typeof now>} */ (now);
    const square = id === "scores" || id === "weights";
    const masks = reasons.flatMap((name) => values.get(name) ?? []);
    const split = id === "q" || id === "k" || id === "v" ? role[id] : null;
    return {
      why: square && blocked(row, column) ? whyBlocked(legend, masks, row, column) : "",
      cut: split ? columnOfWhole(legend, split, store.get().trace?.sizes ?? {}, leading(), id === "k" ? row : column) : "",
    };
  }

  async function load() {
    const { trace, model } = store.get();
    if (!now || !trace || !model) return;
    const mine = now;
    const { role } = mine;
    const places = leading();
    chooser.show(places.map((entry) => ({ ...entry, title: model.axes[entry.over]?.title ?? entry.over })));
    const index = role.q.axes.slice(0, -2).map((axis, i) => `${axis}:${places[i].place}`).join(",");
    const own = ++turn;
    try {
      const found = await tensors(trace.id, wanted(role, mine.reasons), { index });
      if (own !== turn || mine !== now || store.get().trace !== trace) return;
      values = new Map(found.map((value) => [value.name, value]));
      loaded = { trace, places: key(places), sentence: places.find((entry) => isSentences(entry.over))?.place ?? 0 };
      paint();
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }

  function forget() {
    values = new Map();
    loaded = null;
  }

  return {
    element, load,
    /** Another cell, sentence or head was chosen. */
    follow() {
      if (key(leading()) === loaded?.places) light();
      else void load();
    },
    /** Leave the arithmetic. */
    leave() {
      now = null;
      forget();
      starts = {};
      element.hidden = true;
      panel.stop();
    },
    /**
     * @param {import("./legend.js").Legend} legend @param {import("../core/types.js").Part} part
     * @param {{sizes: Record<string, number>, room: {width: number, height: number}}} given
     * @returns {import("./stage.js").Level}
     */
    level(legend, part, { sizes, room }) {
      const { trace } = store.get();
      const role = roles(legend, part);
      if (loaded?.trace !== trace) forget();
      const pick = now ? chosen() : null;
      const { query, key, width } = pick ? placesOf(pick.id, pick.row, pick.column) : { query: null, key: null, width: null };
      const inner = { width: room.width, height: room.height - OVER - under(room) };
      const most = Math.max(LEAST, Math.floor((inner.width / LEGIBLE - 300) / CELL.w / 4));
      const along = (/** @type {import("../core/types.js").Tensor} */ tensor, /** @type {number} */ axis, /** @type {number} */ place) => {
        const [name, over] = /** @type {[string, string]} */ ([tensor.axes.at(axis), tensor.over.at(axis)]);
        return span(name, over, sizes[over] ?? 1, starts[name] === undefined ? place : starts[name] + Math.floor(most / 2), most);
      };
      const spans = { query: along(role.softmax, -2, query ?? 0), key: along(role.softmax, -1, key ?? 0), width: along(role.q, -1, width ?? 0) };
      const made = arithmetic(role, spans, inner, dropoutIn(role, trace));
      element.hidden = false;
      pager.show(Object.values(spans), most);
      now = { legend, part, role, reasons: reasonsOf(legend, part.inputs.mask), drawn: drawArithmetic(made, { choose, hover, label }) };
      if (values.size) paint();
      else now.drawn.relabel();
      return { group: now.drawn.group, stops: now.drawn.stops, width: made.width, height: made.height, corner: false, over: OVER, under: under(room), inset: 0 };
    },
  };
}

const OVER = 40;

/** The height of the strip with the sum. @param {{width: number}} room */
function under({ width }) {
  return width < 700 ? 128 : 92;
}

/** The chosen places, as one text. @param {{place: number}[]} places */
function key(places) {
  return places.map((entry) => entry.place).join();
}
