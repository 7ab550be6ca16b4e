/** The only module that knows addresses: every view is a link, and a link is a view. */

import { readSizes, writeSizes } from "./sizes.js";
import { numbered } from "./trail.js";

/** @typedef {import("./store.js").State} State */

/**
 * What an address says.
 * @typedef {object} Place
 * @property {string | null} trace
 * @property {string} at
 * @property {string | null} tensor
 * @property {number[] | null} cell
 * @property {import("./trail.js").Numbered[]} trail
 * @property {"value" | "gradient"} of
 * @property {Record<string, number>} index
 * @property {string | null} decoding
 * @property {number | null} step
 * @property {number | null} compare
 * @property {string | null} panel
 * @property {boolean} ancestry
 * @property {import("./sizes.js").Sizes | null} sizesOf
 */

/**
 * @param {{pathname: string, search: string}} location
 * @returns {Place}
 */
export function readAddress({ pathname, search }) {
  const query = new URLSearchParams(search);
  const trace = /^\/t\/([\w-]+)$/.exec(pathname)?.[1] ?? null;
  return {
    trace,
    at: query.get("at") ?? "",
    tensor: query.get("tensor"),
    cell: numbers(query.get("cell")),
    trail: hops(query.get("trail") ?? ""),
    of: query.get("of") === "gradient" ? "gradient" : "value",
    index: places(query.get("index") ?? ""),
    decoding: query.get("decoding"),
    step: numbers(query.get("step"))?.[0] ?? null,
    compare: numbers(query.get("compare"))?.[0] ?? null,
    panel: /^[a-z]{1,20}$/.exec(query.get("panel") ?? "")?.[0] ?? null,
    ancestry: query.get("ancestry") === "open",
    sizesOf: readSizes(query.get("sizes")),
  };
}

/**
 * @param {Pick<State, "trace" | "at" | "tensor" | "cell" | "trail" | "of" | "index" | "decoding" | "step" | "compare" | "panel" | "ancestry" | "sizesOf">} state
 * @returns {string}
 */
export function writeAddress(state) {
  const query = new URLSearchParams();
  if (state.at) query.set("at", state.at);
  if (state.tensor) query.set("tensor", state.tensor);
  if (state.cell?.length) query.set("cell", state.cell.join(","));
  if (state.trace && state.trail.length) query.set("trail", numbered(state.trace, state.trail).map(({ at, cell, of }) => `${of === "gradient" ? "g" : ""}${at}:${cell.join(".")}`).join(","));
  if (state.of === "gradient") query.set("of", "gradient");
  const index = Object.entries(state.index).map(([axis, place]) => `${axis}:${place}`);
  if (index.length) query.set("index", index.join(","));
  if (state.decoding) query.set("decoding", state.decoding.id);
  if (state.decoding && state.step !== null) query.set("step", String(state.step));
  if (state.decoding && state.compare !== null) query.set("compare", String(state.compare));
  if (state.panel) query.set("panel", state.panel);
  if (state.ancestry && state.cell) query.set("ancestry", "open");
  const sizes = writeSizes(state.sizesOf);
  if (sizes) query.set("sizes", sizes);
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return (state.trace ? `/t/${state.trace.id}` : "/") + (text ? `?${text}` : "");
}

/** @param {string | null} text */
function numbers(text) {
  return text && /^\d{1,7}(,\d{1,7})*$/.test(text) ? text.split(",").map(Number) : null;
}

/** @param {string} text @returns {import("./trail.js").Numbered[]} all of them or none: a trail has no gaps */
function hops(text) {
  if (!/^(g?\d{1,5}:(\d{1,7}(\.\d{1,7})*)?(,|$))+$/.test(text)) return [];
  return text.split(",").map((part) => part.split(":")).map(([at, cell]) => ({
    at: Number(at.replace("g", "")), cell: cell ? cell.split(".").map(Number) : [], ...(at.startsWith("g") ? { of: /** @type {const} */ ("gradient") } : {}),
  }));
}

/** @param {string} text */
function places(text) {
  const pairs = text.split(",").map((part) => /^(\w+):(\d{1,7})$/.exec(part)).filter((match) => match !== null);
  return Object.fromEntries(pairs.map((match) => [match[1], Number(match[2])]));
}
