/** What if one logit were another: a position and a token are chosen, its logit is dragged, and what follows from it moves along. */

import { ServerError, json } from "../core/api.js";
import { placeLabel } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { opened } from "../panels/open.js";
import { newestWins } from "./loss-ask.js";
import { parts } from "./loss-parts.js";
import { positions } from "./loss-positions.js";
import { row } from "./loss-row.js";
import { drawn } from "./loss-words.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("./loss-row.js").WhatIf} WhatIf
 * @typedef {{trace: string, cell: number[], logit: number}} Question @typedef {import("./loss-positions.js").Shown} Shown
 */

const REACH = 8;
const MOST = 32;
const FEW = 14;

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (shown: Shown) => void}}
 */
export function createWhatIf(store) {
  const places = el("div", { class: "loss-positions", role: "group", "aria-label": "position" });
  const slider = el("input", { type: "range", step: 0.05, class: "loss-slider", id: "loss-slider", on: { input: () => move(Number(slider.value)) } });
  const field = el("input", { type: "number", step: 0.1, class: "button loss-field", "aria-label": "logit", on: { input: () => { if (field.value !== "") move(Number(field.value)); } } });
  const reset = el("button", { type: "button", class: "button small-button", text: "Reset", on: { click: () => { if (was !== null) move(was); } } });
  const open = el("button", { type: "button", class: "link small", text: "open this logit", on: { click: () => { if (shown?.names.logits) store.set(opened({ name: shown.names.logits }, cell())); } } });
  const log = el("input", { type: "checkbox", role: "switch", class: "switch", id: "loss-log", on: { change: draw } });
  const title = el("label", { for: slider.id, class: "loss-slider-title" });
  const numbers = el("p", { class: "loss-numbers", role: "status" });
  const made = el("div");
  const chart = el("div", { class: "loss-chart", tabindex: 0, role: "group", "aria-label": "tokens" });
  const element = el("section", { class: "loss-whatif", "aria-label": "what if a logit were another" }, el("h3", { text: "One position: target beside probability" }), places,
    el("div", { class: "loss-drag" }, title, slider, field, reset, numbers), made,
    el("div", { class: "loss-tools" }, log, el("label", { for: log.id, text: "log scale, from 10⁻⁶" }), el("span", { class: "loss-key" }, el("span", { class: "key is" }), "p ", el("span", { class: "key was" }), "p before ", el("span", { class: "key ideal" }), "target q"), open), chart);
  /** @type {Shown | null} */
  let shown = null;
  /** @type {WhatIf | null} */
  let what = null;
  /** @type {number | null} the logit as it was run */
  let was = null;
  /** @type {number | null} a logit that was asked for before it was known how it was run */
  let wanted = null;
  let [position, token] = [0, 0];
  const ask = newestWins(question, answer, (error) => { if (!(error instanceof ServerError)) throw error; numbers.textContent = error.problem.message; });

  function cell() {
    return [shown?.sentence ?? 0, position, token];
  }

  /** @param {Question} asked @returns {Promise<WhatIf>} */
  function question({ trace, cell: at, logit }) {
    return json(`/api/traces/${trace}/whatif?${new URLSearchParams({ cell: at.join(","), logit: String(logit) })}`);
  }

  /** @param {WhatIf} found @param {Question} asked */
  function answer(found, { trace, cell: at }) {
    if (trace !== shown?.trace || String(at) !== String(cell())) return;
    what = was === null ? { ...found, after: found.before } : found;
    if (was === null) {
      was = found.before.logits[found.tokens.indexOf(token)];
      [slider.min, slider.max] = [String(Math.floor(was - REACH)), String(Math.ceil(was + REACH))];
      set(was);
    }
    draw();
    if (wanted !== null) move(wanted);
    wanted = null;
  }

  /** @param {number} logit */
  function move(logit) {
    if (!shown) return;
    if (was === null) {
      wanted = logit;
      return;
    }
    set(logit);
    ask({ trace: shown.trace, cell: cell(), logit });
  }

  /** @param {number} logit */
  function set(logit) {
    slider.value = String(logit);
    if (document.activeElement !== field || Number(field.value) !== logit) field.value = String(Number(logit.toFixed(3)));
  }

  /** @param {number} place @param {number} [id] another token than the label */
  function choose(place, id) {
    if (!shown) return;
    const held = document.activeElement?.closest("[data-token], [data-position]") ?? null;
    [position, token, was, wanted] = [place, id ?? shown.places[place].label.id, null, null];
    fill(places, ...positions(shown.places, position, (other) => choose(other)));
    title.textContent = `logit of “${naming(token)}” at position ${position}`;
    const key = held?.hasAttribute("data-position") ? `[data-position="${position}"]` : null;
    if (key) /** @type {HTMLElement | null} */ (places.querySelector(key))?.focus();
    ask({ trace: shown.trace, cell: cell(), logit: 0 });
  }

  /** @param {number} id */
  function naming(id) {
    const { trace, model } = store.get();
    const known = shown?.places.find(({ label }) => label.id === id);
    if (known) return visible(known.label.text);
    const over = model?.tensors.find(({ name }) => name === shown?.names.logits)?.over.at(-1) ?? "";
    return visible(placeLabel(trace, model, over, id));
  }

  function draw() {
    if (!what || !shown || was === null) return;
    const { before, after, tokens } = what;
    const label = shown.places[position].label.id;
    const moved = Math.abs(Number(slider.value) - was) > 0.03;
    reset.disabled = !moved;
    fill(numbers, change("loss term", before.term, after.term), change("loss of the batch", before.mean, after.mean));
    fill(made, shown.places[position].counted ? parts({ entropy: shown.entropy[position] ?? 0, term: Number(after.term), before: moved ? Number(before.term) : null }) : el("p", { class: "small", text: "This label is padding: its term is 0 whatever the logits say, and so is the gradient." }));
    const held = chart.contains(document.activeElement) ? document.activeElement?.getAttribute("data-token") : null;
    fill(chart, row({ what, places: drawn({ tokens, likely: before.probabilities, must: [label, token], most: tokens.length > MOST ? FEW : MOST }), name: naming, label, log: log.checked, choose: (id) => choose(position, id) }));
    if (held) /** @type {HTMLElement | null} */ (chart.querySelector(`[data-token="${held}"]`))?.focus();
  }

  return {
    element,
    show(next) {
      const same = shown?.trace === next.trace && shown.sentence === next.sentence;
      shown = next;
      if (!same) choose(Math.min(position, next.places.length - 1));
    },
  };
}

/** @param {string} name @param {number | string} before @param {number | string} after */
function change(name, before, after) {
  const moved = Math.abs(Number(before) - Number(after)) > 5e-5;
  return el("span", { class: "loss-change" }, `${name} `, moved && el("s", { class: "soft mono", text: fixed(Number(before), 4) }), moved && " → ", el("b", { class: "mono", text: fixed(Number(after), 4) }));
}
