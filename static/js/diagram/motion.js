/** Motion that keeps one's bearings: going in, the box grows into the new level; going out, the level shrinks into its box. */

import { still } from "../core/motion.js";

/** @typedef {import("./camera.js").View} View @typedef {{x: number, y: number, w: number, h: number}} Rect */

const TIME = 200;

/**
 * Let one level follow another on the screen.
 * @param {SVGElement | null} old  removed when the motion is over
 * @param {SVGElement} made
 * @param {Rect | null} box        the box between the two, on the screen
 * @param {{width: number, height: number}} room
 * @param {"in" | "out"} way
 */
export function follow(old, made, box, room, way) {
  if (!old) return;
  if (still() || !box) return old.remove();
  const small = into(box, room);
  const large = outOf(box, room);
  const time = { duration: TIME, easing: "cubic-bezier(.3,.1,.2,1)" };
  made.animate([{ transform: way === "in" ? small : large, opacity: 0 }, { transform: "none", opacity: 1 }], time);
  old.animate([{ transform: "none", opacity: 1 }, { transform: way === "in" ? large : small, opacity: 0 }], { ...time, fill: "forwards" }).finished.finally(() => old.remove());
}

/** The whole room made as small as the box. @param {Rect} box @param {{width: number, height: number}} room */
function into(box, room) {
  const scale = Math.max(box.w / room.width, 0.05);
  return `translate(${box.x + box.w / 2 - (room.width * scale) / 2}px, ${box.y + box.h / 2 - (room.height * scale) / 2}px) scale(${scale})`;
}

/** The box made as large as the room. @param {Rect} box @param {{width: number, height: number}} room */
function outOf(box, room) {
  const scale = Math.min(room.width / Math.max(box.w, 1), 6);
  return `translate(${room.width / 2 - (box.x + box.w / 2) * scale}px, ${room.height / 2 - (box.y + box.h / 2) * scale}px) scale(${scale})`;
}
