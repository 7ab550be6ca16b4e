/** Which sentence and which head the arithmetic shows: one button a place, or a list where there are many. */

import { axisColour, countsFromOne } from "../core/axes.js";
import { el, fill } from "../core/dom.js";

const BUTTONS = 8;

/**
 * @param {(axis: string, place: number) => void} choose
 */
export function createChooser(choose) {
  const element = el("div", { class: "dg-chooser-row" });
  let drawn = "";

  return {
    element,
    /** @param {{over: string, title: string, size: number, place: number}[]} axes */
    show(axes) {
      const key = JSON.stringify(axes);
      if (key === drawn) return;
      const focus = /** @type {HTMLElement | null} */ (element.contains(document.activeElement) ? document.activeElement : null)?.dataset.key;
      drawn = key;
      fill(element, ...axes.map((axis) => (axis.size > BUTTONS ? list(axis, choose) : buttons(axis, choose))));
      if (focus) /** @type {HTMLElement | null} */ (element.querySelector(`[data-key="${focus}"]`))?.focus();
    },
  };
}

/** @param {{over: string, title: string, size: number, place: number}} axis @param {(axis: string, place: number) => void} choose */
function buttons({ over, title, size, place }, choose) {
  return el("div", { class: "dg-chooser", role: "group", "aria-label": title, vars: { "--axis": axisColour(over) } }, el("span", { class: "dg-chooser-title", text: title }),
    ...Array.from({ length: size }, (_, i) => el("button", {
      type: "button", class: "dg-place", "aria-pressed": String(i === place), text: shown(over, i), "aria-label": `${title} ${shown(over, i)}`, data: { key: `${over}${i}` }, on: { click: () => choose(over, i) },
    })));
}

/** @param {{over: string, title: string, size: number, place: number}} axis @param {(axis: string, place: number) => void} choose */
function list({ over, title, size, place }, choose) {
  const select = el("select", { class: "dg-list", "aria-label": title, data: { key: over }, on: { change: () => choose(over, Number(select.value)) } },
    ...Array.from({ length: size }, (_, i) => el("option", { value: i, text: shown(over, i), selected: i === place })));
  return el("label", { class: "dg-chooser", vars: { "--axis": axisColour(over) } }, el("span", { class: "dg-chooser-title", text: title }), select);
}

/** @param {string} over @param {number} place */
function shown(over, place) {
  return String(countsFromOne(over) ? place + 1 : place);
}

/**
 * Turning the pages of axes that are too long to be drawn whole.
 * @param {(axis: string, from: number) => void} turn
 */
export function createPager(turn) {
  const element = el("div", { class: "dg-chooser-row" });
  return {
    element,
    /** @param {import("./arithmetic.js").Span[]} spans @param {number} most */
    show(spans, most) {
      fill(element, ...spans.filter(({ from, to, size }) => to - from < size).map(({ axis, over, from, to, size }) => {
        const button = (/** @type {string} */ text, /** @type {number} */ start, /** @type {string} */ label) =>
          el("button", { type: "button", class: "dg-place", text, "aria-label": label, disabled: start === from, on: { click: () => turn(axis, start) } });
        return el("div", { class: "dg-chooser", role: "group", "aria-label": axis, vars: { "--axis": axisColour(over) } }, el("span", { class: "dg-chooser-title", text: `${axis} ${from}–${to - 1} of ${size}` }),
          button("‹", Math.max(0, from - most), `earlier ${axis}`), button("›", Math.min(size - most, from + most), `later ${axis}`));
      }));
    },
  };
}
