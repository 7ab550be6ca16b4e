/** A link that could not be opened: what it asked for, as far as its address can be read. Pure. */

/**
 * @typedef {import("./types.js").Recipe} Recipe @typedef {import("./types.js").Problem} Problem @typedef {import("./types.js").ModelSummary} ModelSummary
 * @typedef {Partial<Pick<Recipe, "model" | "options" | "seed">> & {src: string[], tgt: string[], whole: boolean}} Asked   `whole`: the address was not cut off
 *
 * `asked` is null where nothing can be read; `input` is what stands in the bar because of it.
 * @typedef {{id: string, problem: Problem, asked: Asked | null, input: Recipe}} Unopened
 */

/** More sentences than these are not put into the bar. */
const MOST = 32;

/**
 * What is on screen instead of a trace: nothing, and in the bar the sentences of the link.
 * @param {string} id
 * @param {Problem} problem
 * @param {ModelSummary[]} models
 * @returns {Unopened}
 */
export function unopened(id, problem, models) {
  const asked = askedBy(id);
  const src = asked?.src.slice(0, MOST) ?? [""];
  const model = models.find((each) => each.id === asked?.model && !each.too_large)?.id ?? models[0].id;
  return { id, problem, asked, input: { model, src, tgt: src.map((_, place) => asked?.tgt[place] ?? "") } };
}

/**
 * What a trace's id asks for. An id that was cut off still holds what stands before the cut.
 * @param {string} id
 * @returns {Asked | null} null where no sentence can be read
 */
export function askedBy(id) {
  const text = decoded(id);
  if (text === null) return null;
  const { model, options, seed, src, tgt, whole } = parsed(text);
  if (!src.length) return null;
  return { whole, src, tgt, ...(typeof model === "string" ? { model } : {}), ...(isPlain(options) ? { options } : {}), ...(typeof seed === "number" ? { seed } : {}) };
}

/** @param {string} id */
function decoded(id) {
  try {
    const letters = id.slice(0, id.length - (id.length % 4 === 1 ? 1 : 0)).replaceAll("-", "+").replaceAll("_", "/");
    return new TextDecoder().decode(Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** @param {string} text @returns {{model?: unknown, options?: unknown, seed?: unknown, src: string[], tgt: string[], whole: boolean}} */
function parsed(text) {
  try {
    const { model, options, seed, src, tgt } = JSON.parse(text);
    return { model, options, seed, src: sentences(src), tgt: sentences(tgt), whole: true };
  } catch {
    return { model: listed(text, "model")[0], src: listed(text, "src"), tgt: listed(text, "tgt"), whole: false };
  }
}

/** @param {unknown} value */
function sentences(value) {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The texts behind a name in JSON that was cut off; the last one may be cut off itself. @param {string} text @param {string} name @returns {string[]} */
function listed(text, name) {
  const from = text.indexOf(`"${name}":`);
  const each = /\[?"((?:\\.|[^"\\])*)(?:"|\\?$),?/y;
  each.lastIndex = from + name.length + 3;
  /** @type {string[]} */
  const found = [];
  for (let next = from < 0 ? null : each.exec(text); next !== null; next = each.exec(text)) found.push(unquoted(next[1]));
  return found;
}

/** @param {string} text as it stands between the quotes */
function unquoted(text) {
  try {
    return JSON.parse(`"${text.replace(/\\u[\da-f]{0,3}$|\ufffd$/i, "")}"`);
  } catch {
    return text;
  }
}

/** @param {unknown} value @returns {value is Record<string, any>} */
function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
