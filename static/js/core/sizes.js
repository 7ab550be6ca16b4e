/** Other sizes than the run's: the paper's, or those that somebody is choosing. The server says what such a model has; nothing is run. */

import { json, ServerError } from "./api.js";

/**
 * @typedef {import("./store.js").Store} Store @typedef {import("./store.js").State} State @typedef {import("./types.js").Model} Model @typedef {import("./types.js").Recipe} Recipe
 * @typedef {"paper" | Record<string, number>} Sizes   the paper's base model, or some sizes of the run's own model
 * @typedef {import("./types.js").Problem & {instead: number[]}} Refused   why there is no such model, and what the size could be instead
 */

const PAPER = "paper-base";
/** What belongs to a run and not to a model. */
const OF_A_RUN = ["mode", "shift"];

/**
 * Keep in the store the model that has the chosen sizes: one question at a time, and the newest one is always asked.
 * @param {Store} store
 */
export function keepSizes(store) {
  let asking = false;

  async function follow() {
    const { trace, sizesOf } = store.get();
    if (sizesOf === null || asking || !trace) return;
    asking = true;
    const patch = await answer(sizesOf, store.get()).finally(() => { asking = false; });
    if (store.get().sizesOf !== null) store.set(patch);
    if (store.get().sizesOf !== sizesOf || store.get().trace !== trace) void follow();
  }

  store.subscribe(["sizesOf", "trace"], () => void follow());
}

/** @param {Sizes} sizes @param {State} state @returns {Promise<Partial<State>>} */
async function answer(sizes, { trace, model }) {
  const recipe = /** @type {Recipe} */ (trace?.recipe);
  try {
    return { other: await json(sizes === "paper" ? addressOf({ model: PAPER }) : addressOf(recipe, sizes)), refused: null };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (sizes === "paper" || error.problem.status === 0) return { sizesOf: null, problem: error.problem };
    return { refused: { ...error.problem, instead: model ? await insteadOf(error.problem.where, sizes, { recipe, model }) : [] } };
  }
}

/**
 * What the size that was refused could be instead: the stops that it has where it is as small as can be.
 * @param {string} where @param {Record<string, number>} sizes @param {{recipe: Recipe, model: Model}} of
 * @returns {Promise<number[]>}
 */
async function insteadOf(where, sizes, { recipe, model }) {
  const range = model.ranges.find(({ name }) => name === where);
  if (!range || sizes[where] === range.least) return [];
  /** @type {Model | null} */
  const smallest = await json(addressOf(recipe, { ...sizes, [where]: range.least })).catch(() => null);
  return smallest?.ranges.find(({ name }) => name === where)?.stops ?? [];
}

/** @param {Pick<Recipe, "model" | "options">} recipe @param {Record<string, number>} [sizes] */
function addressOf({ model, options }, sizes = {}) {
  const changed = Object.entries({ ...options, ...sizes }).filter(([name]) => !OF_A_RUN.includes(name));
  const query = changed.length ? `?options=${encodeURIComponent(JSON.stringify(Object.fromEntries(changed)))}` : "";
  return `/api/models/${encodeURIComponent(model)}${query}`;
}

/**
 * A change, made whole: sizes that are being chosen belong to one model, and a decoding has none. Pure.
 * @param {Pick<State, "sizesOf" | "model">} before
 * @param {Partial<State>} patch
 * @returns {Partial<State>}
 */
export function dropSizes(before, patch) {
  if (patch.sizesOf === null) return { ...patch, other: null, refused: null };
  if ("sizesOf" in patch || before.sizesOf === null || before.sizesOf === "paper") return patch;
  const leaves = patch.decoding || (patch.model && before.model && patch.model.id !== before.model.id);
  return leaves ? { ...patch, sizesOf: null, other: null, refused: null } : patch;
}

/**
 * The sizes after one more choice: those that differ from the run's; null when none does. Pure.
 * @param {Model} model of the run
 * @param {Record<string, number>} sizes
 * @returns {Record<string, number> | null}
 */
export function changed(model, sizes) {
  const others = Object.entries(sizes).filter(([name, size]) => model.config[name] !== size);
  return others.length ? Object.fromEntries(others) : null;
}

/** "paper", "d_model:16,n_heads:4": sizes as an address writes them. @param {Sizes | null} sizes */
export function writeSizes(sizes) {
  return sizes === null || sizes === "paper" ? sizes : Object.entries(sizes).map(([name, size]) => `${name}:${size}`).join(",");
}

/** @param {string | null} text @returns {Sizes | null} */
export function readSizes(text) {
  if (text === "paper") return text;
  if (!text || !/^(?:\w{1,20}:\d{1,6}(?:,(?!$)|$))+$/.test(text)) return null;
  return Object.fromEntries(text.split(",").map((part) => part.split(":")).map(([name, size]) => [name, Number(size)]));
}
