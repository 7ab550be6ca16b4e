/** The least and the greatest of what is shown, where that is not the whole tensor. */

import { el, fill } from "../core/dom.js";
import { full, short } from "../core/format.js";
import { cellsOf, placeTitle } from "./arrange.js";
import { cellOf, labelOf, slabsOf } from "./picture.js";

/**
 * @typedef {import("./picture.js").Picture} Picture @typedef {import("../core/store.js").Store} Store
 * @typedef {{value: number, panel: number, row: number, column: number}} Extreme
 * @typedef {{low: Extreme, high: Extreme}} Extremes
 */

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (picture: Picture) => void}} `show` counts after the painting, so that it never waits
 */
export function createExtremes(store) {
  const element = el("p", { class: "extremes", hidden: true });
  let key = "";
  let timer = 0;

  /** @param {Picture} picture */
  function write(picture) {
    const found = extremesOf(picture);
    const named = /** @type {[string, Extreme][]} */ (found ? [["min", found.low], ["max", found.high]] : []);
    fill(element, found ? "of what is shown: " : "nothing finite is shown", ...named.flatMap(([name, extreme], i) => [i ? ", " : "", `${name} `, link(store, picture, extreme), " at ", el("bdi", { text: spotName(picture, extreme) })]));
  }

  return {
    element,
    show(picture) {
      const { record, trace, places, of } = picture.context;
      const next = [trace.id, of, record.name, picture.panels, places, picture.tiles.size].join(" ");
      element.hidden = !isPart(picture);
      if (element.hidden || next === key) return;
      key = next;
      clearTimeout(timer);
      timer = window.setTimeout(() => write(picture));
    },
  };
}

/** Numbers, of which a head or a sentence was chosen. @param {Picture} picture */
function isPart({ context: { record, layout, scale }, panels, against }) {
  if (against) return false;
  const drawn = cellsOf(record.shape.filter((_, i) => i === layout.row || i === layout.column)) * panels.length;
  return (scale.kind === "signed" || scale.kind === "share") && drawn < cellsOf(record.shape);
}

/**
 * Where the least and the greatest finite value shown are; null when there is none.
 * @param {Picture} picture
 * @returns {Extremes | null}
 */
export function extremesOf(picture) {
  /** @type {Extremes | null} */
  let found = null;
  for (const panel of picture.panels) for (const slab of slabsOf(picture, panel, 0)) found = widened(found, slab, panel);
  return found;
}

/** @param {Extremes | null} found @param {import("./slab.js").Slab} slab @param {number} panel @returns {Extremes | null} */
function widened(found, { data, base, rows, columns, rowStride, columnStride, rowStart, columnStart, rowStep, columnStep }, panel) {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = Number(data[base + i * rowStride + j * columnStride]);
      if (!Number.isFinite(value) || (found && value >= found.low.value && value <= found.high.value)) continue;
      const extreme = { value, panel, row: rowStart + i * rowStep, column: columnStart + j * columnStep };
      found = { low: !found || value < found.low.value ? extreme : found.low, high: !found || value > found.high.value ? extreme : found.high };
    }
  }
  return found;
}

/** "head 2, dog → <start>" @param {Picture} picture @param {Extreme} extreme */
function spotName({ context, panels }, { panel, row, column }) {
  const { layout, record } = context;
  const name = (/** @type {number | null} */ axis, /** @type {number} */ place) => {
    const { text } = labelOf(context, axis, place);
    return axis !== null && text === String(place) ? `${record.axes[axis]} ${place}` : text;
  };
  const spot = [...(layout.row === null ? [] : [name(layout.row, row)]), name(layout.column, column)].join(" → ");
  return layout.panel !== null && panels.length > 1 ? `${placeTitle(record.over[layout.panel], panel)}, ${spot}` : spot;
}

/** @param {Store} store @param {Picture} picture @param {Extreme} extreme */
function link(store, { context }, extreme) {
  const { value } = extreme;
  return el("button", { type: "button", class: "link mono", title: `${full(value)}: select this cell`, text: short(value), on: { click: () => store.set({ cell: cellOf(context, extreme) }) } });
}
