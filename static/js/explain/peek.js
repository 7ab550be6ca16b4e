/** Where a tall heatmap pushes the explanation out of sight, a button at the inspector's foot says that it is there. */

import { el } from "../core/dom.js";
import { still } from "../core/motion.js";

/** How much of the explanation has to be in sight for the button to go. */
const SEEN = 72;

/** Where the inspector is a sheet, too low for a heatmap and an explanation. */
const SHEET = "(max-width: 860px)";

/**
 * @param {HTMLElement} panel
 * @returns {{element: HTMLElement, say: (value: string | null) => void, open: () => void}}   `say` looks anew where the panel is, null where
 * there is none; `open` shows the panel that an address asks for, where the inspector is a sheet
 */
export function createPeek(panel) {
  const button = el("button", { type: "button", class: "ex-peek-button", on: { click: go } });
  const element = el("div", { class: "ex-peek", hidden: true }, button);
  const watch = new IntersectionObserver(([entry]) => {
    const { isIntersecting, boundingClientRect: box, rootBounds } = entry;
    element.hidden = isIntersecting || panel.hidden || !rootBounds || box.top < rootBounds.top;
  }, { root: null, rootMargin: `0px 0px -${SEEN}px` });
  function go() {
    panel.scrollIntoView({ block: "start", behavior: still() ? "auto" : "smooth" });
    panel.focus({ preventScroll: true });
  }

  return {
    element,
    say(value) {
      watch.unobserve(panel);
      element.hidden ||= value === null;
      if (value === null) return;
      button.textContent = `Where ${value} comes from ↓`;
      watch.observe(panel);
    },
    open() {
      if (matchMedia(SHEET).matches) panel.scrollIntoView({ block: "start" });
    },
  };
}
