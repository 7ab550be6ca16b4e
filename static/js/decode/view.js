/** The decoding timeline: the model writes a sentence, one token a step, and every step can be looked into. */

import { el, fill } from "../core/dom.js";
import { sentenceAxis } from "../core/sentences.js";
import { DECODING } from "../panels/decoding.js";
import { createFrame } from "../panels/frame.js";
import { TRAINING } from "../panels/training.js";
import { bars } from "./bars.js";
import { createControls } from "./controls.js";
import { createHypotheses } from "./hypotheses.js";
import { listenToKeys } from "./keys.js";
import { createPlayer } from "./player.js";
import { written } from "./row.js";
import { sampling } from "./sampling.js";
import { createScroller } from "./scroller.js";
import { createStrategy } from "./strategy.js";
import { createTrack } from "./track.js";
import { caution, change } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 */
export function create(root, store, actions) {
  const player = createPlayer(store, actions);
  const panels = createFrame(store, actions, DECODING);
  const training = createFrame(store, actions, TRAINING);
  const controls = createControls(player, store, actions);
  controls.lastElementChild?.before(panels.buttons);
  const strategy = createStrategy(store, actions, () => actions.startDecoding());
  const start = el("button", { type: "button", class: "button", text: "Decode", on: { click: begin } });
  const about = el("p", { class: "soft small", text: "Without a target: the decoder gets <start>, chooses a token, reads it back, and goes on." });
  const idle = el("div", { class: "decode-start" }, start, about, training.buttons);
  const rows = createHypotheses(choose);
  const fed = el("div", { class: "decode-fed" });
  const line = el("div", { class: "decode-line" });
  const warning = el("p", { class: "small soft decode-caution" });
  const changed = el("p", { class: "small soft decode-change" });
  const next = el("div", { class: "decode-next" });
  const live = el("p", { class: "visually-hidden", role: "status" });
  const foot = el("div", { class: "decode-foot" }, el("div", { class: "decode-notes" }, changed, warning));
  const rest = createScroller("what this step did", el("div", { class: "decode-body" }, rows.tabs, fed, line, next, rows.chips), foot);
  const running = el("div", { class: "decode-run", hidden: true }, controls, panels.root, createTrack(player, store), rest, live);
  root.append(training.root, idle, running);

  async function begin() {
    if (await strategy.begin()) /** @type {HTMLElement | null} */ (controls.querySelector("[aria-label^='One step forward']"))?.focus();
  }

  /** @param {number} place */
  function choose(place) {
    const { index, trace } = store.get();
    store.set({ index: { ...index, [sentenceAxis(trace)[0]]: place } });
  }

  function place() {
    const { decoding } = store.get();
    idle.hidden = decoding !== null;
    running.hidden = decoding === null;
    if (decoding) foot.prepend(strategy.root);
    else about.before(strategy.root);
  }

  function render() {
    const { decoding, index, trace, model } = store.get();
    warning.textContent = decoding && model ? caution(model, decoding) : "";
    const { step, stopped } = player.get();
    if (!decoding || !step || !trace || !model) return;
    const shown = Math.min(index[sentenceAxis(trace)[0]] ?? 0, step.rows.length - 1);
    const row = step.rows[shown];
    const { kind } = decoding.strategy;
    const [chips, says] = written(row, step.step, { kind, stopped: stopped === step.step, go: (to) => void player.to(to) });
    fill(fed, chips);
    fill(line, says);
    fill(next, kind === "sample" ? sampling(row) : bars(row));
    changed.textContent = change(step, { causal: model.config.causal !== false, cache: decoding.cache });
    root.dataset.trace = step.trace;
    rows.show(step, shown, { sentences: decoding.tokens.src.length, beam: kind === "beam", unit: model.unit, steps: player.known.steps() });
    requestAnimationFrame(() => fed.firstElementChild?.scrollTo({ top: 1e6 }));
    live.textContent = `step ${step.step + 1}: ${line.lastElementChild?.textContent ?? ""}`;
  }

  player.subscribe(render);
  player.known.subscribe(() => { if (store.get().decoding?.strategy.kind === "beam") render(); });
  store.subscribe(["decoding"], place);
  store.subscribe(["decoding", "index"], render);
  store.subscribe(["input"], ({ input }) => { start.disabled = !input.src.some((sentence) => sentence.trim()); });
  listenToKeys(root, player, () => store.get().decoding !== null);
  place();
  render();
}
