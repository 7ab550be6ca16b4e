/** The heatmap of the chosen tensor: its matrices, its scale, and the cursor that walks its cells. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { axisControls, choose, writeAxisTitles } from "./controls.js";
import { watchKeys } from "./keys.js";
import { createCompare, writeDifferenceLegend } from "./compare.js";
import { writeLegend } from "./legend.js";
import { palette, whenThemeChanges } from "../core/palette.js";
import { createPanel } from "./panel.js";
import { cellOf, complete, layOut } from "./picture.js";
import { watchPointer } from "./pointer.js";
import { createReadout } from "./readout.js";
import { measure } from "./ruler.js";
import { sheetOf } from "./sheet.js";
import { createZoom } from "./zoom.js";
import { rowNotes } from "./notes.js";
import { placeTitle } from "./arrange.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {import("./context.js").Context} Context @typedef {{panel: number, row: number, column: number}} Place */

/**
 * @typedef {object} Heatmap
 * @property {HTMLElement} element
 * @property {(context: Context) => Promise<Picture>} prepare   lay out and fetch; changes nothing on screen
 * @property {(picture: Picture) => void} show
 * @property {() => void} markSelected
 * @property {() => Picture | null} picture
 * @property {() => void} fit   lay out anew when the width has changed
 */

/**
 * @param {import("../core/store.js").Store} store
 * @param {{painted: (picture: Picture) => void, room: () => number, against: (context: Context) => Promise<import("./against.js").Against | null>}} around
 *   `painted` is called after each painting; `room` is the width there is; `against` is what is compared with
 * @returns {Heatmap}
 */
export function createHeatmap(store, { painted, room, against }) {
  const controls = el("div", { class: "heat-controls" });
  const titles = el("p", { class: "heat-titles small" });
  const grid = el("div", { class: "heat-grid", tabindex: 0, role: "application", "aria-roledescription": "heatmap" });
  const legend = el("div", { class: "heat-legend small" });
  const notes = el("p", { class: "heat-notes small", hidden: true });
  const readout = createReadout();
  const compare = createCompare(store);
  const zoom = createZoom(() => refine());
  const element = el("div", { class: "heat" }, controls, compare.chooser, el("div", { class: "heat-line" }, titles, zoom.element), grid, legend, compare.says, notes, readout.element);
  /** @type {import("./panel.js").Panel[]} */
  const panels = [];
  /** @type {Picture | null} */
  let picture = null;
  let shared = true;
  /** @type {Place | null} */
  let pointed = null;
  let unsaid = false;

  function paint() {
    if (!picture) return;
    const { frame, perRow } = picture;
    const colours = palette();
    while (panels.length < picture.panels.length) panels.push(createPanel());
    const shown = panels.slice(0, picture.panels.length);
    if (shown.length !== grid.childElementCount || shown.some((panel, i) => grid.children[i] !== panel.element)) fill(grid, ...shown.map((panel) => panel.element));
    grid.style.setProperty("--per-row", String(perRow));
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["bare", !frame.labelled], ["zoomable", picture.zoomable], ["zoomed", zoom.isIn()]])) grid.classList.toggle(name, on);
    picture.panels.forEach((place, i) => panels[i].ready(frame, titleOf(/** @type {Picture} */ (picture), place)));
    const axisCss = (/** @type {string} */ over) => colours.css(`--axis-${over}`) || colours.css("--ink");
    picture.panels.forEach((place, i) => panels[i].draw(sheetOf(/** @type {Picture} */ (picture), place, { shared, axisCss }), colours));
    rowNotes(notes, picture);
    mark();
    painted(picture);
  }

  /** @param {Picture} shown @param {number} place */
  function titleOf({ context: { layout, record }, panels: all }, place) {
    const axis = layout.panel;
    if (axis === null) return null;
    const over = record.over[axis];
    return { text: placeTitle(over, place), colour: axisColour(over), over, open: all.length > 1 ? () => choose(store, over, axis, place) : null };
  }

  function mark() {
    if (!picture) return;
    const selected = placeOf(picture, store.get().cell);
    picture.panels.forEach((panel, i) => panels[i].mark({
      pointed, here: pointed?.panel === panel, selected: selected?.panel === panel ? selected : null,
    }));
    readout.tell(picture, pointed ?? selected);
    if (unsaid) unsaid = !readout.say(picture, pointed);
  }

  /** Fetch what is in view now and paint it; what is there stays until then. */
  async function refine() {
    const mine = picture;
    if (!mine) return;
    paint();
    explain(mine);
    if (!(await complete(mine)) || mine !== picture) return;
    paint();
    if (mine.against) explain(mine);
  }

  /** @param {Picture} shown */
  function explain(shown) {
    if (shown.against) writeDifferenceLegend(legend, shown);
    else writeLegend(legend, shown, { shared, toggle });
    compare.show(shown);
  }

  function toggle() {
    shared = !shared;
    if (picture) explain(picture);
    paint();
  }

  /** @param {Place | null} place @param {{aloud?: boolean, select?: boolean}} [how] */
  function point(place, { aloud = false, select = false } = {}) {
    if (!samePlace(place, pointed)) store.set({ hovered: place && picture && cellOf(picture.context, place) });
    pointed = place;
    if (place && select && picture) store.set({ cell: cellOf(picture.context, place) });
    mark();
    unsaid = aloud && picture !== null && !readout.say(picture, pointed);
  }

  watchPointer(grid, { picture: () => picture, panels: () => panels, point, zoom });
  watchKeys(grid, {
    picture: () => picture, point, zoom,
    at: () => pointed ?? (picture && placeOf(picture, store.get().cell)), clear: () => store.set({ cell: null }), selected: () => store.get().cell !== null,
  });
  whenThemeChanges(paint);

  /** @type {Heatmap} */
  const api = {
    element,
    picture: () => picture,
    async prepare(context) {
      const made = layOut(context, room(), measure);
      made.against = await against(context);
      await complete(made);
      return made;
    },
    show(next) {
      const same = picture?.context.record.name === next.context.record.name;
      if (!same) {
        pointed = null;
        store.set({ hovered: null });
      }
      if (same && picture && sameSize(picture, next)) next.spans = picture.spans;
      picture = next;
      zoom.show(next);
      fillControls(store, controls, next.context);
      writeAxisTitles(titles, next.context);
      grid.setAttribute("aria-label", describe(next));
      void refine();
      api.fit();
    },
    markSelected: mark,
    fit() {
      const shown = picture;
      if (shown && Math.abs(room() - shown.room) >= 1) void api.prepare(shown.context).then((next) => { if (shown === picture) api.show(next); });
    },
  };
  return api;
}

/** Keep the focus on the button that was pressed when the buttons are made anew. @param {import("../core/store.js").Store} store @param {HTMLElement} controls @param {Context} context */
function fillControls(store, controls, context) {
  const focused = controls.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
  fill(controls, ...axisControls(store, context));
  if (focused) /** @type {HTMLElement | undefined} */ ([...controls.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === focused))?.focus();
  controls.hidden = controls.childElementCount === 0;
}

/** @param {Picture} a @param {Picture} b */
function sameSize(a, b) {
  return a.zoomable && b.zoomable && a.context.alone === b.context.alone && ["rows", "columns"].every((side) => {
    const [one, other] = [a.spans, b.spans].map((spans) => spans[/** @type {"rows" | "columns"} */ (side)]);
    return one.length === other.length && one.room === other.room;
  });
}

/** @param {Place | null} a @param {Place | null} b */
function samePlace(a, b) {
  return a === b || (a !== null && b !== null && a.panel === b.panel && a.row === b.row && a.column === b.column);
}

/** @param {Picture} picture @param {number[] | null} cell @returns {Place | null} */
function placeOf({ context: { layout, record } }, cell) {
  if (!cell || cell.length !== record.shape.length) return null;
  const at = (/** @type {number | null} */ axis) => (axis === null ? 0 : cell[axis]);
  return { panel: at(layout.panel), row: at(layout.row), column: at(layout.column) };
}

/** @param {Picture} picture */
function describe({ context: { record, layout, of }, panels }) {
  const side = (/** @type {number | null} */ axis, /** @type {string} */ word) => (axis === null ? [] : [`${record.shape[axis]} ${word} (${record.axes[axis]})`]);
  const many = panels.length > 1 ? `${panels.length} matrices of ` : "";
  return `${of === "gradient" ? "gradient" : "values"} of ${record.name}: ${many}${[...side(layout.row, "rows"), ...side(layout.column, "columns")].join(", ")}. Arrow keys walk the cells, Enter selects one.`;
}
