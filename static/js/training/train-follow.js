/** The page follows a training: the sentences on screen, through its newest checkpoint, about once a second. Going elsewhere ends it. */

import { runOf } from "../core/checkpoints.js";
import { recall, retain } from "../core/kept.js";
import { allowed } from "./train-words.js";

/**
 * @typedef {import("./train-types.js").Run} Run
 * @typedef {{following: () => string | null, follow: (run: Run | null) => void, news: (run: Run) => void, goTo: (model: string) => Promise<void>}} Follow
 */

const STORED = "glassformer.follows";
const EVERY = 1000;

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @param {() => void} changed
 * @returns {Follow}
 */
export function createFollow(store, actions, changed) {
  /** @type {string | null} */
  let followed = recall(STORED);
  if (runOf(store.get().trace?.model) !== followed) followed = null;
  /** @type {string | null} the checkpoint that is wanted on screen */
  let wanted = null;
  let busy = false;
  let shown = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;

  /** @param {string | null} id */
  function set(id) {
    if (id === followed) return;
    followed = id;
    retain(STORED, id);
    changed();
  }

  /** Bring the wanted checkpoint on screen; while one is on its way, only the newest of those that come meanwhile. */
  async function bring() {
    if (busy || wanted === null) return;
    const model = wanted;
    wanted = null;
    if (store.get().trace?.model === model || store.get().decoding || document.hidden && followed) return;
    busy = true;
    try {
      if (runOf(store.get().trace?.model) === runOf(model)) await actions.showCheckpoint(model);
      else await actions.chooseModel(model);
    } finally {
      busy = false;
      shown = Date.now();
      if (wanted !== null) soon();
    }
  }

  function soon() {
    clearTimeout(later);
    later = setTimeout(() => void bring(), followed ? Math.max(0, shown + EVERY - Date.now()) : 0);
  }

  store.subscribe(["trace"], ({ trace }) => { if (!busy && runOf(trace?.model) !== followed) set(null); });
  return {
    following: () => followed,
    follow(run) {
      set(run?.id ?? null);
      if (run?.model) wanted = run.model;
      if (run) soon();
    },
    news(run) {
      if (run.id !== followed || !run.model) return;
      wanted = run.model;
      if (!allowed(run.state).live) set(null);
      soon();
    },
    async goTo(model) {
      set(null);
      wanted = model;
      await bring();
    },
  };
}
