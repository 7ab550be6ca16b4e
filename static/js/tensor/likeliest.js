/** The tokens that a row of scores or probabilities favours most, by name. */

import { tensors } from "../core/api.js";
import { axisColour, isTokens, placeLabel, tokensAlong } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { full, percent } from "../core/format.js";
import { isShare } from "../core/scale.js";

/** @typedef {import("./context.js").Context} Context @typedef {import("../core/store.js").Store} Store */

const MOST = 5;

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (context: Context, cell: number[] | null) => void}} `show` asks for one row, after the painting
 */
export function createLikeliest(store) {
  const after = el("bdi", { class: "on-axis" });
  const list = el("ol");
  const element = el("section", { class: "card likeliest", hidden: true, "aria-label": "Likeliest tokens" }, el("h2", {}, "Likeliest after ", after), list);
  let asked = "";

  /** @param {Context} context @param {number[]} cell @param {string} key */
  async function write(context, cell, key) {
    const { trace, record, layout } = context;
    const index = record.axes.flatMap((axis, i) => (i === layout.column ? [] : [`${axis}:${cell[i]}`])).join(",");
    const found = await tensors(trace.id, [record.name], { index }).catch(() => null);
    if (key !== asked) return;
    if (!found) asked = "";
    fill(list, ...best(/** @type {ArrayLike<number>} */ (found?.[0].values ?? []), MOST).map(({ place, value }) => line(store, context, cell, place, value)));
  }

  return {
    element,
    show(context, chosen) {
      const { trace, record, layout, model, sentence } = context;
      element.hidden = !isOverVocabulary(context);
      if (element.hidden) return;
      const row = Number(layout.row);
      const cell = chosen ?? context.places.map((place, i) => (i === row ? lastWord(context) : place));
      const key = [trace.id, record.name, cell.filter((_, i) => i !== layout.column)].join(" ");
      if (key === asked) return;
      asked = key;
      after.textContent = `“${placeLabel(trace, model, record.over[row], cell[row], sentence, record.axes[row])}” (${cell[row]})`;
      after.style.setProperty("--axis", axisColour(record.over[row]));
      requestAnimationFrame(() => setTimeout(() => void write(context, cell, key)));
    },
  };
}

/** One row a position, one column a token. @param {Context} context */
function isOverVocabulary({ record, tensor, layout, trace, of }) {
  if (of === "gradient" || layout.row === null || layout.column === null || tensor?.parameter || !record.dtype.startsWith("float")) return false;
  return isTokens(record.over[layout.column]) && tokensAlong(trace, record.axes[layout.row], record.over[layout.row]) !== null;
}

/** The last position that is not padding: where the next token is predicted. @param {Context} context */
function lastWord({ trace, record, layout, sentence }) {
  const row = Number(layout.row);
  const tokens = tokensAlong(trace, record.axes[row], record.over[row])?.[sentence] ?? [];
  return Math.max(0, tokens.map((token) => token.pad).lastIndexOf(false));
}

/**
 * The places of the greatest values, greatest first.
 * @param {ArrayLike<number>} values
 * @param {number} most
 * @returns {{place: number, value: number}[]}
 */
export function best(values, most) {
  /** @type {{place: number, value: number}[]} */
  const kept = [];
  for (let place = 0; place < values.length; place++) {
    const value = values[place];
    if (Number.isNaN(value) || (kept.length === most && value <= kept[most - 1].value)) continue;
    const before = kept.findIndex((other) => value > other.value);
    kept.splice(before < 0 ? kept.length : before, 0, { place, value });
    if (kept.length > most) kept.pop();
  }
  return kept;
}

/** @param {Store} store @param {Context} context @param {number[]} cell @param {number} place @param {number} value */
function line(store, { trace, model, record, layout, tensor }, cell, place, value) {
  const column = Number(layout.column);
  const there = cell.map((at, i) => (i === column ? place : at));
  return el("li", {},
    el("button", { type: "button", class: "link", title: "select this cell", on: { click: () => store.set({ cell: there }) } }, el("bdi", { text: placeLabel(trace, model, record.over[column], place) })),
    " ", el("span", { class: "mono", text: full(value) }), isShare(tensor) && el("span", { class: "soft small", text: ` ${percent(value)}` }));
}
