/** Following a link to a cell keeps one's place: the panel stays where it is on the screen, and the focus in it. */

/** Where the keyboard goes on: the same place in a table, its first row, what is read, what is not a parameter, a reason. */
const FIRST = [".ex-here [data-cell]", ".ex-terms [data-cell]", ".ex-besides [data-cell]", ".ex-equations [data-cell]:not([data-learned])", ".ex-equations [data-cell]", ".ex-because [data-cell]"];

/**
 * @param {HTMLElement} element
 * @returns {{hold: (how: {keyboard: boolean}, cell: () => unknown) => void, settle: () => void}}   `hold` before the cell may change, `settle` when the new one is there
 */
export function createStand(element) {
  /** @type {{top: number, keyboard: boolean, focused: boolean} | null} */
  let held = null;

  return {
    hold({ keyboard }, cell) {
      const [mine, before] = [{ top: element.getBoundingClientRect().top, keyboard, focused: element.contains(document.activeElement) }, cell()];
      held = mine;
      setTimeout(() => { if (held === mine && cell() === before) held = null; });
    },
    settle() {
      if (!held) return;
      const { top, keyboard, focused } = held;
      held = null;
      const box = scrollerOf(element);
      const down = element.getBoundingClientRect().top - Math.max(top, box.getBoundingClientRect().top, 0);
      if (Math.abs(down) >= 1) box.scrollBy(0, down);
      if (!focused) return;
      const first = keyboard ? FIRST.map((place) => element.querySelector(place)).find((found) => found !== null) : null;
      /** @type {HTMLElement} */ (first ?? element).focus({ preventScroll: true });
    },
  };
}

/** What scrolls around an element: a box, or the page. @param {HTMLElement} element */
function scrollerOf(element) {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return document.documentElement;
}
