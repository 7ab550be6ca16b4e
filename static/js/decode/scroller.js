/** A part that scrolls where its room is too small; then the keyboard reaches it too. */

import { dress, el } from "../core/dom.js";

/**
 * @param {string} name what it holds
 * @param {...HTMLElement} parts
 * @returns {HTMLElement}
 */
export function createScroller(name, ...parts) {
  const root = el("div", { class: "decode-rest" }, ...parts);

  function look() {
    const scrolls = root.scrollHeight > root.clientHeight + 1;
    if (scrolls !== root.hasAttribute("tabindex")) dress(root, { tabindex: scrolls ? 0 : null, role: scrolls ? "group" : null, "aria-label": scrolls ? name : null });
  }

  const watch = new ResizeObserver(look);
  for (const part of [root, ...parts]) watch.observe(part);
  return root;
}
