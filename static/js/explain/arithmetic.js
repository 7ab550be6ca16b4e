/** The terms of an explanation, and the choices over them where there are many: in which order, and how many. */

import { explanationOf } from "./asking.js";
import { el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { inOrder, joined, tableOf } from "./table.js";
import { termsTable } from "./terms.js";

/**
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("../core/store.js").Store} Store
 * @typedef {"size" | "place"} Order
 */

/** How many rows come at first, how many one answer holds, and how many more a page draws without a halt. */
const FEW = 64;
const MOST = 1024;
const ALL = 4096;

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (explanation: Explanation) => void}}
 */
export function createArithmetic(store) {
  const choices = el("div", { class: "ex-orders" });
  const box = el("div", { class: "ex-scroll" });
  const further = el("div", { class: "ex-more" });
  const element = el("div", { class: "ex-arithmetic" }, choices, box, further);
  /** @type {Explanation | null} */
  let shown = null;
  /** @type {import("./table.js").Table | null} */
  let table = null;
  /** @type {Order} */
  let order = "size";

  /** @param {boolean} [whole] all rows at once */
  function draw(whole = false) {
    if (!shown || !table) return;
    element.hidden = table.lines.length === 0;
    const many = table.count > FEW;
    choices.hidden = !many;
    further.hidden = !table.rest;
    fill(choices, many && el("span", { class: "soft small", text: `${count(table.count)} terms` }), many && pick("size", "largest first"), many && pick("place", "in order"));
    fill(box, element.hidden ? null : termsTable(table, shown, store.get(), { whole }));
    const left = table.rest?.count ?? 0;
    fill(further, left > FEW && more(`next ${FEW}`, FEW), left > ALL ? more(`next ${count(MOST)}`, MOST) : left > 0 && more(left > FEW ? `all ${count(table.count)}` : `the other ${count(left)}`, left));
  }

  /** @param {Order} value @param {string} text */
  function pick(value, text) {
    return el("button", { type: "button", class: "pick", "aria-pressed": String(order === value), text, on: { click: () => void ask(value, 0, FEW) } });
  }

  /** @param {string} text @param {number} rows */
  function more(text, rows) {
    return el("button", { type: "button", class: "pick", text, on: { click: () => void ask(order, table?.places.length ?? 0, rows) } });
  }

  /** @param {Order} wanted @param {number} start @param {number} rows */
  async function ask(wanted, start, rows) {
    const mine = shown;
    const trace = store.get().trace;
    if (!mine || !trace) return;
    const starts = Array.from({ length: Math.ceil(rows / MOST) }, (_, i) => start + i * MOST);
    const answers = await Promise.all(starts.map((at) => explanationOf(trace.id, mine, { order: wanted, start: at, count: Math.min(start + rows - at, MOST) }))).catch(() => null);
    if (mine !== shown || !answers) return;
    table = answers.map(tableOf).reduce((/** @type {import("./table.js").Table | null} */ before, next) => (before ? joined(before, next) : next), start ? table : null);
    order = wanted;
    keepFocus(() => draw(true));
  }

  /** Making the buttons anew keeps the focus at the one that was pressed, or in the table. @param {() => void} work */
  function keepFocus(work) {
    const pressed = element.contains(document.activeElement) ? document.activeElement?.textContent : null;
    const rows = box.querySelectorAll("tbody tr").length;
    work();
    if (pressed === null || pressed === undefined) return;
    const again = [...element.querySelectorAll("button")].find((button) => button.textContent === pressed);
    const target = again ?? box.querySelectorAll("tbody tr")[rows]?.querySelector("button");
    /** @type {HTMLElement | null | undefined} */ (target)?.focus({ preventScroll: true });
  }

  return {
    element,
    show(explanation) {
      shown = explanation;
      const made = tableOf(explanation);
      table = made.rest ? made : inOrder(made);
      order = "size";
      draw();
    },
  };
}
