/** The keys and values that are kept, block by block: a row of places for K and one for V. Those of earlier steps are quiet, the new one is lit. */

import { axisColour, isSentences, sizeText } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { size } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { whereabouts } from "../tensor/naming.js";
import { opened } from "../panels/open.js";
import { cellOfPlace, pairOf } from "./cache-places.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("./cache.js").Saving} Saving @typedef {import("./cache.js").LayerCache} LayerCache
 * @typedef {import("../core/types.js").Record_} Record_ @typedef {import("../core/types.js").Token} Token
 */

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (saving: Saving) => void}}
 */
export function createKept(store) {
  const sum = el("h3");
  const list = el("div", { class: "kept-list", on: { keydown: walk } });
  const element = el("section", { class: "kept", "aria-label": "kept keys and values" }, sum, list);
  /** @type {Map<string, {key: string, block: HTMLElement}>} */
  const made = new Map();

  /** @param {Saving} saving */
  function show({ layers, bytes }) {
    const { trace, model, index } = store.get();
    if (!trace || !model) return;
    fill(sum, "Kept after this step ", el("b", { class: "cache-ratio", text: size(bytes) }));
    const blocks = layers.map((layer) => {
      const records = pairOf(trace, model, layer.name);
      const row = Math.min(index[records[0]?.axes[records[0].over.findIndex(isSentences)]] ?? 0, layer.shape[0] - 1);
      const over = records[0]?.over[2] ?? "";
      const tokens = /** @type {Record<string, Token[][]>} */ (/** @type {unknown} */ (trace.tokens))[over]?.[row] ?? [];
      const key = [layer.shape, layer.reused, row, ...tokens.map(({ id }) => id)].join(" ");
      const known = made.get(layer.name);
      if (known?.key === key) return known.block;
      const block = blockOf(store, layer, { records, tokens, over, row, title: whereabouts(model, records[0]?.name ?? layer.name).join(" · ") });
      made.set(layer.name, { key, block });
      return block;
    });
    if (blocks.some((block, i) => block !== list.children[i]) || blocks.length !== list.childElementCount) fill(list, ...blocks);
  }

  return { element, show };
}

/**
 * @param {Store} store
 * @param {LayerCache} layer
 * @param {{records: Record_[], tokens: Token[], over: string, row: number, title: string}} about
 */
function blockOf(store, { shape, reused, bytes, new: fresh }, { records, tokens, over, row, title }) {
  const [first] = records;
  const once = fresh === 0 ? "computed once, from the memory" : reused === 0 && fresh > 1 ? "computed in this step, from the memory, and never again" : "";
  return el("section", { class: `kept-block${once ? " once" : ""}`, "aria-label": title, vars: { "--axis": axisColour(over) } },
    el("h4", {}, title, once ? el("span", { class: "kept-once", text: once }) : ""),
    el("p", { class: "small soft" }, "K and V, ", first && sizeText(shape, first.axes, first.over, store), ` each · ${size(bytes)} together`),
    ...records.map((record, i) => el("div", { class: "kept-row", role: "group", "aria-label": `${"KV"[i]} of ${title}` }, el("b", { text: "KV"[i] }), ...tokens.slice(0, shape[2]).map((token, place) => el("button", {
      type: "button", class: `kept-place${place >= reused ? " fresh" : ""}${token.pad ? " pad" : ""}`, tabindex: place === Math.min(tokens.length, shape[2]) - 1 ? 0 : -1,
      "aria-label": `${"KV"[i]} of “${visible(token.text)}”, position ${place}, ${place >= reused ? "new" : "kept"}`, title: `${visible(token.text)} (${place}): open ${record.name}`,
      on: { click: () => store.set(opened(record, cellOfPlace(record, store.get().index, row, place))) },
    }, el("bdi", { text: visible(token.text) }))))));
}

/** Arrows walk along a row; a row is one stop of the Tab key. @param {KeyboardEvent} event */
function walk(event) {
  const { key, target } = event;
  if (!(target instanceof HTMLElement) || !target.matches(".kept-place") || !["ArrowLeft", "ArrowRight"].includes(key) || event.shiftKey) return;
  event.preventDefault();
  const next = key === "ArrowLeft" ? target.previousElementSibling : target.nextElementSibling;
  if (!(next instanceof HTMLElement) || !next.matches(".kept-place")) return;
  target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
