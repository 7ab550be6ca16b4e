/** The sentence bar: the model, the sentences, their tokens, and what the page can do with them. */

import { el } from "../core/dom.js";
import { createExamples } from "./examples.js";
import { createLink } from "./link.js";
import { createMode } from "./mode.js";
import { createModels } from "./models.js";
import { createRows } from "./rows.js";
import { createSettings } from "./settings.js";
import { createStatus } from "./status.js";
import { createTheme } from "./theme.js";

/**
 * @param {HTMLElement} root
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 */
export function create(root, store, actions) {
  const body = el("div", { class: "bar-body", id: "bar-body" }, createRows(store, actions, createStatus(store, actions)));
  const summary = el("button", { type: "button", class: "bar-summary", "aria-expanded": "false", "aria-controls": "bar-body", on: { click: () => unfold(!root.classList.contains("unfolded")) } });
  const help = el("button", { type: "button", class: "button icon", "aria-label": "Keys and words", title: "Keys and words (?)", text: "?", data: { opens: "help" } });
  root.append(
    el("div", { class: "bar-tools" },
      el("a", { class: "wordmark", href: "/", title: "Start again" }, "Glass", el("b", { text: "former" })),
      createModels(store, actions), createExamples(store, actions), createSettings(store, actions), ...createMode(store, actions),
      el("span", { class: "bar-gap" }), createLink(), createTheme(), help),
    summary, body);

  /** @param {boolean} open */
  function unfold(open) {
    root.classList.toggle("unfolded", open);
    summary.setAttribute("aria-expanded", String(open));
    render();
  }

  function render() {
    const { input } = store.get();
    const more = input.src.length > 1 ? ` and ${input.src.length - 1} more` : "";
    summary.replaceChildren(
      el("span", { class: "bar-sentence" }, el("bdi", { class: "of-src", text: input.src[0] ?? "" }), " → ", el("bdi", { class: "of-tgt", text: input.tgt?.[0] ?? "" }), more),
      el("span", { class: "soft", text: root.classList.contains("unfolded") ? "close ▴" : "change ▾" }));
  }

  /** On a phone the open bar lies over what is below; it gives way to what the keyboard reaches there. @param {FocusEvent} event */
  function giveWay({ target }) {
    if (!root.classList.contains("unfolded") || !(target instanceof Element) || root.contains(target)) return;
    const [bar, reached] = [body.getBoundingClientRect(), target.getBoundingClientRect()];
    if (getComputedStyle(body).position === "absolute" && reached.top < bar.bottom && reached.bottom > bar.top) unfold(false);
  }

  document.addEventListener("focusin", giveWay);
  body.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !root.classList.contains("unfolded")) return;
    unfold(false);
    summary.focus();
  });
  store.subscribe(["input"], render);
  store.subscribe(["problem"], ({ problem }) => { if (problem) unfold(true); });
  render();
}
