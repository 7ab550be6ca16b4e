/** How one level follows another: through which box, and with which pictures until new values arrive. */

import { placesTo } from "./legend.js";

/**
 * @param {import("./legend.js").Legend} legend @param {string | null} before @param {string} at
 * @returns {{way?: "in" | "out", through?: (level: any) => import("./scene.js").Rect | null}}
 */
export function passage(legend, before, at) {
  if (before === null || before === at) return {};
  const [old, made] = [placesTo(legend, before), placesTo(legend, at)];
  const inwards = made.includes(before) || !old.includes(at);
  const [outer, path] = inwards ? [before, new Set(made)] : [at, new Set(old)];
  return {
    way: inwards ? "in" : "out",
    through: (level) => [...(level.boxes ?? []), ...(level.frames ?? [])].reverse().find((box) => path.has(box.into) && box.into !== outer) ?? null,
  };
}

/**
 * The pictures of the drawing before stay until new values arrive.
 * @param {import("./draw.js").Drawing | null} old @param {import("./draw.js").Drawing} made
 */
export function carryPictures(old, made) {
  for (const [tensor, { picture }] of made.edges) {
    const before = old?.edges.get(tensor)?.picture;
    if (!before || !picture) continue;
    picture.replaceChildren(...before.childNodes);
  }
}
