/** One sentence of a decoding: what the decoder was fed, what it chose, how sure it was, and why it stopped. */

import { el } from "../core/dom.js";
import { tokenChip, visible } from "../core/tokens.js";
import { ahead, ending, sureness } from "./words.js";

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
  return [chips, el("p", { class: "chosen-says" },
    row.done ? null : el("span", {}, "chose ", el("bdi", { class: "of-tgt strong", text: visible(row.chosen.text) }), ` ${sureness(row)}`),
    end && el("b", { class: "end", text: end }), row.done ? null : el("span", { class: "soft", text: ahead(row) }))];
}
