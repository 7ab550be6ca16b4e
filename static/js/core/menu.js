/** A button that opens a panel below itself. Escape and a click elsewhere close it. */

import { el } from "./dom.js";

/**
 * @typedef {{root: HTMLElement, button: HTMLButtonElement, panel: HTMLElement, open: () => void, close: (focus?: boolean) => void}} Menu
 */

/**
 * @param {string} name what the panel holds
 * @param {{class?: string, buttonClass?: string, text?: string}} [options]
 * @returns {Menu}
 */
export function createMenu(name, { class: kind = "", buttonClass = "button", text = name } = {}) {
  const panel = el("div", { class: "menu-panel", role: "group", "aria-label": name, hidden: true });
  const button = el("button", { type: "button", class: buttonClass, "aria-expanded": "false", text, on: { click: () => (panel.hidden ? open() : close()) } });
  const root = el("div", { class: `menu ${kind}`.trim() }, button, panel);

  /** @param {PointerEvent} event */
  const elsewhere = (event) => { if (!root.contains(/** @type {Node} */ (event.target))) close(false); };

  function open() {
    panel.hidden = false;
    button.setAttribute("aria-expanded", "true");
    panel.classList.toggle("from-right", panel.getBoundingClientRect().right > document.documentElement.clientWidth - 4);
    document.addEventListener("pointerdown", elsewhere);
  }

  /** @param {boolean} [focus] */
  function close(focus = true) {
    if (panel.hidden) return;
    if (focus && panel.contains(document.activeElement)) button.focus();
    panel.hidden = true;
    panel.classList.remove("from-right");
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", elsewhere);
  }

  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return;
    event.stopPropagation();
    close();
    button.focus();
  });
  return { root, button, panel, open, close };
}
