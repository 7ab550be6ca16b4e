/** The kept checkpoints of a training: a scrubber that brings each on screen, and what the page shows now. */

import { runOf } from "../core/checkpoints.js";
import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { allowed } from "./train-words.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Kept} Kept */

/**
 * @param {{goTo: (model: string) => void, follow: (on: boolean) => void}} on
 * @returns {{element: HTMLElement, show: (run: Run, model: string | undefined, following: boolean) => void}}
 */
export function createKept({ goTo, follow }) {
  const slider = el("input", { type: "range", class: "tr-scrubber", min: 0, step: 1, "aria-label": "checkpoint", on: { input: () => { const kept = all[Number(slider.value)]; if (kept) goTo(kept.model); } } });
  const says = el("span", { class: "tr-kept-says" });
  const box = el("button", { type: "button", class: "button tr-follow", "aria-pressed": "false", title: "The diagram shows the newest checkpoint, about once a second", text: "Follow", on: { click: () => follow(box.getAttribute("aria-pressed") !== "true") } });
  const element = el("div", { class: "tr-kept", role: "group", "aria-label": "kept checkpoints" }, box, slider, says);
  /** @type {Kept[]} */
  let all = [];

  return {
    element,
    show(run, model, following) {
      all = run.checkpoints;
      box.hidden = !following && !allowed(run.state).live;
      element.hidden = all.length === 0 || all.length === 1 && box.hidden;
      const place = placeOf(all, runOf(model) === run.id ? model : undefined);
      slider.max = String(Math.max(all.length - 1, 0));
      if (document.activeElement !== slider || following) slider.value = String(place ?? all.length - 1);
      slider.setAttribute("aria-valuetext", place === null ? "none of them on screen" : `step ${all[place].step}`);
      box.setAttribute("aria-pressed", String(following));
      const words = place === null ? `${count(all.length)} checkpoints kept, none on screen` : `on screen: step ${count(all[place].step)}, ${place + 1} of ${all.length} kept`;
      if (says.textContent !== words) says.textContent = words;
    },
  };
}

/**
 * Where a model stands among the checkpoints; one that is kept no more stands at the last before it. Pure.
 * @param {Kept[]} kept
 * @param {string | undefined} model
 * @returns {number | null}
 */
export function placeOf(kept, model) {
  if (!model || !kept.length) return null;
  const step = Number(model.split("@")[1]);
  if (!Number.isFinite(step)) return null;
  return Math.max(0, kept.filter((each) => each.step <= step).length - 1);
}
