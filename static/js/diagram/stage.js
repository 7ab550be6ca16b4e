/** The surface that the diagram stands on: one level at a time, panned and zoomed, walked by the arrow keys. */

import { svg } from "../core/dom.js";
import { fitting, handle, zoomed } from "./camera.js";
import { follow } from "./motion.js";
import { WAYS, nearest } from "./walk.js";

/** @typedef {{element: SVGElement, rect: import("./scene.js").Rect, id: string}} Stop */

/**
 * One level as it is shown.
 * @typedef {{group: SVGElement, width: number, height: number, stops: Stop[], corner: boolean, over?: number, under?: number, inset?: number}} Level
 *   `corner`: its top left is free for the legend; `over`, `under`, `inset`: room to leave at the top, the bottom and the left
 */

const INSET = 92;

/**
 * @param {{out: () => void, label: string}} on
 */
export function createStage(on) {
  const surface = svg("svg", { class: "dg-surface", role: "group", "aria-label": on.label }, patterns());
  /** @type {Level | null} */
  let level = null;
  let holder = svg("g");
  let view = { scale: 1, x: 0, y: 0 };
  let fitted = true;
  let here = "";

  const room = () => ({ width: surface.clientWidth, height: surface.clientHeight });
  const set = (/** @type {typeof view} */ next, whole = false) => {
    view = next;
    fitted = whole;
    surface.classList.toggle("moved", !whole);
    holder.firstElementChild?.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  };
  const best = (/** @type {Level} */ shown) => {
    const { width, height } = room();
    return fitting(shown, { width, height: height - (shown.under ?? 0), left: shown.inset ?? (shown.corner || width < 700 ? 0 : INSET), top: shown.over ?? 0 });
  };
  const zoom = (/** @type {number | null} */ factor) => {
    if (!level) return;
    const { width, height } = room();
    if (factor === null) set(best(level), true);
    else set(zoomed(view, factor, width / 2, height / 2));
  };

  /** @param {Stop} stop */
  function onScreen({ rect }) {
    return { x: view.x + rect.x * view.scale, y: view.y + rect.y * view.scale, w: rect.w * view.scale, h: rect.h * view.scale };
  }

  /** @param {Stop} stop */
  function goTo(stop) {
    const { width, height } = room();
    const { x, y, w, h } = onScreen(stop);
    const dx = x < 8 ? 8 - x : x + w > width - 8 ? width - 8 - x - w : 0;
    const dy = y < 8 ? 8 - y : y + h > height - 8 ? height - 8 - y - h : 0;
    if (!fitted && (dx || dy)) set({ ...view, x: view.x + dx, y: view.y + dy });
    stop.element.focus({ preventScroll: true });
  }

  surface.addEventListener("focusin", (event) => {
    const stop = level?.stops.find((known) => known.element === event.target);
    if (!stop) return;
    here = stop.id;
    for (const other of level?.stops ?? []) other.element.setAttribute("tabindex", other === stop ? "0" : "-1");
  });

  surface.addEventListener("keydown", (event) => {
    const stop = level?.stops.find((known) => known.element === document.activeElement);
    const way = WAYS[event.key];
    if (way && level) {
      // with the focus on the whole diagram, any arrow steps onto the place that Tab would reach
      const next = stop ? nearest(level.stops, stop, way) : level.stops.find((known) => known.element.getAttribute("tabindex") === "0");
      if (next) goTo(next);
    } else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-" || event.key === "−") zoom(1 / 1.25);
    else if (event.key === "0") zoom(null);
    else if (event.key === "Escape") on.out();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  handle(surface, { get: () => view, set });
  new ResizeObserver(() => { if (level && fitted) set(best(level), true); }).observe(surface);

  return {
    element: surface, zoom, room,

    /**
     * Show a level in place of the one that is there.
     * @param {Level} next
     * @param {{way?: "in" | "out", through?: (level: Level) => import("./scene.js").Rect | null}} [motion]  `through` finds the box between the two levels
     */
    show(next, { way, through } = {}) {
      const focused = surface.contains(document.activeElement);
      const [old, before] = [holder, level];
      const box = way === "in" && before ? through?.(before) : null;
      const from = box ? onScreen(/** @type {Stop} */ ({ rect: box })) : null;
      const same = before !== null && !way;
      holder = svg("g", { class: "dg-level" }, next.group);
      surface.append(holder);
      level = next;
      if (same && !fitted) set(view);
      else set(best(next), true);
      const back = way === "out" ? through?.(next) : null;
      const to = back ? onScreen(/** @type {Stop} */ ({ rect: back })) : null;
      follow(before ? old : null, holder, way === "out" ? to : from, room(), way ?? "in");
      const stop = next.stops.find((known) => known.id === here) ?? next.stops[0];
      stop?.element.setAttribute("tabindex", "0");
      if (focused && stop) stop.element.focus({ preventScroll: true });
    },

    /** @param {string} id which stop to stand on when the next level is shown */
    remember(id) {
      here = id;
    },
  };
}

/** The grounds that need a pattern: woven for what mixes positions, hatched for what is blocked. */
function patterns() {
  const weave = svg("pattern", { id: "dg-weave", width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("path", { class: "dg-weave", d: "M0 2.5H10M0 7.5H4M6 7.5H10M2.5 0V1.5M2.5 3.5V10M7.5 0V6.5M7.5 8.5V10" }));
  const hatch = svg("pattern", { id: "dg-hatch", width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { class: "dg-hatch-ground", width: 4, height: 4 }), svg("path", { class: "dg-hatch", d: "M0 2H4" }));
  return svg("defs", {}, weave, hatch);
}
