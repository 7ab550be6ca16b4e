/** What comes on screen first: what the link says, else the worked example. Where that fails, it can be tried again. */

import { readAddress } from "./address.js";
import { json } from "./api.js";
import { draftAt, keepDraft, NOWHERE } from "./drafts.js";
import { followTo, stayTo } from "./history.js";

/**
 * @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State @typedef {import("./types.js").Recipe} Recipe
 * @typedef {(work: () => Promise<Partial<State>>, show: (patch: Partial<State>) => void) => Promise<boolean>} Attempt
 * @typedef {(otherwise: string, place: import("./address.js").Place) => Promise<Partial<State>>} PlaceOnScreen
 * @typedef {{open: () => Promise<boolean>, isOpen: () => boolean}} Opening   until it is open there is nothing to run
 */

const EXAMPLE = readAddress({ pathname: "/", search: "" });

/**
 * @param {Store} store
 * @param {Attempt} attempt
 * @param {PlaceOnScreen} placeOnScreen
 * @returns {Opening}
 */
export function createOpening(store, attempt, placeOnScreen) {
  /** @type {Promise<boolean> | null} */
  let opening = null;

  async function begin() {
    const place = readAddress(location);
    if (!place.trace) restore(store);
    const shown = await attempt(async () => {
      const { models } = await json("/api/models");
      store.set({ models });
      return placeOnScreen(models[0].id, place);
    }, (patch) => followTo(store, patch));
    const { problem, trace, models } = store.get();
    if (shown || trace || !place.trace || models.length === 0) return shown;
    if (await attempt(() => placeOnScreen(models[0].id, EXAMPLE), (patch) => stayTo(store, patch))) store.set({ problem: problem && refusal(problem) });
    return false;
  }

  async function open() {
    const opened = await begin();
    if (store.get().trace) keepDraft(NOWHERE, null);
    void askMost(store);
    return opened;
  }

  return {
    open() {
      opening ??= open().finally(() => { opening = null; });
      return opening;
    },
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

/** @param {import("./types.js").Problem} problem */
function refusal({ code, message, status }) {
  return { code, status, where: "", message: `This link cannot be opened here: ${message.replace(/[.;]?$/, ".")} Below is the worked example.` };
}
