/** A training is chosen: a task, sizes, steps; what it will cost is said before it begins. */

import { el, fill } from "../core/dom.js";
import { askLimits, askPlan, askTasks, beginRun, loadModel, refusal } from "./train-ask.js";
import { keepDraft, readDraft } from "./train-draft.js";
import { fieldRow, idOf, pairsRow, taskCards } from "./train-fields.js";
import { fieldFor, fieldsOf, recipeOf } from "./train-recipe.js";
import { cost } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Task} Task @typedef {import("./train-recipe.js").Field} Field */

const PAUSE = 400;
/** What a person who chooses nothing gets. */
const FIRST = "pig-latin";
const NONE = "This server begins no trainings; a Glassformer on a machine of your own does. The models that were trained are in the list of models.";

/**
 * @param {import("../core/store.js").Store} store
 * @param {{runs: () => Run[], began: (run: Run) => void}} on
 * @returns {{element: HTMLElement, show: () => Promise<void>}}
 */
export function createForm(store, { runs, began }) {
  const draft = readDraft();
  const body = el("div", { class: "tr-form-body" });
  const costs = el("p", { class: "tr-cost small soft" });
  const general = el("p", { class: "problem small", role: "alert", hidden: true });
  const start = el("button", { type: "submit", class: "button primary", text: "Start training" });
  const file = el("input", { type: "file", class: "visually-hidden", accept: ".safetensors", tabindex: -1, "aria-hidden": "true", on: { change: () => void load() } });
  const loads = el("button", { type: "button", class: "button", text: "Load a model …", title: "A .safetensors file that was downloaded here or from another Glassformer", on: { click: () => file.click() } });
  const element = el("form", { class: "tr-form", autocomplete: "off", novalidate: true, on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void begin(); } } }, body,
    el("div", { class: "tr-go" }, start, costs, loads, file), general);
  /** @type {Task[]} */
  let tasks = [];
  /** @type {string[]} */
  let schedules = [];
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  const task = () => tasks.find(({ id }) => id === draft.task) ?? tasks.find(({ id }) => id === FIRST) ?? tasks[0];
  const typed = () => (draft.typed[task().id] ??= {});
  const fields = () => fieldsOf(task(), schedules, store.get().model?.options ?? []);

  /** @param {string} name @param {string} text */
  function type(name, text) {
    typed()[name] = text;
    keepDraft(draft);
    clearTimeout(waiting);
    waiting = setTimeout(() => void weigh(), PAUSE);
  }

  /** @param {string} id */
  function choose(id) {
    draft.task = id;
    keepDraft(draft);
    render();
    document.getElementById(`tr-task-${id}`)?.focus();
  }

  function render() {
    const all = fields();
    const rows = (/** @type {Field["group"]} */ group) => all.filter((field) => field.group === group).map((field) => fieldRow(field, typed()[field.name], (text) => type(field.name, text)));
    const { open } = /** @type {HTMLDetailsElement | null} */ (body.querySelector("details")) ?? { open: Object.keys(typed()).some((name) => all.some((field) => field.name === name && field.group === "form" && String(field.value) !== typed()[name])) };
    fill(body, taskCards(tasks, task().id, choose), el("p", { class: "soft small", text: `${task().rules} ${task().data}` }),
      task().id === "pairs" && pairsRow(typed().pairs ?? "", (text) => type("pairs", text)), el("div", { class: "tr-rows" }, ...rows("plain"), ...rows("pairs")),
      el("details", { class: "tr-more", open }, el("summary", { text: "Sizes and variants" }), el("div", { class: "tr-rows" }, ...rows("form"))));
    void weigh();
  }

  /** What it will cost, and what is wrong with it. */
  async function weigh() {
    const mine = ++asked;
    if (task().id === "pairs" && !typed().pairs?.trim()) {
      blame("", "");
      costs.textContent = "Paste sentences, or choose a file.";
      return;
    }
    try {
      const plan = await askPlan(recipeOf(task(), fields(), typed()));
      if (mine !== asked) return;
      blame("", "");
      costs.textContent = [cost(plan, runs()), ...plan.notices].join(" · ");
    } catch (error) {
      const { message, where } = refusal(error);
      if (mine === asked) blame(message, where);
    }
  }

  /** Say what is wrong, at the field that it is about. @param {string} message @param {string} where @param {boolean} [go] */
  function blame(message, where, go = false) {
    const name = message ? fieldFor(where, fields()) : null;
    for (const note of /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll(".tr-wrong"))) note.hidden = true;
    for (const field of body.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    general.hidden = !message || name !== null;
    general.textContent = message;
    costs.classList.toggle("wrong", name !== null);
    if (message) costs.textContent = name === null ? "" : message;
    const control = name && document.getElementById(idOf(name));
    if (!control) return;
    const note = /** @type {HTMLElement} */ (document.getElementById(`${idOf(name)}-wrong`));
    note.hidden = false;
    note.textContent = message;
    control.setAttribute("aria-invalid", "true");
    control.closest("details")?.setAttribute("open", "");
    if (go) control.focus();
  }

  async function begin() {
    start.disabled = true;
    clearTimeout(waiting);
    asked++;
    try {
      began(await beginRun(recipeOf(task(), fields(), typed())));
    } catch (error) {
      const { message, where } = refusal(error);
      blame(message, where, true);
    } finally {
      start.disabled = false;
    }
  }

  async function load() {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    asked++;
    try {
      began(await loadModel(chosen));
    } catch (error) {
      blame(`${chosen.name}: ${refusal(error).message}`, "");
    } finally {
      file.value = "";
    }
  }

  return {
    element,
    async show() {
      if (tasks.length) return;
      try {
        const [known, { training, uploads }] = await Promise.all([askTasks(), askLimits()]);
        loads.hidden = !uploads;
        start.hidden = !training;
        if (!training) return void fill(body, el("p", { text: NONE }));
        ({ tasks, schedules } = known);
        render();
      } catch (error) {
        blame(refusal(error).message, "");
      }
    },
  };
}
