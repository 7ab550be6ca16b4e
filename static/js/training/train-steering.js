/** The head of a training: its name, how far it is, and pause, resume, one step, stop. */

import { el } from "../core/dom.js";
import { allowed, heldOut, inWords, progress, whose } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {"pause" | "resume" | "stop" | "step"} Verb */

/** @type {{verb: Verb, text: string, says: string}[]} */
const VERBS = [
  { verb: "pause", text: "Pause", says: "Stand still; what was learned is kept" },
  { verb: "resume", text: "Resume", says: "Go on from where it stands" },
  { verb: "step", text: "One step", says: "Learn from one batch, and stand still" },
  { verb: "stop", text: "Stop", says: "End here; it can be resumed later" },
];

/**
 * @param {{tell: (verb: Verb) => Promise<void>, rename: (id: string, name: string) => Promise<void>, open: () => void}} on
 * @returns {{element: HTMLElement, show: (run: Run) => void}}
 */
export function createSteering({ tell, rename, open }) {
  const name = el("input", { type: "text", class: "tr-name", "aria-label": "name of the model", title: "Click to rename", maxlength: 60, autocomplete: "off", spellcheck: "false", on: {
    change: () => void send(name.value.trim()),
    keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") name.blur(); },
  } });
  const state = el("span", { class: "tr-state" });
  const says = el("span", { class: "soft small tr-progress-says" });
  const bar = el("div", { class: "tr-bar", role: "progressbar", "aria-label": "steps", "aria-valuemin": 0 }, el("span", { class: "tr-bar-fill" }));
  const buttons = VERBS.map(({ verb, text, says: about }) => el("button", { type: "button", class: "button", title: about, text, data: { verb }, on: { click: () => void press(verb) } }));
  const opens = el("button", { type: "button", class: "button tr-open", title: "Close this and look into the model, as it is after its last checkpoint", text: "Open as model", on: { click: open } });
  const owner = el("p", { class: "soft small tr-owner" });
  const element = el("div", { class: "tr-head" }, el("div", { class: "tr-title" }, name, state, says), el("div", { class: "tr-verbs", role: "group", "aria-label": "training" }, ...buttons, opens), bar, owner);

  /** The run in view. */
  let shown = "";
  /** The run whose new name is on its way: until it is there the field keeps what was typed. @type {string | null} */
  let renaming = null;

  /** @param {string} text */
  async function send(text) {
    const id = shown;
    renaming = id;
    await rename(id, text);
    if (renaming === id) renaming = null;
  }

  /** The button that takes the place of the one that was pressed gets the focus. @param {Verb} verb */
  async function press(verb) {
    await tell(verb);
    const button = buttons.find((each) => each.dataset.verb === verb);
    if (button?.hidden && document.activeElement === document.body) buttons.find((each) => !each.hidden)?.focus();
  }

  return {
    element,
    show(run) {
      if (run.id !== shown || document.activeElement !== name && renaming !== run.id) name.value = run.name;
      shown = run.id;
      name.readOnly = !run.yours;
      name.title = run.yours ? "Click to rename" : run.name;
      owner.textContent = whose(run);
      owner.hidden = !owner.textContent;
      name.size = Math.min(32, Math.max(8, run.name.length + 1));
      state.textContent = inWords(run);
      state.dataset.state = run.state;
      says.textContent = [progress(run), run.state === "running" || run.state === "paused" ? heldOut(run.evaluation?.accuracy) : ""].filter(Boolean).join(", ");
      const may = allowed(run.state);
      for (const button of buttons) button.hidden = !run.yours || !may[/** @type {Verb} */ (button.dataset.verb)];
      opens.hidden = run.model === null;
      opens.classList.toggle("primary", !may.live && !may.resume);
      for (const button of buttons) button.classList.toggle("primary", button.dataset.verb === "resume");
      bar.hidden = run.state === "loaded";
      bar.setAttribute("aria-valuemax", String(run.steps));
      bar.setAttribute("aria-valuenow", String(run.step));
      bar.style.setProperty("--share", String(run.steps ? run.step / run.steps : 0));
    },
  };
}
