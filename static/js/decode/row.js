/** One row of a step: what the decoder was fed, what it chose, how sure it was, and why it stopped. */

import { el } from "../core/dom.js";
import { tokenChip, visible } from "../core/tokens.js";
import { ahead, ending, sofar, sureness } from "./words.js";

/** @typedef {import("../core/types.js").Row} Row */

/**
 * @param {Row} row
 * @param {number} step
 * @param {{kind: string, stopped: boolean, go: (step: number) => void}} about   `stopped`: a person pressed pause here
 * @returns {HTMLElement[]} the tokens, and the sentence about them
 */
export function written(row, step, { kind, stopped, go }) {
  const fed = row.prefix.map((token, place) => place === 0 ? tokenChip(token, "tgt", { id: false })
    : tokenChip(token, "tgt", { id: false, tag: "button", on: { click: () => go(place - 1) } }));
  const chips = el("div", { class: "chip-row fed", tabindex: 0, role: "group", "aria-label": "fed to the decoder, and the token it chose" }, ...fed, el("span", { class: "soft arrow", "aria-hidden": "true", text: "→" }), next(row));
  const end = ending(row, step) ?? (stopped ? `Stopped by hand at step ${step + 1}.` : null);
  return [chips, el("p", { class: "chosen-says" }, ...choice(row, kind), end && el("b", { class: "end", text: end }), row.done || !row.chosen ? null : el("span", { class: "soft", text: [ahead(row), sofar(row, kind)].filter(Boolean).join(" · ") }))];
}

/** @param {Row} row */
function next({ chosen, done }) {
  if (!chosen) return el("span", { class: "chip none", text: "†", title: "no continuation of this hypothesis is among the best", "aria-label": "chosen: none" });
  const chip = tokenChip(chosen, "tgt", { id: false });
  chip.classList.add(done ? "none" : "chosen");
  chip.setAttribute("aria-label", `chosen: ${chosen.text}`);
  return chip;
}

/** @param {Row} row @param {string} kind */
function choice(row, kind) {
  if (row.done) return [];
  if (!row.chosen) return [el("span", { text: "No continuation of this hypothesis is among the best; it is dropped." })];
  const verb = kind === "beam" ? "goes on with " : kind === "sample" ? "drew " : "chose ";
  return [el("span", {}, verb, el("bdi", { class: "of-tgt strong", text: visible(row.chosen.text) }), ` ${sureness(row)}`)];
}
