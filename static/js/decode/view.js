/** The decoding timeline: the model writes a sentence, one token a step, and every step can be looked into. */

import { isSentences } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { bars } from "./bars.js";
import { createControls } from "./controls.js";
import { listenToKeys } from "./keys.js";
import { createPanels } from "./panels.js";
import { createPlayer } from "./player.js";
import { written } from "./row.js";
import { caution } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 */
export function create(root, store, actions) {
  const player = createPlayer(store, actions);
  const panels = createPanels(store, actions);
  const controls = createControls(player, store, actions);
  controls.lastElementChild?.before(panels.buttons);
  const start = el("button", { type: "button", class: "button", text: "Decode", on: { click: begin } });
  const idle = el("div", { class: "decode-start" }, start, el("p", { class: "soft small", text: "Now without a target: the decoder gets <start> alone, chooses a token, reads it back, and goes on until it ends." }));
  const picker = el("div", { class: "row-tabs", role: "group", "aria-label": "sentence" });
  const fed = el("div", { class: "decode-fed" });
  const line = el("div", { class: "decode-line" });
  const warning = el("p", { class: "small soft decode-caution" });
  const next = el("div", { class: "decode-next" });
  const live = el("p", { class: "visually-hidden", role: "status" });
  const running = el("div", { class: "decode-run", hidden: true }, panels.root, controls, el("div", { class: "decode-body" }, picker, fed, line, next), warning, live);
  root.append(idle, running);

  async function begin() {
    if (await actions.startDecoding()) /** @type {HTMLElement | null} */ (controls.querySelector("[aria-label^='One step forward']"))?.focus();
  }

  function render() {
    const { decoding, index, trace, model } = store.get();
    idle.hidden = decoding !== null;
    running.hidden = decoding === null;
    warning.textContent = decoding && model ? caution(model, decoding) : "";
    const { step } = player.get();
    if (!decoding || !step || !trace) return;
    const axis = Object.keys(trace.sizes).find(isSentences) ?? "";
    const place = Math.min(index[axis] ?? 0, step.rows.length - 1);
    const row = step.rows[place];
    const [chips, says] = written(row, step.step, (to) => void player.to(to));
    fill(fed, chips);
    fill(line, says);
    fill(next, bars(row));
    root.dataset.trace = step.trace;
    pick(step, place, axis);
    requestAnimationFrame(() => fed.firstElementChild?.scrollTo({ top: 1e6 }));
    live.textContent = `step ${step.step + 1}: ${line.lastElementChild?.textContent ?? ""}`;
  }

  /** @param {import("../core/types.js").Step} step @param {number} shown @param {string} axis */
  function pick(step, shown, axis) {
    picker.hidden = step.rows.length < 2;
    const held = picker.contains(document.activeElement);
    fill(picker, ...step.rows.map(({ done, reason }, place) => {
      const ended = done || reason !== null;
      return el("button", {
        type: "button", class: "sentence-tab", "aria-pressed": String(place === shown), "aria-label": `sentence ${place + 1}${ended ? ", ended" : ""}`, title: ended ? "this sentence has ended" : null, text: `${place + 1}${ended ? " ✓" : ""}`,
        on: { click: () => store.set({ index: { ...store.get().index, [axis]: place } }) },
      });
    }));
    if (held) /** @type {HTMLElement | null} */ (picker.querySelector("[aria-pressed=true]"))?.focus();
  }

  player.subscribe(render);
  store.subscribe(["decoding", "index"], render);
  store.subscribe(["input"], ({ input }) => { start.disabled = !input.src.some((sentence) => sentence.trim()); });
  listenToKeys(root, player, () => store.get().decoding !== null);
  render();
}
