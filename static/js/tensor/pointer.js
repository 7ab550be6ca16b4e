/** Mouse, pen and touch on a heatmap: hovering reads, a click selects, dragging and the wheel move and zoom a large one. */

/**
 * @typedef {import("./picture.js").Picture} Picture @typedef {import("./panel.js").Panel} Panel
 * @typedef {{panel: number, row: number, column: number}} Place
 */

/**
 * @param {HTMLElement} grid
 * @param {object} host
 * @param {() => Picture | null} host.picture
 * @param {() => Panel[]} host.panels
 * @param {(place: Place | null, how?: {select?: boolean}) => void} host.point
 * @param {import("./zoom.js").Zoom} host.zoom
 */
export function watchPointer(grid, { picture, panels, point, zoom }) {
  /** @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  let travelled = 0;

  /** @param {MouseEvent} event @returns {Place | null} */
  function placeAt(event) {
    const shown = picture();
    const i = panels().findIndex((panel) => panel.element.contains(/** @type {Node} */ (event.target)));
    const spot = shown && i >= 0 && i < shown.panels.length ? panels()[i].spotAt(event) : null;
    return spot && shown && { panel: shown.panels[i], ...spot };
  }

  grid.addEventListener("pointerdown", (event) => {
    if (!placeAt(event)) return;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled = 0;
    if (zoom.isIn() && event.pointerType === "touch") grid.setPointerCapture(event.pointerId);
  });
  grid.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (before) {
      const after = { x: event.clientX, y: event.clientY };
      drag(before, after, event.pointerId);
      down.set(event.pointerId, after);
    }
    if (!before || travelled < 4) point(placeAt(event));
  });
  grid.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") point(null);
  });
  for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) globalThis.addEventListener(type, (event) => down.delete(event.pointerId));
  grid.addEventListener("click", (event) => {
    const place = travelled < 4 && !(/** @type {Element} */ (event.target).closest("button")) ? placeAt(event) : null;
    if (place) point(place, { select: true });
  });
  grid.addEventListener("dblclick", (event) => zoom.by(2.5, local(event)));
  grid.addEventListener("wheel", (event) => {
    if (!placeAt(event) || !zoom.can()) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom.by(Math.exp(-event.deltaY * 0.01), local(event));
    } else if (zoom.isIn() && zoom.pan(event.deltaX || (event.shiftKey ? event.deltaY : 0), event.shiftKey ? 0 : event.deltaY)) event.preventDefault();
  }, { passive: false });

  /** @param {{x: number, y: number}} before @param {{x: number, y: number}} after @param {number} id */
  function drag(before, after, id) {
    travelled += Math.abs(after.x - before.x) + Math.abs(after.y - before.y);
    if (!zoom.can()) return;
    const other = [...down].find(([pointer]) => pointer !== id)?.[1];
    if (other) zoom.by(distance(after, other) / Math.max(distance(before, other), 1), local({ clientX: (after.x + other.x) / 2, clientY: (after.y + other.y) / 2 }));
    else if (travelled >= 4) zoom.pan(before.x - after.x, before.y - after.y);
  }

  /** @param {{clientX: number, clientY: number}} event */
  function local({ clientX, clientY }) {
    const box = panels()[0]?.canvas().getBoundingClientRect();
    const frame = picture()?.frame;
    return { x: clientX - (box?.left ?? 0) - (frame?.left ?? 0), y: clientY - (box?.top ?? 0) - (frame?.top ?? 0) };
  }
}

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
