/** Links to cells: pointing at one lights its tensor, Enter or a click goes there, arrows walk from one to the next. */

import { axisWords } from "../core/axes.js";
import { el } from "../core/dom.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/trail.js").Hop} Hop @typedef {import("../tensor/words.js").Piece} Piece
 */

/**
 * @param {Hop} hop
 * @param {Piece[] | string} text
 * @param {{title?: string, class?: string, learned?: boolean}} [options] `learned` when it is a parameter, where the way ends
 * @returns {HTMLButtonElement}
 */
export function cellLink({ name, cell, of }, text, { title, class: kind = "", learned = false } = {}) {
  return el("button", {
    type: "button", class: `ex-link ${kind}`.trim(), title, "aria-label": title ?? null, data: { tensor: name, cell: cell.join("."), ...(of === "gradient" ? { of } : {}), ...(learned ? { learned: "" } : {}) },
  }, ...(typeof text === "string" ? [text] : axisWords(text)));
}

/**
 * @param {HTMLElement} root where links stand
 * @param {Store} store
 * @param {(hop: Hop) => void} follow
 */
export function watchLinks(root, store, follow) {
  root.addEventListener("click", (event) => {
    const hop = hopOf(event.target);
    if (hop) follow(hop);
  });
  for (const type of ["pointerover", "focusin"]) root.addEventListener(type, ({ target }) => point(store, hopOf(target)));
  for (const type of ["pointerleave", "focusout"]) root.addEventListener(type, () => point(store, null));
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const to = linkOf(event.target) && neighbour(root, /** @type {HTMLElement} */ (linkOf(event.target)), event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
}

/** @param {Store} store @param {Hop | null} hop */
function point(store, hop) {
  const { operand } = store.get();
  if (hop?.name === operand?.name && hop?.of === operand?.of && String(hop?.cell) === String(operand?.cell)) return;
  store.set({ pointed: hop?.name ?? null, operand: hop });
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function linkOf(target) {
  return target instanceof Element ? target.closest("[data-cell]") : null;
}

/** @param {EventTarget | null} target @returns {Hop | null} */
function hopOf(target) {
  const { tensor, cell, of } = linkOf(target)?.dataset ?? {};
  return tensor === undefined || cell === undefined ? null : { name: tensor, cell: cell ? cell.split(".").map(Number) : [], ...(of === "gradient" ? { of } : {}) };
}

/**
 * The link that an arrow leads to: up and down stay in a table's column.
 * @param {HTMLElement} root @param {HTMLElement} from @param {string} key
 * @returns {HTMLElement | undefined}
 */
function neighbour(root, from, key) {
  const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-cell]")]);
  const at = all.indexOf(from);
  if (key === "Home") return all[0];
  if (key === "End") return all[all.length - 1];
  if (key === "ArrowRight") return all[at + 1];
  if (key === "ArrowLeft") return all[at - 1];
  if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  const way = key === "ArrowDown" ? 1 : -1;
  const column = /** @type {HTMLTableCellElement | null} */ (from.closest("td"))?.cellIndex;
  for (let next = at + way; all[next]; next += way) {
    const cell = /** @type {HTMLTableCellElement | null} */ (all[next].closest("td"));
    if (column === undefined || !cell || cell.cellIndex === column) return all[next];
  }
  return undefined;
}
