/** The keys and the words, in a dialog. */

import { el, fill } from "../core/dom.js";
import { KEYS, WORDS } from "./help-text.js";

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{dialog: HTMLDialogElement, open: () => void, toggle: () => void}}
 */
export function createHelp(store) {
  const axes = el("dl", { class: "help-list" });
  const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title", on: { click: (/** @type {Event} */ event) => { if (event.target === dialog) dialog.close(); } } },
    el("div", { class: "help-inside" },
      el("div", { class: "help-head" }, el("h2", { id: "help-title", text: "Keys and words" }), el("button", { type: "button", class: "button", text: "Close", on: { click: () => dialog.close() } })),
      el("div", { class: "help-columns" },
        el("section", {}, el("h3", { text: "Keys" }), ...KEYS.map(({ where, keys }) => el("div", {}, el("h4", { class: "soft small", text: where }),
          el("dl", { class: "help-list keys" }, ...keys.flatMap(([key, does]) => [el("dt", {}, ...key.split(" ").map((each) => el("kbd", { text: each }))), el("dd", { text: does })]))))),
        el("section", {}, el("h3", { text: "Words" }), el("dl", { class: "help-list" }, ...WORDS.flatMap(([word, says]) => [el("dt", { text: word }), el("dd", { text: says })]))),
        el("section", {}, el("h3", { text: "Axes" }), axes))));

  function open() {
    const known = Object.entries(store.get().model?.axes ?? {});
    fill(axes, ...known.flatMap(([name, { title, says }]) => [el("dt", { vars: { "--axis": `var(--axis-${name}, var(--ink))` }, class: "axis-name", text: name }), el("dd", { text: title === name ? says : `The ${title}. ${says}` })]));
    if (!dialog.open) dialog.showModal();
  }

  function toggle() {
    if (dialog.open) dialog.close();
    else open();
  }

  return { dialog, open, toggle };
}
