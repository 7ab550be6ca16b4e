/** Where one looks at the diagram from: it fits the screen until somebody pans or zooms. */

/** @typedef {{scale: number, x: number, y: number}} View @typedef {{width: number, height: number, left: number, top: number}} Room */

const LIMITS = { least: 0.3, most: 6, fitted: 1.25 };
const DRAG = 4;

/**
 * The view in which a scene fits a room whole, in the middle.
 * @param {{width: number, height: number}} scene @param {Room} room
 * @returns {View}
 */
export function fitting(scene, { width, height, left, top }) {
  const scale = Math.min((width - left) / scene.width, (height - top) / scene.height, LIMITS.fitted);
  return { scale, x: left + (width - left - scene.width * scale) / 2, y: top + (height - top - scene.height * scale) / 2 };
}

/**
 * The view zoomed by a factor, the point (x, y) of the screen staying where it is.
 * @param {View} view @param {number} factor @param {number} x @param {number} y
 * @returns {View}
 */
export function zoomed(view, factor, x, y) {
  const scale = Math.min(Math.max(view.scale * factor, LIMITS.least), LIMITS.most);
  const change = scale / view.scale;
  return { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change };
}

/**
 * Let a surface be panned and zoomed by wheel, drag and two fingers.
 * @param {Element} surface
 * @param {{get: () => View, set: (view: View) => void}} camera
 */
export function handle(surface, { get, set }) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let moved = false;

  const place = (/** @type {{clientX: number, clientY: number}} */ event) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  surface.addEventListener("wheel", (wheel) => {
    const event = /** @type {WheelEvent} */ (wheel);
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    const { x, y } = place(event);
    const view = get();
    if (event.ctrlKey || event.metaKey) set(zoomed(view, Math.exp(-event.deltaY * unit * 0.01), x, y));
    else set({ ...view, x: view.x - event.deltaX * unit, y: view.y - event.deltaY * unit });
  }, { passive: false });

  surface.addEventListener("pointerdown", (down) => {
    const event = /** @type {PointerEvent} */ (down);
    if (event.button !== 0) return;
    if (fingers.size === 0) moved = false;
    fingers.set(event.pointerId, place(event));
  });

  surface.addEventListener("pointermove", (move) => {
    const event = /** @type {PointerEvent} */ (move);
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (!moved && Math.hypot(now.x - before.x, now.y - before.y) < DRAG) return;
    if (!moved) surface.setPointerCapture(event.pointerId);
    moved = true;
    const view = get();
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) set({ ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y });
    else {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
      const turned = zoomed(view, factor, (before.x + other.x) / 2, (before.y + other.y) / 2);
      set({ ...turned, x: turned.x + (now.x - before.x) / 2, y: turned.y + (now.y - before.y) / 2 });
    }
    fingers.set(event.pointerId, now);
  });

  for (const type of ["pointerup", "pointercancel"]) {
    surface.addEventListener(type, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
  }
  // a drag that ends over a box is no click on it
  surface.addEventListener("click", (event) => {
    if (!moved) return;
    event.stopPropagation();
    moved = false;
  }, { capture: true });
}
