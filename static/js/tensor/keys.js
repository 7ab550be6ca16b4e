/** The keyboard on a heatmap: arrows walk the cells, and on into the next matrix; Enter selects. */

import { stepOf } from "./span.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {{panel: number, row: number, column: number}} Place */

const PAGE = 10;

/**
 * @param {HTMLElement} grid
 * @param {object} host
 * @param {() => Picture | null} host.picture
 * @param {() => Place | null} host.at
 * @param {(place: Place | null, how?: {aloud?: boolean, select?: boolean}) => void} host.point
 * @param {import("./zoom.js").Zoom} host.zoom
 * @param {() => void} host.clear
 * @param {() => boolean} host.selected
 */
export function watchKeys(grid, { picture, at, point, zoom, clear, selected }) {
  grid.addEventListener("keydown", (event) => {
    const shown = picture();
    if (!shown || event.target !== grid || event.altKey || event.metaKey) return;
    if (!act(event, shown)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("focus", () => {
    const shown = picture();
    if (shown && grid.matches(":focus-visible")) point(at() ?? firstInView(shown), { aloud: true });
  });
  grid.addEventListener("blur", () => point(null));

  /** @param {KeyboardEvent} event @param {Picture} shown */
  function act(event, shown) {
    const from = at() ?? firstInView(shown);
    if (event.key === "Enter" || event.key === " ") point(from, { aloud: true, select: true });
    else if (event.key === "Escape" && selected()) clear();
    else if (event.key === "+" || event.key === "=") zoom.by(2);
    else if (event.key === "-") zoom.by(1 / 2);
    else if (event.key === "0") zoom.out();
    else {
      const to = walk(shown, from, event.key, event.ctrlKey);
      if (!to) return false;
      if (shown.zoomable) zoom.reveal(to.row, to.column);
      point(to, { aloud: true });
    }
    return true;
  }
}

/**
 * Where a key leads from a cell; null when it leads nowhere in particular.
 * @param {Pick<Picture, "spans" | "panels">} picture
 * @param {Place} from
 * @param {string} key
 * @param {boolean} far with Ctrl: Home and End go to the corners
 * @returns {Place | null}
 */
export function walk({ spans, panels }, { panel, row, column }, key, far) {
  const [down, across] = [stepOf(spans.rows), stepOf(spans.columns)];
  const [lastRow, lastColumn] = [last(spans.rows.length, down), last(spans.columns.length, across)];
  const rowAt = (/** @type {number} */ place) => Math.max(0, Math.min(lastRow, place));
  const next = panels[panels.indexOf(panel) + 1];
  const before = panels[panels.indexOf(panel) - 1];
  if (key === "ArrowRight") return column < lastColumn ? { panel, row, column: column + across } : next !== undefined ? { panel: next, row, column: 0 } : { panel, row, column };
  if (key === "ArrowLeft") return column > 0 ? { panel, row, column: Math.max(0, column - across) } : before !== undefined ? { panel: before, row, column: lastColumn } : { panel, row, column };
  if (key === "ArrowDown") return { panel, row: rowAt(row + down), column };
  if (key === "ArrowUp") return { panel, row: rowAt(row - down), column };
  if (key === "PageDown") return { panel, row: rowAt(row + PAGE * down), column };
  if (key === "PageUp") return { panel, row: rowAt(row - PAGE * down), column };
  if (key === "Home") return { panel, row: far ? 0 : row, column: 0 };
  if (key === "End") return { panel, row: far ? lastRow : row, column: lastColumn };
  return null;
}

/** @param {Picture} picture @returns {Place} */
function firstInView({ panels, spans }) {
  const first = (/** @type {import("./span.js").Span} */ span) => Math.ceil(span.offset / stepOf(span) - 1e-6) * stepOf(span);
  return { panel: panels[0], row: first(spans.rows), column: first(spans.columns) };
}

/** @param {number} length @param {number} step */
function last(length, step) {
  return Math.floor((length - 1) / step) * step;
}
