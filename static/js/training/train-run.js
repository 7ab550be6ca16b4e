/** One training: how far it is, its curves, what it writes, its checkpoints, and what can be done with it. */

import { el, fill } from "../core/dom.js";
import { askScores, refusal, removeRun, renameRun, tellRun } from "./train-ask.js";
import { createCurves } from "./train-curves.js";
import { listen } from "./train-feed.js";
import { createKeep } from "./train-keep.js";
import { createKept } from "./train-kept.js";
import { createSamples } from "./train-samples.js";
import { scoresTable, showScores } from "./train-scores.js";
import { createSteering } from "./train-steering.js";
import { whatBroke } from "./train-trouble.js";
import { allowed } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Log} Log @typedef {import("./train-follow.js").Follow} Follow */

/**
 * @param {import("../core/store.js").Store} store
 * @param {{follow: Follow, news: (run: Run) => void, gone: (id: string) => void}} on
 * @returns {{element: HTMLElement, show: (run: Run) => void, place: () => void, hear: () => void, deafen: () => void}}
 *   `hear` listens to the run, `deafen` stops, `place` says what is on screen
 */
export function createRun(store, { follow, news, gone }) {
  const curves = createCurves();
  const samples = createSamples();
  const kept = createKept({ goTo: (model) => void follow.goTo(model), follow: (on) => follow.follow(on ? run : null) });
  const steering = createSteering({ tell: (verb) => act(() => tellRun(current().id, verb)), rename: (id, name) => act(() => renameRun(id, name)), open });
  const keep = createKeep({ score: (each) => void rescore(each), remove: ({ id }) => void act(async () => { await removeRun(id); gone(id); }) });
  const trouble = el("div", { class: "tr-trouble" });
  const scores = el("div");
  const problem = el("p", { class: "problem small", role: "alert", hidden: true });
  const element = el("div", { class: "tr-run" }, steering.element, problem, trouble, kept.element, scores, el("div", { class: "tr-body" }, curves.element, samples.element), keep.element);
  /** @type {Run | null} */
  let run = null;
  /** @type {Log} */
  let log = { points: [], looks: [] };
  /** @type {(() => void) | null} */
  let stop = null;
  let heard = "";

  const current = () => /** @type {Run} */ (run);

  function open() {
    const { model } = current();
    store.set({ panel: null });
    /** @type {HTMLElement | null} */ (document.querySelector("[data-panel=train]"))?.focus();
    if (model) void follow.goTo(model);
  }

  /** Ask for something; what the server says against it stands in the panel. @param {() => Promise<Run | void>} work */
  async function act(work) {
    try {
      const answer = await work();
      problem.hidden = true;
      if (answer) take(answer);
      if (answer && !stop) hear();
    } catch (error) {
      const { message, code } = refusal(error);
      problem.textContent = message;
      problem.dataset.code = code;
      problem.hidden = false;
    }
  }

  /** @param {Run} next */
  function take(next) {
    if (next.id !== run?.id) return;
    run = next;
    if (problem.dataset.code === "offline") problem.hidden = true;
    render();
    news(next);
    follow.news(next);
  }

  function hear() {
    deafen();
    if (!run) return;
    const { id } = run;
    heard = id;
    stop = listen(id, {
      log: (all) => {
        if (id !== run?.id) return;
        log = all;
        draw();
      },
      run: take,
      end: () => { stop = null; },
      gone: () => gone(id),
    });
  }

  function deafen() {
    stop?.();
    stop = null;
    heard = "";
  }

  /** @param {Run} each */
  async function rescore({ id, checkpoints }) {
    const step = Number(store.get().trace?.model.startsWith(`${id}@`) ? store.get().trace?.model.split("@")[1] : checkpoints[checkpoints.length - 1]?.step);
    fill(scores, el("p", { class: "soft small", role: "status", text: "Held-out sentences are being written …" }));
    await act(async () => {
      const found = await askScores(id, step);
      if (id === run?.id) fill(scores, scoresTable(found.tests, found.step));
    });
    if (!problem.hidden) showScores(scores, current());
  }

  function draw() {
    if (run) curves.show(run, log, markOf(run));
  }

  /** The step of the checkpoint on screen. @param {Run} each */
  function markOf({ id }) {
    const model = store.get().trace?.model;
    return model?.startsWith(`${id}@`) ? Number(model.split("@")[1]) : null;
  }

  function place() {
    if (!run) return;
    kept.show(run, store.get().trace?.model, follow.following() === run.id);
    draw();
  }

  function render() {
    if (!run) return;
    const { diverged, message, state, notices } = run;
    element.dataset.state = state;
    steering.show(run);
    fill(trouble, diverged && whatBroke(run, async (broken) => {
      await follow.goTo(/** @type {string} */ (current().model));
      store.set({ tensor: broken.tensor, cell: null, of: broken.gradient ? "gradient" : "value" });
    }), !diverged && message ? el("p", { class: state === "failed" ? "problem" : "notice", text: message }) : null, ...notices.map((text) => el("p", { class: "notice small", text })));
    samples.show(run);
    if (run.scores) showScores(scores, run);
    keep.show(run);
    curves.element.hidden = state === "loaded";
    place();
  }

  return {
    element, place, hear, deafen,
    show(next) {
      if (next.id !== run?.id) {
        deafen();
        log = { points: [], looks: [] };
        fill(scores);
        delete scores.dataset.shown;
        problem.hidden = true;
      }
      run = next;
      render();
      if (!stop && (heard !== next.id || allowed(next.state).live)) hear();
    },
  };
}
