/** Walking the diagram with the arrow keys: the nearest thing that way. Pure: no DOM. */

/** @typedef {{x: number, y: number, w: number, h: number}} Rect */

const ASIDE = 1e6;

/** @type {Record<string, [number, number]>} */
export const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * The rectangle to go to from one rectangle in a direction; null when there is none that way.
 * @template {{rect: Rect}} T
 * @param {T[]} stops @param {T} from @param {[number, number]} way
 * @returns {T | null}
 */
export function nearest(stops, from, [dx, dy]) {
  const [x, y] = middle(from.rect);
  let best = null;
  let least = Infinity;
  for (const stop of stops) {
    if (stop === from) continue;
    const [sx, sy] = middle(stop.rect);
    const along = (sx - x) * dx + (sy - y) * dy;
    if (along <= 1) continue;
    const off = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    const gap = Math.max(0, off - (dx ? from.rect.h + stop.rect.h : from.rect.w + stop.rect.w) / 2);
    // what lies more aside than ahead comes after everything that lies ahead
    const far = along + 2 * gap + 0.15 * off + (gap > 0 && off > 1.8 * along ? ASIDE : 0);
    if (far < least) [best, least] = [stop, far];
  }
  return best;
}

/** @param {Rect} rect @returns {[number, number]} */
function middle({ x, y, w, h }) {
  return [x + w / 2, y + h / 2];
}
