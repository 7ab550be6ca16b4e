/** The timeline: a tick for every known step, with its token and how sure the model was; a slider over all of them. */

import { el, fill } from "../core/dom.js";
import { logarithm } from "../core/format.js";
import { sentenceAxis } from "../core/sentences.js";
import { visible } from "../core/tokens.js";
import { ticks } from "./ticks.js";

const WIDE = 52;
const LETTER = 8;
/** The log-probability at which a bar is as long as it gets. */
const LEAST = 5;

/**
 * @param {import("./player.js").Player} player
 * @param {import("../core/store.js").Store} store
 * @returns {HTMLElement}
 */
export function createTrack(player, store) {
  const line = el("ol", { class: "ticks", "aria-hidden": "true" });
  const slider = el("input", { type: "range", class: "scrubber", min: 0, step: 1, "aria-label": "step", on: { input: drag, change: () => { from = null; } } });
  const inside = el("div", { class: "track-inside" }, line, slider);
  const root = el("div", { class: "track" }, inside);
  let width = 0;
  /** @type {number | null} where a drag began */
  let from = null;

  /** All that is passed in one drag is one entry of the history. */
  function drag() {
    from ??= store.get().step;
    void player.to(Number(slider.value), store.get().step !== from);
  }

  function render() {
    const { step, trace, index } = store.get();
    const { step: shown } = player.get();
    if (step === null || !shown) return;
    const place = Math.min(index[sentenceAxis(trace)[0]] ?? 0, shown.rows.length - 1);
    const made = ticks(player.known.steps(), shown, place);
    const room = Math.min(WIDE, width / made.length);
    inside.style.setProperty("--count", String(made.length));
    fill(line, ...made.map((each, i) => tick(each, i, room)));
    slider.max = String(made.length - 1);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", `step ${step + 1} of ${made.length} known`);
  }

  player.subscribe(render);
  player.known.subscribe(render);
  store.subscribe(["index"], render);
  new ResizeObserver(([entry]) => {
    width = entry.contentRect.width;
    render();
  }).observe(root);
  return root;
}

/** @param {import("./ticks.js").Tick} tick @param {number} place @param {number} room */
function tick({ token, logProb, when }, place, room) {
  const text = token ? visible(token.text) : "·";
  const shown = [text, text.replace(/^<(.+)>$/, "$1"), "…"].find((each) => each.length * LETTER <= room) ?? "…";
  const sure = logProb === null ? "" : `, log p ${logarithm(logProb)}`;
  return el("li", { class: `tick ${when}${token?.pad ? " pad" : ""}`, title: token ? `step ${place + 1}: ${text}${sure}` : `step ${place + 1}` },
    el("span", { class: "tick-room" }, logProb !== null && el("span", { class: "tick-bar", vars: { "--size": Math.min(1, -logProb / LEAST) } })),
    el("bdi", { class: "tick-token", text: shown }));
}
