/** How the next token is chosen: the strategy, its settings as typed, and whether keys and values are kept. Pure. */

/**
 * @typedef {import("./types.js").Decoding} Decoding
 *
 * `settings` holds, strategy by strategy, what differs from its defaults, so that going to another strategy and back loses nothing.
 * @typedef {{kind: string, settings: Record<string, Record<string, number | string>>, cache: boolean}} Way
 */

/** @type {Way} */
export const GREEDY = { kind: "greedy", settings: {}, cache: false };

/**
 * The part of a decoding's recipe that says how. What is at its default is left out.
 * @param {Way} way
 * @returns {{strategy?: Record<string, number | string>, cache?: boolean}}
 */
export function askedOf({ kind, settings, cache }) {
  const own = Object.entries(settings[kind] ?? {}).map(([name, value]) => [name, numberOr(value)]);
  return { ...(kind === GREEDY.kind ? {} : { strategy: { kind, ...Object.fromEntries(own) } }), ...(cache ? { cache } : {}) };
}

/**
 * The way a decoding goes; the settings of other strategies stay as they were.
 * @param {Pick<Decoding, "strategy" | "cache">} decoding
 * @param {Way} before
 * @returns {Way}
 */
export function wayOf({ strategy, cache }, before) {
  const { kind, ...settings } = strategy;
  return { kind, cache, settings: { ...before.settings, [kind]: settings } };
}

/**
 * A way in a few words: "beam of 4", "sampling, seed 3".
 * @param {Way} way
 * @param {{kind: string, title: string, settings: {name: string, value: number}[]}[]} strategies
 */
export function wayInWords({ kind, settings, cache }, strategies) {
  const strategy = strategies.find((each) => each.kind === kind);
  const at = (/** @type {string} */ name) => settings[kind]?.[name] ?? strategy?.settings.find((setting) => setting.name === name)?.value;
  const title = strategy?.title ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const [width, seed] = [at("width"), at("seed")];
  return [width === undefined ? title : `${title} of ${width}`, seed === undefined ? "" : `, seed ${seed}`, cache ? " + cache" : ""].join("");
}

/** What is no number goes as it was typed, and the server says what is wrong with it. @param {number | string} value */
function numberOr(value) {
  const number = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
  return Number.isFinite(number) ? number : String(value);
}
