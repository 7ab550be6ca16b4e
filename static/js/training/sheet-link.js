/** A number that opens its tensor at its cell. */

import { el } from "../core/dom.js";
import { full } from "../core/format.js";
import { opened } from "../panels/open.js";

/**
 * @param {import("../core/store.js").Store} store
 * @param {string | undefined} name   the tensor; undefined where this run lacks it: then the text stands alone
 * @param {number[]} cell
 * @param {string | Node} text
 * @param {{says: string, value?: number | string | null, class?: string}} about
 * @returns {HTMLElement}
 */
export function numberLink(store, name, cell, text, { says, value, class: kind = "" }) {
  if (!name) return el("span", { class: `sheet-number ${kind}`.trim() }, text);
  const spoken = value === undefined ? says : `${says}: ${full(value)}`;
  const point = (/** @type {string | null} */ pointed) => () => store.set({ pointed });
  return el("button", {
    type: "button", class: `sheet-number ${kind}`.trim(), "aria-label": spoken, title: spoken, data: { tensor: name, place: cell.join(".") },
    on: { click: () => store.set(opened({ name }, cell)), pointerenter: point(name), pointerleave: point(null), focus: point(name), blur: point(null) },
  }, text);
}
