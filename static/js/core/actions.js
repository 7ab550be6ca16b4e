/** What a person can do that needs the server. Each action leaves the page as it was when it fails, and says why. */

import { readAddress } from "./address.js";
import { json, ServerError } from "./api.js";
import { createCheckpoints, sameModel } from "./checkpoints.js";
import { draftAt, keepDraft, NOWHERE } from "./drafts.js";
import { passTo } from "./history.js";
import { createLookups, noStep } from "./lookups.js";
import { listen } from "./live.js";
import { createOpening, typedOver } from "./opening.js";
import { rowAt, toRow } from "./prefixes.js";
import { fitted, sentencesOf } from "./recipes.js";
import { sentenceAxis, sentenceOf } from "./sentences.js";
import { named } from "./trail.js";
import { askedOf, wayOf } from "./way.js";

export { keepAddress } from "./history.js";

/**
 * @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State @typedef {import("./types.js").Recipe} Recipe
 * @typedef {import("./types.js").Step} Step
 */

/**
 * @typedef {object} Actions
 * @property {() => Promise<void>} start          load the models and whatever the address says, else the first example
 * @property {() => Promise<boolean>} open   once more what the address says
 * @property {() => Promise<void>} example   the worked example, in place of a link that could not be opened
 * @property {(input?: Recipe) => Promise<boolean>} run   run the sentences as a whole, with their targets; false when it failed
 * @property {(model: string) => Promise<void>} chooseModel   switch to a model: to what was last typed for it, else its first example
 * @property {(input?: Recipe) => Promise<boolean>} startDecoding  begin at step 0 of a decoding of the sentences, in the chosen way
 * @property {(step: number, passing?: boolean) => Promise<boolean>} goToStep   show a step; false when there is none. `passing`: one of many on the way
 * @property {() => Promise<void>} leaveDecoding  back to the whole target
 * @property {(step: number) => Promise<Step>} stepAt   what happened at a step, from memory where it is known
 * @property {(model: string) => Promise<boolean>} showCheckpoint   the sentences on screen through another checkpoint of the model; quietly, false when it did not come about
 * @property {(id: string) => Promise<import("./types.js").Trace>} traceAt   a trace, from memory where it is known
 * @property {() => Promise<import("./types.js").Strategy[]>} strategies   the ways of choosing the next token
 * @property {(on: {step: (step: Step) => void, end: () => void, lost: () => void}) => () => void} follow   hear of the steps as they are computed
 */

/**
 * @param {Store} store
 * @returns {Actions}
 */
export function createActions(store) {
  const { modelOf, traceAt, makeTrace, decodingAt, stepOf, holdStep, strategies, lookAhead } = createLookups();
  /** @type {Map<string, Recipe>} what was last typed for each model */
  const typed = new Map();
  let turn = 0;
  /** @type {{text: string, done: Promise<boolean>, trace: string | null} | null} the last run: asking for it again is asking once */
  let running = null;

  /**
   * Run one action: the newest one wins, an error is shown and changes nothing else.
   * @param {() => Promise<Partial<State>>} work
   * @param {(patch: Partial<State>) => void} [show]
   * @param {Recipe | null} [sent] what is run by it
   * @param {(problem: import("./types.js").Problem) => Partial<State>} [fail] what else there is when it fails
   * @returns {Promise<boolean>}
   */
  async function attempt(work, show = store.set, sent = null, fail = (problem) => ({ problem })) {
    const mine = ++turn;
    store.set({ phase: "running", sent });
    try {
      const patch = await work();
      if (mine !== turn) return false;
      show({ phase: "idle", sent: null, problem: null, unopened: null, ...patch });
      return true;
    } catch (error) {
      if (mine !== turn) return false;
      const problem = error instanceof ServerError ? error.problem : null;
      store.set({ phase: "idle", sent: null, ...(problem ? fail(problem) : { problem }) });
      if (!problem) throw error;
      return false;
    }
  }

  /** @param {Recipe} recipe */
  async function traceOf(recipe) {
    const [trace, model] = await Promise.all([makeTrace(recipe), sameLegend(recipe) ?? modelOf(recipe)]);
    const { trace: before } = store.get();
    return { ...fitted(trace, model, toRow(store.get(), before, sentenceOf(before, rowShown()))), decoding: null, step: null, compare: null, panel: panelOf(false) };
  }

  /** Checkpoints of one training differ in nothing but their weights. @param {Recipe} recipe */
  function sameLegend(recipe) {
    const { trace, model } = store.get();
    const same = trace && sameModel(trace.model, recipe.model) && JSON.stringify(trace.recipe.options) === JSON.stringify(recipe.options);
    return same ? model : null;
  }

  /** The panel that stays open: decoding and training have panels of their own. @param {boolean} decodes */
  function panelOf(decodes) {
    const { decoding, panel } = store.get();
    return (decoding !== null) === decodes ? panel : null;
  }

  /** Whether a trace is on screen just as a run shows it. @param {string | null} id @param {Recipe} input */
  function isShown(id, { model }) {
    const { trace, decoding, problem } = store.get();
    return trace?.id === id && trace?.model === model && decoding === null && problem === null;
  }

  function rowShown() {
    const { trace, index } = store.get();
    return index[sentenceAxis(trace)[0]] ?? 0;
  }

  /** @param {string} model @returns {Promise<Recipe>} */
  async function exampleOf(model) {
    const [{ src, tgt }] = (await modelOf({ model })).examples;
    return { model, src, tgt };
  }

  /** @param {string} model @returns {Promise<Recipe>} */
  async function inputFor(model) {
    return typed.get(model) ?? exampleOf(model);
  }

  /** Run what is not in the bar yet. @param {() => Promise<Recipe>} found */
  async function show(found) {
    await attempt(async () => {
      const input = await found();
      return { input, ...(await traceOf(input)) };
    });
  }

  /** Where drafts are kept of what is typed now. */
  function placeNow() {
    const { trace, unopened } = store.get();
    return trace?.id ?? unopened?.id ?? NOWHERE;
  }

  /** Forget the draft that a run has made real. @param {string} place @param {boolean} ran */
  function settle(place, ran) {
    if (ran) keepDraft(place, null);
    return ran;
  }

  const opening = createOpening(store, attempt, placeOnScreen, modelOf);
  const actions = {
    async start() {
      globalThis.addEventListener("popstate", () => void opening.follow());
      await opening.open();
    },

    open: () => opening.open(),

    async example() {
      await show(() => exampleOf(store.get().models[0].id));
    },

    /** @param {Recipe} [input] */
    async run(input = store.get().input) {
      if (!opening.isOpen()) return opening.open();
      const text = JSON.stringify(input);
      if (running?.text === text && (store.get().phase === "running" || isShown(running.trace, input))) return running.done;
      const place = placeNow();
      store.set({ input });
      const mine = { text, trace: /** @type {string | null} */ (null), done: attempt(() => traceOf(input), store.set, input).then((ran) => settle(place, ran)) };
      running = mine;
      mine.done.then((ran) => { if (ran) mine.trace = store.get().trace?.id ?? null; }, () => null);
      return mine.done;
    },

    /** @param {string} model */
    async chooseModel(model) {
      const { unopened, input } = store.get();
      await show(async () => (unopened?.asked ? { ...input, model } : inputFor(model)));
    },

    /** @param {Recipe} [input] */
    async startDecoding(input = store.get().input) {
      if (!opening.isOpen()) return opening.open();
      const place = placeNow();
      const recipe = fromSource(input);
      store.set({ input });
      return settle(place, await attempt(async () => {
        const decoding = await json("/api/decodings", { body: { ...recipe, ...askedOf(store.get().way) } });
        const first = await stepOf(decoding.id, 0);
        const [trace, model] = await Promise.all([traceAt(first.trace), modelOf(recipe)]);
        void lookAhead(decoding.id, first);
        const { trace: before } = store.get();
        return { ...fitted(trace, model, toRow(store.get(), before, sentenceOf(before, rowShown()))), decoding, step: 0, panel: panelOf(true), way: wayOf(decoding, store.get().way) };
      }, store.set, input));
    },

    /** @param {number} step @param {boolean} [passing] */
    async goToStep(step, passing = false) {
      const { decoding, step: from } = store.get();
      if (!decoding || from === null || step < 0) return false;
      const shown = await attempt(async () => {
        const found = await stepOf(decoding.id, step).catch(noStep);
        if (!found) return {};
        const [trace, model, before] = await Promise.all([traceAt(found.trace), modelOf(found.recipe), stepOf(decoding.id, from)]);
        setTimeout(() => void lookAhead(decoding.id, found));
        return { ...fitted(trace, model, toRow(store.get(), store.get().trace, rowAt(before, found, rowShown()))), step };
      }, passing ? (patch) => passTo(store, patch) : store.set);
      return shown && store.get().step === step;
    },

    async leaveDecoding() {
      await actions.run();
    },

    /** @param {number} step */
    stepAt: (step) => stepOf(store.get().decoding?.id ?? "", step),

    showCheckpoint: createCheckpoints(store, traceOf),

    traceAt,

    strategies,

    /** @param {{step: (step: Step) => void, end: () => void, lost: () => void}} on */
    follow(on) {
      const id = store.get().decoding?.id ?? "";
      return listen(id, { ...on, step: (step) => { holdStep(id, step); on.step(step); } });
    },
  };

  /**
   * What the address says, ready to be shown.
   * @param {string} [otherwise] the model to show where the address names nothing
   * @param {import("./address.js").Place} [place]
   * @returns {Promise<Partial<State>>}
   */
  async function placeOnScreen(otherwise = store.get().models[0]?.id, place = readAddress(location)) {
    const { trace: id, decoding: decodingId, step, ...view } = place;
    if (!id) {
      const input = store.get().trace ? await inputFor(otherwise) : await exampleOf(otherwise);
      const shown = await traceOf(input);
      return { input: asTyped(input), of: view.of, ancestry: view.ancestry, sizesOf: view.sizesOf, ...shown, panel: view.panel };
    }
    const found = decodingId && step !== null ? await stepOf(decodingId, step) : null;
    const [trace, decoding] = await Promise.all([traceAt(found?.trace ?? id), found ? decodingAt(/** @type {string} */ (decodingId)) : null]);
    const model = await modelOf(trace.recipe);
    const texts = found?.rows.map(({ text }) => text);
    const { input, trace: before } = store.get();
    return {
      ...fitted(trace, model, view), trail: named(trace, view.trail), of: view.of, ancestry: view.ancestry, sizesOf: view.sizesOf, decoding, step: found ? step : null, ...(decoding ? { way: wayOf(decoding, store.get().way) } : {}), compare: found ? view.compare : null, panel: view.panel,
      input: before?.id === trace.id ? input : asTyped(draftAt(trace.id) ?? sentencesOf(trace, model, input, texts)),
    };
  }

  /** What was typed while the first trace was on its way stays. @param {Recipe} shown */
  function asTyped(shown) {
    const { trace, unopened, input } = store.get();
    return trace || unopened ? shown : typedOver(input, shown);
  }

  store.subscribe(["input"], ({ input, trace, unopened }) => {
    if (trace) typed.set(input.model, input);
    if (trace?.recipe !== input && unopened?.input !== input) keepDraft(placeNow(), input);
  });

  return actions;
}

/**
 * What a decoding starts from: the source alone, and never with dropout.
 * @param {Recipe} input
 * @returns {Recipe}
 */
function fromSource({ tgt, prefix, rows, options = {}, ...recipe }) {
  const { mode, ...others } = options;
  return Object.keys(others).length ? { ...recipe, options: others } : recipe;
}
