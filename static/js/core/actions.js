/** What a person can do that needs the server. Each action leaves the page as it was when it fails, and says why. */

import { json, ServerError } from "./api.js";
import { readAddress, writeAddress } from "./address.js";

/** @typedef {import("./store.js").Store} Store @typedef {import("./types.js").Recipe} Recipe @typedef {import("./types.js").Step} Step */

/**
 * @typedef {object} Actions
 * @property {() => Promise<void>} start          load the models and whatever the address says
 * @property {(input?: Recipe) => Promise<void>} run   run the sentences as a whole, with their targets
 * @property {(model: string) => Promise<void>} chooseModel   switch to a model and run its first example
 * @property {() => Promise<void>} startDecoding  begin at step 0 of a greedy decoding of the sentences
 * @property {(step: number) => Promise<boolean>} goToStep   show a step; false when there is none
 * @property {() => Promise<void>} leaveDecoding  back to the whole target
 * @property {(step: number) => Promise<Step>} stepAt   what happened at a step, from memory where it is known
 */

/**
 * @param {Store} store
 * @returns {Actions}
 */
export function createActions(store) {
  /** @type {Map<string, Promise<any>>} answers that cannot change: models, traces, steps */
  const kept = new Map();
  let turn = 0;

  /** @param {string} address @returns {Promise<any>} */
  function once(address) {
    const known = kept.get(address);
    if (known) return known;
    const asked = json(address).catch((error) => {
      kept.delete(address);
      throw error;
    });
    kept.set(address, asked);
    if (kept.size > 300) kept.delete(/** @type {string} */ (kept.keys().next().value));
    return asked;
  }

  /** @param {Recipe} recipe */
  function modelOf(recipe) {
    const options = Object.fromEntries(Object.entries(recipe.options ?? {}).filter(([name]) => name !== "mode"));
    const query = Object.keys(options).length ? `?options=${encodeURIComponent(JSON.stringify(options))}` : "";
    return once(`/api/models/${encodeURIComponent(recipe.model)}${query}`);
  }

  /**
   * Run one action: the newest one wins, an error is shown and changes nothing else.
   * @param {() => Promise<Partial<import("./store.js").State>>} work
   */
  async function attempt(work) {
    const mine = ++turn;
    store.set({ phase: "running" });
    try {
      const patch = await work();
      if (mine === turn) store.set({ phase: "idle", problem: null, ...patch });
      return mine === turn;
    } catch (error) {
      if (mine !== turn) return false;
      if (!(error instanceof ServerError)) throw error;
      store.set({ phase: error.problem.status === 0 ? "offline" : "idle", problem: error.problem });
      return false;
    }
  }

  /** @param {import("./types.js").Trace} trace @param {import("./types.js").Model} model */
  function fitted(trace, model) {
    const { at, tensor, index, cell } = store.get();
    const names = new Set(trace.records.map((record) => record.name));
    const blocks = new Set();
    const walk = (/** @type {import("./types.js").Part} */ part) => { blocks.add(part.name); part.parts.forEach(walk); };
    walk(model.tree);
    const kept = tensor && names.has(tensor) ? tensor : null;
    const shape = trace.records.find((record) => record.name === kept)?.shape ?? [];
    return {
      trace, model, at: blocks.has(at) ? at : "", tensor: kept,
      cell: kept && cell && cell.length === shape.length && cell.every((place, i) => place < shape[i]) ? cell : null,
      index: Object.fromEntries(Object.entries(index).filter(([axis, place]) => place < (trace.sizes[axis] ?? Infinity))),
    };
  }

  /** @param {Recipe} recipe */
  async function traceOf(recipe) {
    const [trace, model] = await Promise.all([json("/api/traces", { body: recipe }), modelOf(recipe)]);
    kept.set(`/api/traces/${trace.id}`, Promise.resolve(trace));
    return fitted(trace, model);
  }

  /** @param {Recipe} recipe @returns {Recipe} */
  function sentencesOf(recipe) {
    const { prefix, ...rest } = recipe;
    return { ...rest, tgt: recipe.tgt ?? store.get().input.tgt ?? [] };
  }

  /** @param {number} step @returns {Promise<Step>} */
  async function stepAt(step) {
    const { decoding } = store.get();
    return once(`/api/decodings/${decoding?.id}/steps/${step}`);
  }

  const actions = {
    async start() {
      await attempt(async () => ({ models: (await json("/api/models")).models }));
      await follow();
      globalThis.addEventListener("popstate", () => void follow());
    },

    /** @param {Recipe} [input] */
    async run(input = store.get().input) {
      store.set({ input });
      await attempt(async () => ({ ...(await traceOf(input)), decoding: null, step: null }));
    },

    /** @param {string} model */
    async chooseModel(model) {
      await attempt(async () => {
        const [example] = (await once(`/api/models/${encodeURIComponent(model)}`)).examples;
        const input = { model, src: example.src, tgt: example.tgt };
        return { input, ...(await traceOf(input)), decoding: null, step: null };
      });
    },

    async startDecoding() {
      const { tgt, ...recipe } = store.get().input;
      await attempt(async () => {
        const decoding = await json("/api/decodings", { body: recipe });
        const first = await once(`/api/decodings/${decoding.id}/steps/0`);
        const [trace, model] = await Promise.all([once(`/api/traces/${first.trace}`), modelOf(recipe)]);
        return { ...fitted(trace, model), decoding, step: 0 };
      });
    },

    /** @param {number} step */
    async goToStep(step) {
      return attempt(async () => {
        const found = await stepAt(step);
        const [trace, model] = await Promise.all([once(`/api/traces/${found.trace}`), modelOf(found.recipe)]);
        return { ...fitted(trace, model), step };
      });
    },

    async leaveDecoding() {
      await actions.run();
    },

    stepAt,
  };

  /** Show what the address says. */
  async function follow() {
    const place = readAddress(location);
    const view = { at: place.at, tensor: place.tensor, cell: place.cell, index: place.index, paperSizes: place.paperSizes };
    if (!place.trace) {
      const remembered = recall();
      await attempt(async () => {
        const input = remembered ?? (await firstInput());
        store.set({ ...view, input });
        return { ...(await traceOf(input)), decoding: null, step: null };
      });
      if (!store.get().trace && remembered) await actions.chooseModel("tiny");
      if (remembered) store.set({ input: remembered });
      return;
    }
    if (place.trace === store.get().trace?.id && (place.decoding ?? null) === (store.get().decoding?.id ?? null)) {
      store.set({ ...view, step: place.decoding ? place.step : null });
      return;
    }
    await attempt(async () => {
      const trace = await once(`/api/traces/${place.trace}`);
      const model = await modelOf(trace.recipe);
      const decoding = place.decoding ? await once(`/api/decodings/${place.decoding}`) : null;
      store.set({ ...view, input: sentencesOf(trace.recipe) });
      return { ...fitted(trace, model), decoding, step: decoding ? place.step : null };
    });
  }

  async function firstInput() {
    const [example] = (await once("/api/models/tiny")).examples;
    return { model: "tiny", src: example.src, tgt: example.tgt };
  }

  return actions;
}

/**
 * Keep the address in step with the store: going somewhere makes an entry in the browser's history, stepping replaces it.
 * @param {Store} store
 */
export function keepAddress(store) {
  /** @type {(keyof import("./store.js").State)[]} */
  const places = ["trace", "at", "tensor", "decoding", "paperSizes"];
  store.subscribe([...places, "cell", "index", "step"], (state, changed) => {
    if (!state.trace) return;
    const address = writeAddress(state);
    if (address === location.pathname + location.search) return;
    const newPlace = places.some((field) => changed.has(field)) && !(state.decoding && changed.has("step"));
    if (newPlace && location.pathname !== "/") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  });
  store.subscribe(["input"], (state) => remember(state.input));
}

const STORED = "glassformer.input";

/** @param {Recipe} input */
function remember(input) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(input));
  } catch {
    // a browser that stores nothing still has the address
  }
}

/** @returns {Recipe | null} */
function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "null");
  } catch {
    return null;
  }
}
