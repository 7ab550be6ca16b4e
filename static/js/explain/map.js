/** One operand as a small heatmap: its cells on one canvas, and above it what of them is lit. */

import { isSentences, sizeText } from "../core/axes.js";
import { el } from "../core/dom.js";
import { drawSheet } from "../tensor/draw.js";
import { ownName } from "../tensor/naming.js";
import { fit } from "../tensor/panel.js";
import { labelOf } from "../tensor/picture.js";
import { slabOf, valueAt } from "../tensor/slab.js";
import { stepOf, whole } from "../tensor/span.js";
import { thinningWords } from "../tensor/tiles.js";
import { drawMarks } from "./map-marks.js";
import { sidesOfPart } from "./maps-plan.js";

/**
 * @typedef {import("./maps-plan.js").Part} Part @typedef {import("../tensor/context.js").Context} Context @typedef {import("../core/types.js").Values} Values
 * @typedef {import("../tensor/geometry.js").Frame} Frame @typedef {import("./map-marks.js").Marks} Marks @typedef {{row: number, column: number}} Spot
 */

/**
 * @typedef {object} OneMap
 * @property {HTMLElement} title
 * @property {HTMLElement} picture
 * @property {(values: Values, around: (number | null)[], palette: import("../core/colour.js").Palette) => void} draw
 * @property {(marks: Marks) => void} mark
 * @property {() => (number | null)[]} around   a cell of the slice that is drawn
 * @property {(spot: Spot) => number | undefined} value
 * @property {() => string} thinning   what is left out of the picture, in words; empty where nothing is
 */

/**
 * @param {Part} part
 * @param {Frame} frame
 * @param {Context} context   of the drawn tensor
 * @param {object} host
 * @param {import("../core/store.js").Store} host.store
 * @param {(spot: Spot | null) => void} host.point
 * @param {(spot: Spot) => void} host.open
 * @returns {OneMap}
 */
export function createMap(part, frame, context, { store, point, open }) {
  const cells = el("canvas", { class: "heat-cells", "aria-hidden": "true" });
  const above = el("canvas", { class: "heat-above", "aria-hidden": "true" });
  const picture = el("div", { class: "map-picture", data: { tensor: part.name } }, cells, above);
  const { rows, columns } = sidesOfPart(part);
  const spans = { rows: whole(rows, frame.height, frame.cellHeight), columns: whole(columns, frame.width, frame.cellWidth) };
  for (const canvas of [cells, above]) fit(canvas, frame);
  /** @type {import("../tensor/slab.js").Slab | null} */
  let slab = null;
  let drawn = part.cell;
  /** @type {import("../core/colour.js").Palette | null} */
  let colours = null;

  /** The drawn cell at a point; where cells are skipped, the one that stands for it. @param {MouseEvent} event @returns {Spot | null} */
  function spotAt({ offsetX, offsetY }) {
    if (!slab) return null;
    const row = placeAt(offsetY - frame.top, spans.rows, slab.rowStep);
    const column = placeAt(offsetX - frame.left, spans.columns, slab.columnStep);
    return row === null || column === null ? null : { row, column };
  }

  picture.addEventListener("pointermove", (event) => point(spotAt(event)));
  picture.addEventListener("pointerleave", () => point(null));
  picture.addEventListener("click", (event) => {
    const spot = spotAt(event);
    if (spot) open(spot);
  });

  return {
    title: titleOf(part, store), picture,
    around: () => drawn,
    value: (spot) => (slab ? valueAt(slab, spot.row, spot.column) : undefined),
    thinning: () => (slab ? thinningWords(Math.max(slab.rowStep, stepOf(spans.rows)), Math.max(slab.columnStep, stepOf(spans.columns))) : ""),
    draw(values, around, palette) {
      [drawn, colours] = [around, palette];
      slab = slabOfPart(part, values, around);
      const named = { ...context, layout: { ...context.layout, row: null }, sentence: sentenceOf(part, around) ?? context.sentence };
      const written = (/** @type {number | null} */ axis, /** @type {boolean} */ there) => (/** @type {number} */ place) => (there ? labelOf(named, axis, place) : NOTHING);
      const axisCss = (/** @type {number | null} */ axis) => palette.css(axis === null ? "--ink" : `--axis-${part.record.over[axis]}`) || palette.css("--ink");
      drawSheet(fit(cells, frame), {
        frame, spans, slabs: [slab], behind: [], scale: context.scale, caption: null, sums: null, colours: { row: axisCss(part.row), column: axisCss(part.column) },
        rowLabel: written(part.row, frame.left > 0), columnLabel: written(part.column, frame.top > 0),
      }, palette);
    },
    mark(marks) {
      if (colours) drawMarks(fit(above, frame), { frame, spans, palette: colours }, marks);
    },
  };
}

const NOTHING = { text: "", faint: false };

/** The sentence whose slice is drawn; null where the tensor has none, or all of them. @param {Part} part @param {(number | null)[]} around */
function sentenceOf({ record: { over }, row, column }, around) {
  const axis = over.findIndex(isSentences);
  return axis < 0 || axis === row || axis === column ? null : around[axis];
}

/** @param {Part} part @param {Values} values @param {(number | null)[]} around */
function slabOfPart({ record: { axes }, row, column }, values, around) {
  const name = (/** @type {number | null} */ axis) => (axis === null ? null : axes[axis]);
  return slabOf(values, { row: name(row), column: name(column) }, Object.fromEntries(axes.map((axis, i) => [axis, around[i] ?? 0])));
}

/** @param {number} at @param {import("../tensor/span.js").Span} span @param {number} step */
function placeAt(at, { px, length }, step) {
  const place = Math.floor(at / px / step) * step;
  return place >= 0 && place < length ? place : null;
}

/** The short name, which opens the tensor, and the size as it stands here. @param {Part} part @param {import("../core/store.js").Store} store */
function titleOf({ name, of, stands, row, column, record: { shape, axes, over } }, store) {
  const turned = row !== null && column !== null && row > column;
  const drawn = [row, column].filter((axis) => axis !== null);
  const own = of === "gradient" ? `∂L/∂${ownName(name)}` : ownName(name);
  const text = `${own}${turned ? "ᵀ" : ""}`;
  const on = {
    click: () => store.set({ tensor: name, cell: null, of }), pointerenter: () => store.set({ pointed: name }), pointerleave: () => store.set({ pointed: null }),
    focus: () => store.set({ pointed: name }), blur: () => store.set({ pointed: null }),
  };
  return el("div", { class: "map-title" },
    stands === "result" ? el("span", { class: "map-name", text }) : el("button", { type: "button", class: "link map-name", title: name, "aria-label": `open ${own}`, text, on }),
    " ", sizeText(drawn.map((i) => shape[i]), drawn.map((i) => axes[i]), drawn.map((i) => over[i]), store));
}
