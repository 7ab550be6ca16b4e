/** What comes on screen first, and on going back: what the address says. A link that cannot be opened is drawn as nothing else: the page says why, and what it asked for. */

import { readAddress } from "./address.js";
import { json } from "./api.js";
import { draftAt, keepDraft, NOWHERE } from "./drafts.js";
import { followTo } from "./history.js";
import { unopened } from "./unopened.js";

/**
 * @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State @typedef {import("./types.js").Recipe} Recipe
 * @typedef {import("./types.js").Problem} Problem @typedef {import("./lookups.js").Lookups} Lookups
 * @typedef {(work: () => Promise<Partial<State>>, show: (patch: Partial<State>) => void, sent: null, fail: (problem: Problem) => Partial<State>) => Promise<boolean>} Attempt
 * @typedef {(otherwise: string, place: import("./address.js").Place) => Promise<Partial<State>>} PlaceOnScreen
 * @typedef {{open: () => Promise<boolean>, follow: () => Promise<boolean>, isOpen: () => boolean}} Opening   until it is open there is nothing to run
 */

/**
 * @param {Store} store
 * @param {Attempt} attempt
 * @param {PlaceOnScreen} placeOnScreen
 * @param {Lookups["modelOf"]} modelOf
 * @returns {Opening}
 */
export function createOpening(store, attempt, placeOnScreen, modelOf) {
  /** @type {Promise<boolean> | null} */
  let opening = null;

  async function follow() {
    const place = readAddress(location);
    const shown = await attempt(async () => {
      const models = await known();
      return placeOnScreen(models[0].id, place);
    }, (patch) => followTo(store, patch), null, (problem) => refused(store.get(), place.trace, problem));
    if (store.get().unopened) void legend();
    return shown;
  }

  async function known() {
    if (!store.get().models.length) {
      const { models } = await json("/api/models");
      store.set({ models });
    }
    return store.get().models;
  }

  /** The examples and settings of the model in the bar, while nothing is drawn. */
  async function legend() {
    const { input } = store.get();
    const model = await modelOf({ model: input.model }).catch(() => null);
    if (model && store.get().unopened && store.get().input.model === model.id) store.set({ model });
  }

  async function open() {
    if (!readAddress(location).trace) restore(store);
    const opened = await follow();
    if (store.get().trace) keepDraft(NOWHERE, null);
    void askMost(store);
    return opened;
  }

  return {
    open() {
      opening ??= open().finally(() => { opening = null; });
      return opening;
    },
    follow,
    isOpen() {
      const { trace, models, input } = store.get();
      return trace !== null || (opening === null && models.length > 0 && input.src.length > 0 && input.tgt?.length === input.src.length);
    },
  };
}

/**
 * The sentences on screen under those that were typed before they came.
 * @param {Recipe} typed
 * @param {Recipe} shown
 * @returns {Recipe}
 */
export function typedOver(typed, shown) {
  if (![...typed.src, ...(typed.tgt ?? [])].some(Boolean)) return shown;
  const length = Math.max(typed.src.length, typed.tgt?.length ?? 0, shown.src.length);
  const over = (/** @type {"src" | "tgt"} */ side) => Array.from({ length }, (_, place) => typed[side]?.[place] || shown[side]?.[place] || "");
  return { ...shown, src: over("src"), tgt: over("tgt") };
}

/**
 * Nothing is drawn under the address of a link that cannot be opened; what it asked for, and what was typed there, stays.
 * @param {State} state
 * @param {string | null} id
 * @param {Problem} problem
 * @returns {Partial<State>}
 */
function refused(state, id, problem) {
  if (id === null || state.models.length === 0) return { problem };
  const nothing = { trace: null, decoding: null, step: null, compare: null, panel: null, tensor: null, cell: null, at: "", index: {}, sizesOf: null };
  const link = unopened(id, problem, state.models);
  if (state.unopened?.id === id) return { problem: null, unopened: { ...link, input: state.unopened.input } };
  const meanwhile = state.trace ? link.input : typedOver(state.input, link.input);
  return { ...nothing, problem: null, unopened: link, input: draftAt(id) ?? (meanwhile === link.input ? link.input : { ...meanwhile, model: link.input.model }) };
}

/** What was typed the last time before anything was on screen. @param {Store} store */
function restore(store) {
  const draft = draftAt(NOWHERE);
  if (draft) store.set({ input: { ...store.get().input, src: draft.src, tgt: draft.tgt ?? [] } });
}

/** How many sentences this server runs at once. @param {Store} store */
async function askMost(store) {
  const limits = await json("/api/limits", { quiet: true }).catch(() => null);
  if (limits?.max_batch) store.set({ most: limits.max_batch });
}
