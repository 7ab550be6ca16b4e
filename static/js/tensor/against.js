/** The step that a picture is compared with: its trace, which of its rows belong to which, and the differences that have been taken. */

import { ServerError, tensors } from "../core/api.js";
import { isSentences } from "../core/axes.js";
import { allNew, differenceOf, rowsThere } from "./difference.js";
import { indexText } from "./tiles.js";

/**
 * @typedef {import("./context.js").Context} Context @typedef {import("../core/types.js").Record_} Record_
 * @typedef {import("./difference.js").Difference} Difference @typedef {import("./tiles.js").Run} Run @typedef {import("../core/types.js").Values} Values
 *
 * @typedef {object} Against
 * @property {number} step
 * @property {string} trace
 * @property {Record_ | null} record   the tensor there
 * @property {(number | null)[]} rows   for each row its row there
 * @property {Map<string, Difference>} tiles   by the slice that was asked for
 * @property {import("./tally.js").Tally | null} tally   what was counted last
 */

/**
 * @param {Context} context
 * @param {import("../core/store.js").State} state
 * @param {import("../core/actions.js").Actions} actions
 * @returns {Promise<Against | null>} null where nothing is compared, or where there is no such step
 */
export async function againstOf({ record: { name } }, { decoding, step, compare }, actions) {
  if (!decoding || step === null || compare === null || compare === step) return null;
  try {
    const [here, there] = await Promise.all([actions.stepAt(step), actions.stepAt(compare)]);
    const { id, records } = await actions.traceAt(there.trace);
    return { step: compare, trace: id, record: records.find((one) => one.name === name) ?? null, rows: rowsThere(here.rows, there.rows), tiles: new Map(), tally: null };
  } catch (error) {
    if (error instanceof ServerError) return null;
    throw error;
  }
}

/**
 * Take the difference over one slice of the picture, once its own values are there.
 * @param {Context} context
 * @param {Against} against
 * @param {{names: string[], index: string, rows: Run | null, columns: Run | null}} wanted   `names`: all that is fetched of a step, so that what was fetched when it was on screen serves again
 * @param {Promise<Values[]>} own
 */
export async function subtract({ record, layout, places, alone }, against, { names, index, rows, columns }, own) {
  const there = against.record;
  const sentences = record.over.findIndex(isSentences);
  const row = layout.tabs.includes(sentences) ? against.rows[places[sentences]] : 0;
  const [own_, other] = await Promise.all([own, there && row !== null ? partThere() : null]);
  against.tiles.set(index, other ? differenceOf(own_[0], other, against.rows) : allNew(own_[0]));

  async function partThere() {
    const shape = /** @type {Record_} */ (there).shape;
    const inside = (/** @type {Run | null} */ run, /** @type {number | null} */ axis) => (run && axis !== null ? { ...run, stop: Math.min(run.stop, shape[axis]) } : run);
    const runs = { rows: inside(rows, layout.row), columns: inside(columns, layout.column) };
    if ([runs.rows, runs.columns].some((run) => run && run.start >= run.stop)) return null;
    const text = indexText(/** @type {Record_} */ (there), layout, { places: places.map((place, i) => (i === sentences ? row ?? 0 : place)), alone, ...runs });
    const [values] = await tensors(against.trace, names, { index: text, aside: true });
    return values;
  }
}
