/** Going nearer to a large tensor and moving over it. */

import { el } from "../core/dom.js";
import { moved, revealing, zoomed } from "./span.js";

/** @typedef {import("./picture.js").Picture} Picture */

/**
 * @typedef {object} Zoom
 * @property {HTMLElement} element
 * @property {(picture: Picture) => void} show
 * @property {() => boolean} can    the tensor on screen can be zoomed
 * @property {() => boolean} isIn   it is zoomed
 * @property {(factor: number, at?: {x: number, y: number}) => void} by
 * @property {(x: number, y: number) => boolean} pan   by pixels; false when nothing moved
 * @property {(row: number, column: number) => void} reveal
 * @property {() => void} out       back to the whole
 */

/**
 * @param {() => void} changed
 * @returns {Zoom}
 */
export function createZoom(changed) {
  const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ click) => el("button", {
    type: "button", class: "pick", "aria-label": label, title: label, text, on: { click },
  });
  const whole = button("whole", "show the whole tensor (0)", () => zoom.out());
  const element = el("div", { class: "zoom", role: "group", "aria-label": "zoom", hidden: true },
    button("−", "zoom out (−)", () => zoom.by(1 / 2)), button("+", "zoom in (+)", () => zoom.by(2)), button("numbers", "zoom until the numbers can be read", () => zoom.by(1e6)), whole);
  /** @type {Picture | null} */
  let picture = null;
  let frame = 0;

  /** @param {Picture["spans"]} spans */
  function set(spans) {
    if (!picture) return;
    picture.spans = spans;
    whole.setAttribute("aria-pressed", String(!zoom.isIn()));
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(changed);
  }

  /** @type {Zoom} */
  const zoom = {
    element,
    show(next) {
      picture = next;
      element.hidden = !next.zoomable;
      whole.setAttribute("aria-pressed", String(!zoom.isIn()));
    },
    can: () => picture?.zoomable ?? false,
    isIn: () => picture !== null && (["rows", "columns"]).some((side) => {
      const span = /** @type {Picture} */ (picture).spans[/** @type {"rows" | "columns"} */ (side)];
      return span.px > span.least * 1.001;
    }),
    by(factor, at) {
      if (!picture?.zoomable) return;
      const { rows, columns } = picture.spans;
      set({ rows: zoomed(rows, factor, at?.y ?? rows.room / 2), columns: zoomed(columns, factor, at?.x ?? columns.room / 2) });
    },
    pan(x, y) {
      if (!picture) return false;
      const { rows, columns } = picture.spans;
      const next = { rows: moved(rows, y / rows.px), columns: moved(columns, x / columns.px) };
      if (next.rows.offset === rows.offset && next.columns.offset === columns.offset) return false;
      set(next);
      return true;
    },
    reveal(row, column) {
      if (!picture) return;
      const { rows, columns } = picture.spans;
      const next = { rows: revealing(rows, row), columns: revealing(columns, column) };
      if (next.rows !== rows || next.columns !== columns) set(next);
    },
    out: () => zoom.by(1e-6),
  };
  return zoom;
}
