/** A model learns before one's eyes: a form that begins a training, and the trainings there are. */

import { ServerError } from "../core/api.js";
import { runOf } from "../core/checkpoints.js";
import { el, fill } from "../core/dom.js";
import { askRuns } from "./train-ask.js";
import { createFollow } from "./train-follow.js";
import { createForm } from "./train-form.js";
import { createRun } from "./train-run.js";
import { createTabs } from "./train-tabs.js";
import { allowed, inWords, percentDone, told } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run */

const EVERY = 2500;

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @param {(title: string | null) => void} call   what the panel's button says
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions, call) {
  const tabs = createTabs(choose);
  const live = el("p", { class: "visually-hidden", role: "status" });
  const problem = el("p", { class: "problem small", role: "alert", hidden: true });
  const follow = createFollow(store, actions, () => view.place());
  const view = createRun(store, { follow, news, gone });
  const form = createForm(store, { runs: () => runs, began });
  const body = el("div", { class: "tr-main" });
  const element = el("div", { class: "train" }, tabs.element, problem, body, live);
  /** @type {Run[]} */
  let runs = [];
  /** @type {string | null | undefined} the run in view; null is the form, undefined: nothing was chosen yet */
  let chosen;
  /** @type {Map<string, string>} */
  const states = new Map();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let looking;
  let asking = false;

  const isOpen = () => store.get().panel === "train" && element.isConnected;

  /** @param {string | null} id */
  function choose(id) {
    chosen = id;
    render();
    /** @type {HTMLElement | null} */ (tabs.element.querySelector("[aria-pressed=true]"))?.focus();
  }

  /** @param {Run} run */
  function began(run) {
    runs = [run, ...runs];
    chosen = run.id;
    if (run.state !== "loaded") follow.follow(run);
    else if (run.model) void follow.goTo(run.model);
    render();
    /** @type {HTMLElement | null} */ (element.querySelector(".tr-verbs .button:not([hidden])"))?.focus();
  }

  /** What is known of a run has changed. @param {Run} run */
  function news(run) {
    runs = runs.map((each) => (each.id === run.id ? run : each));
    const stands = inWords(run);
    if (states.get(run.id) !== stands) {
      if (states.has(run.id)) live.textContent = told(run);
      states.set(run.id, stands);
    }
    call(allowed(run.state).moves && run.state !== "queued" ? `Train ${percentDone(run)}` : null);
    tabs.show(runs, chosen ?? null);
  }

  /** @param {string} id */
  function gone(id) {
    live.textContent = `${runs.find((run) => run.id === id)?.name ?? id}: deleted.`;
    runs = runs.filter((run) => run.id !== id);
    if (follow.following() === id) follow.follow(null);
    chosen = null;
    render();
  }

  function render() {
    const run = runs.find(({ id }) => id === chosen);
    tabs.show(runs, run?.id ?? null);
    if (body.firstElementChild !== (run ? view : form).element) fill(body, (run ? view : form).element);
    if (run) {
      news(run);
      view.show(run);
    } else {
      view.deafen();
      void form.show();
    }
  }

  /** The run to begin with: that of the model on screen, else the newest that goes on. */
  function first() {
    const shown = runOf(store.get().trace?.model);
    return runs.find(({ id }) => id === shown)?.id ?? runs.find(({ state }) => allowed(state).live)?.id ?? null;
  }

  async function look() {
    if (asking) return;
    asking = true;
    try {
      const found = await askRuns();
      problem.hidden = true;
      runs = found.map((run) => (run.id === chosen && allowed(run.state).live ? runs.find(({ id }) => id === run.id) ?? run : run));
      if (chosen === undefined) chosen = first();
      render();
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      problem.textContent = error.problem.message;
      problem.hidden = false;
    } finally {
      asking = false;
    }
  }

  store.subscribe(["panel"], () => {
    if (isOpen()) return;
    clearInterval(looking);
    looking = undefined;
    if (follow.following() !== null) return;
    view.deafen();
    call(null);
  });
  return {
    element,
    show() {
      if (looking === undefined) {
        void look();
        looking = setInterval(() => { if (isOpen() && !document.hidden) void look(); }, EVERY);
      } else view.place();
    },
  };
}
