/** What the server knows and what cannot change: models, traces, steps of a decoding. */

import { createAnswers } from "./answers.js";
import { fetchLike, json, ServerError } from "./api.js";

/**
 * @typedef {import("./types.js").Recipe} Recipe @typedef {import("./types.js").Step} Step @typedef {import("./types.js").Trace} Trace
 * @typedef {import("./types.js").Model} Model @typedef {import("./types.js").Decoding} Decoding
 *
 * @typedef {object} Lookups
 * @property {(recipe: Pick<Recipe, "model" | "options">) => Promise<Model>} modelOf
 * @property {(id: string, quiet?: boolean) => Promise<Trace>} traceAt   `quiet`: nobody waits for it yet
 * @property {(recipe: Recipe) => Promise<Trace>} makeTrace
 * @property {(id: string) => Promise<Decoding>} decodingAt
 * @property {() => Promise<import("./types.js").Strategy[]>} strategies
 * @property {(decoding: string, step: number, quiet?: boolean) => Promise<Step>} stepOf
 * @property {(decoding: string, step: Step) => void} holdStep   a step that came by itself
 * @property {(decoding: string, shown: Step) => Promise<void>} lookAhead   ask for the next step before it is wanted
 */

/** @returns {Lookups} */
export function createLookups() {
  const { once, hold } = createAnswers();

  const lookups = {
    /** @param {Pick<Recipe, "model" | "options">} recipe */
    modelOf({ model, options }) {
      const changed = Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => name !== "mode"));
      const query = Object.keys(changed).length ? `?options=${encodeURIComponent(JSON.stringify(changed))}` : "";
      return once(`/api/models/${encodeURIComponent(model)}${query}`);
    },

    traceAt: (/** @type {string} */ id, quiet = false) => once(`/api/traces/${id}`, quiet),

    /** @param {Recipe} recipe */
    async makeTrace(recipe) {
      const trace = await json("/api/traces", { body: recipe });
      hold(`/api/traces/${trace.id}`, trace);
      return trace;
    },

    decodingAt: (/** @type {string} */ id) => once(`/api/decodings/${id}`),

    strategies: () => once("/api/decodings/strategies"),

    /** @param {string} decoding @param {Step} step */
    holdStep: (decoding, step) => hold(`/api/decodings/${decoding}/steps/${step.step}`, step),

    stepOf: (/** @type {string} */ decoding, /** @type {number} */ step, quiet = false) => once(`/api/decodings/${decoding}/steps/${step}`, quiet),

    /** @param {string} decoding @param {Step} shown */
    async lookAhead(decoding, shown) {
      if (shown.finished) return;
      try {
        const next = await lookups.stepOf(decoding, shown.step + 1, true);
        await lookups.traceAt(next.trace, true);
        await fetchLike(shown.trace, next.trace);
      } catch {
        // it will be asked for again, and said then, when someone goes there
      }
    },
  };
  return lookups;
}

/**
 * Going past the end of a decoding is no mistake: there is just nothing there.
 * @param {unknown} error
 * @returns {null}
 */
export function noStep(error) {
  if (error instanceof ServerError && error.problem.code === "finished") return null;
  throw error;
}
