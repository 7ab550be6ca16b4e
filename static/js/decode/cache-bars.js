/** Multiplications with the cache and without it, as bars. */

import { el } from "../core/dom.js";
import { count } from "../core/format.js";

/**
 * @param {Pick<import("./cache.js").Saving, "step" | "full" | "cached" | "full_total" | "cached_total">} saving
 * @returns {HTMLElement[]}
 */
export function bars({ step, full, cached, full_total: fullTotal, cached_total: cachedTotal }) {
  const steps = step === 0 ? "step 1" : `steps 1 to ${step + 1}`;
  return [pair(`Multiplications in step ${step + 1}`, full, cached), pair(`In ${steps} together`, fullTotal, cachedTotal)];
}

/**
 * How many times fewer, in words.
 * @param {number} full
 * @param {number} cached
 */
export function fewer(full, cached) {
  const times = full / cached;
  if (!Number.isFinite(times)) return "";
  if (times.toFixed(1) === "1.0") return "as many";
  return times > 1 ? `${times.toFixed(1)} times fewer` : `${(1 / times).toFixed(1)} times as many`;
}

/** @param {string} title @param {number} full @param {number} cached */
function pair(title, full, cached) {
  const most = Math.max(full, cached, 1);
  return el("section", { class: "cache-pair", "aria-label": title }, el("h3", {}, title, el("b", { class: "cache-ratio", text: fewer(full, cached) })),
    bar("whole prefix", full, most, "whole"), bar("new token alone", cached, most, "alone"));
}

/** @param {string} name @param {number} value @param {number} most @param {string} kind */
function bar(name, value, most, kind) {
  return el("div", { class: `cache-bar ${kind}` }, el("span", { text: name }), el("span", { class: "cache-room", "aria-hidden": "true" }, el("span", { class: "cache-fill", vars: { "--share": value / most } })),
    el("span", { class: "mono", text: count(value) }));
}
