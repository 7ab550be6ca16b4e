/** One sentence: the text as it is typed, and beside it the tokens that it became. */

import { el, fill } from "../core/dom.js";
import { rowOf } from "../core/sentences.js";
import { tokenChip } from "../core/tokens.js";

/** @typedef {import("../core/types.js").Token} Token @typedef {import("../core/types.js").Trace} Trace */

/**
 * @typedef {object} Field
 * @property {HTMLElement} root
 * @property {HTMLInputElement} input
 * @property {(text: string) => void} write    put a text into the field, unless it stands there
 * @property {(trace: Trace | null) => void} show   show what the sentence became in a trace
 * @property {(wrong: boolean) => void} mark   the server refused this text
 * @property {(text: string) => void} aside   a few words beside the field's name
 */

const TITLES = { src: "source", tgt: "target" };

/**
 * @param {"src" | "tgt"} side
 * @param {number} place which sentence
 * @param {(text: string) => void} onText
 * @returns {Field}
 */
export function createField(side, place, onText) {
  const id = `${side}-${place}`;
  const input = el("input", {
    id, type: "text", class: "field-input", dir: "auto", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go", "aria-describedby": `${id}-aside ${side}-note ${side}-unseen`,
    on: { input: () => onText(input.value) },
  });
  const aside = el("span", { class: "field-aside", id: `${id}-aside` });
  const chips = el("div", { class: "field-chips", role: "group", tabindex: 0, "aria-label": `tokens of ${TITLES[side]} ${place + 1}` });
  const root = el("div", { class: `field ${side}` },
    el("div", { class: "field-text" }, el("div", { class: "field-head" }, el("label", { for: id, class: "field-label" }, TITLES[side], el("span", { class: "field-place", text: ` ${place + 1}` })), aside), input), chips);

  let shown = "";

  return {
    root, input,
    write(text) {
      if (input.value !== text) input.value = text;
    },
    aside(text) {
      if (aside.textContent !== text) aside.textContent = text;
    },
    mark(wrong) {
      root.classList.toggle("wrong", wrong);
      input.setAttribute("aria-invalid", String(wrong));
    },
    show(trace) {
      const row = rowOf(trace, place);
      const now = JSON.stringify([trace?.tokens[side][row], side === "tgt" && trace?.tokens.labels?.[row]]);
      if (now === shown || row < 0) return;
      shown = now;
      if (side === "src") fill(chips, tokenRow(trace?.tokens.src[row] ?? []));
      else fill(chips, shiftedRows(trace?.tokens.tgt[row] ?? [], trace?.tokens.labels?.[row] ?? null));
    },
  };
}

/** @param {Token[]} tokens */
function tokenRow(tokens) {
  return el("div", { class: "chip-row tall" }, ...tokens.map((token) => tokenChip(token, "src")));
}

/**
 * The decoder's input over the labels, place by place: what it reads and what it has to say there.
 * @param {Token[]} fed
 * @param {Token[] | null} labels
 */
function shiftedRows(fed, labels) {
  if (fed.length === 0) return el("div", { class: "chip-row tall" });
  return el("div", { class: "shift" },
    el("div", { class: "shift-place shift-names small soft", title: "position by position: what the decoder reads, and what it has to say there" },
      el("span", { text: "decoder input" }), el("span", { text: labels ? "labels" : "no labels" })),
    ...fed.map((token, i) => el("div", { class: "shift-place" }, tokenChip(token, "tgt"), labels?.[i] ? tokenChip(labels[i], "tgt") : el("span", { class: "chip none" }))));
}
