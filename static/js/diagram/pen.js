/** The strokes of the diagram as SVG paths: lines with rounded corners, arrow heads. Pure: no DOM. */

/** @typedef {import("./scene.js").Point} Point */

const CORNER = 5;
const HEAD = { long: 7, half: 3.5 };

/**
 * A line through points, its corners rounded; it stops short where an arrow head follows.
 * @param {Point[]} points @param {boolean} arrow
 * @returns {string}
 */
export function line(points, arrow) {
  const stops = points.slice();
  if (arrow) stops[stops.length - 1] = toward(/** @type {Point} */ (points.at(-1)), /** @type {Point} */ (points.at(-2)), HEAD.long - 1);
  let path = `M${text(stops[0])}`;
  for (let i = 1; i < stops.length - 1; i++) {
    const corner = stops[i];
    const radius = Math.min(CORNER, distance(stops[i - 1], corner) / 2, distance(corner, stops[i + 1]) / 2);
    path += `L${text(toward(corner, stops[i - 1], radius))}Q${text(corner)} ${text(toward(corner, stops[i + 1], radius))}`;
  }
  return `${path}L${text(/** @type {Point} */ (stops.at(-1)))}`;
}

/**
 * The arrow head at the end of a line.
 * @param {Point[]} points
 * @returns {string}
 */
export function head(points) {
  const tip = /** @type {Point} */ (points.at(-1));
  const back = toward(tip, /** @type {Point} */ (points.at(-2)), HEAD.long);
  const [dx, dy] = [(tip[0] - back[0]) / HEAD.long, (tip[1] - back[1]) / HEAD.long];
  const side = (/** @type {number} */ way) => text([back[0] - way * dy * HEAD.half, back[1] + way * dx * HEAD.half]);
  return `M${text(tip)}L${side(1)}L${side(-1)}Z`;
}

/** @param {Point} from @param {Point} to @param {number} far @returns {Point} */
function toward(from, to, far) {
  const whole = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) * far) / whole, from[1] + ((to[1] - from[1]) * far) / whole];
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** @param {Point} point */
function text([x, y]) {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
