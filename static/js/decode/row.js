/** One sentence of a decoding: what the decoder was fed, what it chose, how sure it was, and why it stopped. */

import { el } from "../core/dom.js";
import { tokenChip } from "../core/tokens.js";
import { ending, sureness } from "./words.js";

/**
 * @param {import("../core/types.js").Row} row
 * @param {number} step
 * @param {(step: number) => void} go
 * @returns {HTMLElement[]} the tokens, and the sentence about them
 */
export function written(row, step, go) {
  const fed = row.prefix.map((token, place) => place === 0 ? tokenChip(token, "tgt", { id: false })
    : tokenChip(token, "tgt", { id: false, tag: "button", on: { click: () => go(place - 1) } }));
  const next = tokenChip(row.chosen, "tgt", { id: false });
  next.classList.add(row.done ? "none" : "chosen");
  next.setAttribute("aria-label", `chosen: ${row.chosen.text}`);
  const chips = el("div", { class: "chip-row fed", tabindex: 0, role: "group", "aria-label": "fed to the decoder, and the token it chose" }, ...fed, el("span", { class: "soft arrow", "aria-hidden": "true", text: "→" }), next);
  const end = ending(row, step);
  return [chips, el("p", { class: "chosen-says" }, ...(row.done ? [] : ["chose ", el("bdi", { class: "of-tgt strong", text: visibleName(row) }), ` ${sureness(row)}`]), end && el("b", { class: "end", text: `${row.done ? "" : " "}${end}` }))];
}

/** @param {import("../core/types.js").Row} row */
function visibleName({ chosen }) {
  return chosen.text.trim() ? chosen.text : "␣";
}
