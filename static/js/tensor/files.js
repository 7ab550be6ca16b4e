/** The tensor to take away, and the matrices on screen as a table. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { placeTitle } from "./arrange.js";
import { cellText, isBlocked, lookUp } from "./cells.js";
import { changeInFull } from "./change.js";
import { full } from "../core/format.js";
import { isSmall, labelOf } from "./picture.js";
import { cellsOf } from "./sheet.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {import("./context.js").Context} Context */

/** @param {Context} context */
export function downloads({ trace, record, of }) {
  const base = `/api/traces/${trace.id}/tensors/${record.name}`;
  const query = of === "gradient" ? "?of=gradient" : "";
  const link = (/** @type {string} */ address, /** @type {string} */ text, /** @type {string} */ file) => el("a", { href: `${address}${query}`, download: file, text });
  const name = of === "gradient" ? `${record.name}.gradient` : record.name;
  return el("p", { class: "downloads small" }, el("span", { class: "soft", text: "take it away: " }),
    link(base, "safetensors", `${name}.safetensors`), " · ", link(`${base}.npy`, ".npy", `${name}.npy`), " · ", link(`${base}.csv`, ".csv", `${name}.csv`));
}

/** @returns {{element: HTMLDetailsElement, show: (picture: Picture) => void}} */
export function createTable() {
  const body = el("div", { class: "tables", tabindex: 0, role: "group", "aria-label": "the values as tables" });
  const element = el("details", { class: "card as-table" }, el("summary", {}, el("h2", { text: "As a table" })), body);
  /** @type {Picture | null} */
  let picture = null;
  const write = () => {
    if (picture && element.open) fill(body, ...picture.panels.map((panel) => table(/** @type {Picture} */ (picture), panel)));
  };
  element.addEventListener("toggle", write);
  return {
    element,
    show(next) {
      picture = next;
      element.hidden = !isSmall(next.context);
      write();
    },
  };
}

/** @param {Picture} picture @param {number} panel */
function table(picture, panel) {
  const { context, spans, against } = picture;
  const { record, layout, scale } = context;
  const { slabs, behind, kinds } = cellsOf(picture, panel);
  const columns = Array.from({ length: spans.columns.length }, (_, j) => j);
  const rows = Array.from({ length: spans.rows.length }, (_, i) => i);
  const caption = [layout.panel === null ? record.name : placeTitle(record.over[layout.panel], panel), against && `this step − step ${against.step + 1}`].filter(Boolean).join(": ");
  return el("table", {}, el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, layout.row !== null && el("td"), ...columns.map((j) => heading("col", context, layout.column, j)))),
    el("tbody", {}, ...rows.map((i) => el("tr", {}, layout.row !== null && heading("row", context, layout.row, i), ...columns.map((j) => {
      const value = lookUp(slabs, i, j);
      const kind = kinds && lookUp(kinds, i, j);
      if (value !== undefined && kind !== undefined && kind !== null) return el("td", { text: changeInFull(kind, value, scale) });
      const blocked = value !== undefined && isBlocked(value, i, j, scale, behind);
      return el("td", { text: value === undefined ? "" : scale.kind === "mask" || blocked ? cellText(value, scale, blocked) : full(value) });
    })))));
}

/** @param {string} scope @param {Context} context @param {number | null} axis @param {number} place */
function heading(scope, context, axis, place) {
  return el("th", { scope, vars: axis === null ? {} : { "--axis": axisColour(context.record.over[axis]) } }, el("bdi", { text: labelOf(context, axis, place).text }));
}
