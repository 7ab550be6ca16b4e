/** The table of parameters: a row opens what is inside it, or the weight in the inspector; pointing at it lights its block. */

import { el, fill } from "../core/dom.js";
import { count, percent } from "../core/format.js";
import { opened } from "../panels/open.js";
import { bySize, openAtFirst, treeLines } from "./parameters-rows.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Model} Model @typedef {import("./parameters-rows.js").Line} Line */

const MOST = 40;

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, orders: HTMLElement, show: (model: Model) => void}}
 */
export function createTable(store) {
  /** @type {Set<string> | null} */
  let open = null;
  let order = "place";
  let all = false;
  /** @type {Model | null} */
  let shown = null;
  const body = el("tbody");
  const more = el("button", { type: "button", class: "button small-button params-more", hidden: true, on: { click: () => { all = true; render(); } } });
  const head = ["block", "formula", "count", "share"].map((text, i) => el("th", { scope: "col", class: i > 1 ? "number" : null, text }));
  const table = el("table", { class: "params-table", "aria-label": "parameters", on: { keydown: walk } }, el("thead", {}, el("tr", {}, ...head)), body);
  const orders = el("div", { class: "picks", role: "group", "aria-label": "order" }, el("span", { class: "picks-name", text: "by" }), ...["place", "size"].map((text) => el("button", {
    type: "button", class: "pick", "aria-pressed": String(text === order), text, data: { order: text }, on: { click: () => { order = text; all = false; render(); } },
  })));

  function render() {
    if (!shown) return;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (orders.querySelectorAll("[data-order]"))) button.setAttribute("aria-pressed", String(button.dataset.order === order));
    open ??= openAtFirst(shown);
    table.classList.toggle("by-size", order === "size");
    const lines = order === "size" ? bySize(shown) : treeLines(shown, open);
    const held = body.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.name : undefined;
    fill(body, ...(all || order === "place" ? lines : lines.slice(0, MOST)).map((line) => row(line, press, store)));
    more.hidden = order === "place" || all || lines.length <= MOST;
    more.textContent = `all ${count(lines.length)}`;
    if (held !== undefined) /** @type {HTMLElement | null} */ (body.querySelector(`[data-name="${held}"]`))?.focus();
  }

  /** @param {Line} line */
  function press({ name, opens }) {
    if (opens) return store.set(opened({ name: opens }, null));
    turn(name, !open?.has(name));
  }

  /** @param {string} name @param {boolean} on */
  function turn(name, on) {
    if (on) open?.add(name);
    else open?.delete(name);
    render();
  }

  /** Up and down walk the rows, right opens one, left closes it. @param {KeyboardEvent} event */
  function walk(event) {
    const buttons = /** @type {HTMLElement[]} */ ([...body.querySelectorAll("button")]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const opens = { ArrowRight: "true", ArrowLeft: "false" }[event.key];
    if (at < 0 || (by === undefined && opens === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== undefined) return buttons[at + by]?.focus();
    const { ariaExpanded, dataset } = buttons[at];
    if (ariaExpanded !== null && ariaExpanded !== opens) turn(dataset.name ?? "", opens === "true");
  }

  return {
    element: el("div", { class: "params-list" }, table, more), orders,
    show(model) {
      if (model === shown) return;
      if (model.id !== shown?.id) open = null;
      shown = model;
      render();
    },
  };
}

/** @param {Line} line @param {(line: Line) => void} press @param {Store} store */
function row(line, press, store) {
  const { kind, name, title, depth, formula, count: number, share, open, places } = line;
  const point = () => store.set({ pointed: name });
  const leave = () => store.set({ pointed: null });
  const says = kind === "part" ? (open ? "close" : "open") : `open ${line.opens}`;
  const button = el("button", {
    type: "button", class: kind === "part" ? "params-part" : "link", title: says, "aria-expanded": open === null ? null : String(open), data: { name }, text: title, on: { click: () => press(line), focus: point, blur: leave },
  });
  const mark = places.length > 0 && el("span", { class: "params-shared", title: `the same numbers in ${places.join(", ")}`, text: kind === "again" ? `as in ${places[0]}` : `shared by ${places.length}, counted here` });
  const counted = kind === "again" ? [el("td", { class: "number soft", text: "0" }), el("td", { class: "soft small", text: "counted once" })]
    : [el("td", { class: "number", text: count(number) }), el("td", { class: "params-share" }, el("span", { class: "params-room", "aria-hidden": "true" }, el("span", { class: "params-fill", vars: { "--share": share } })), el("span", { class: "mono", text: percent(share) }))];
  return el("tr", { class: `params-${kind}-row`, on: { pointerenter: point, pointerleave: leave } },
    el("th", { scope: "row", vars: { "--depth": depth } }, button, mark), el("td", { class: "params-formula mono", text: spaced(formula) }), ...counted);
}

/** Spaces between thousands, also within a formula; a line breaks between its summands alone. @param {string} formula */
function spaced(formula) {
  return formula.replace(/\d{4,}/g, (digits) => count(Number(digits))).replace(/(?<!\+) (?!\+)/g, "\u00a0");
}
