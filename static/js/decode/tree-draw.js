/** The tree of one sentence as SVG, a group for each step; from step to step only classes change. */

import { dress, fill, svg } from "../core/dom.js";
import { logarithm } from "../core/format.js";

/**
 * @typedef {import("./tree-layout.js").Plan} Plan @typedef {import("./tree-layout.js").Place} Place @typedef {import("./tree-layout.js").Column} Column
 * @typedef {{step: number, shown: Set<number>, at: number | null, all: boolean}} Look   the step on screen, the path to the prefix on screen, that prefix, and whether all dropped hypotheses are drawn
 * @typedef {{root: SVGSVGElement, look: (look: Look) => void, element: (id: number) => SVGGElement | undefined, seen: (place: Place) => boolean}} Drawing
 */

const PILL = 20;

/**
 * @param {Plan} plan
 * @param {{says: (place: Place) => string, name: string, winner: number | null}} about
 * @returns {Drawing}
 */
export function drawTree(plan, { says, name, winner }) {
  /** @type {Map<number, SVGGElement>} */
  const elements = new Map();
  const band = svg("rect", { class: "tree-band", y: 0, width: plan.pitch, height: plan.height, rx: 6 });
  const columns = plan.columns.map((column) => ({ column, group: svg("g", { class: "tree-step", role: "none" }), faint: svg("g", { class: "tree-faint", role: "none" }) }));
  const root = svg("svg", { class: "tree-drawing", width: plan.width, height: plan.height, viewBox: `0 0 ${plan.width} ${plan.height}`, role: "tree", "aria-label": name }, band);
  const drawn = (/** @type {Place} */ place) => {
    const element = drawNode(place, says(place), place.node.id === winner);
    elements.set(place.node.id, element);
    return element;
  };
  for (const { column, group, faint } of columns) {
    const title = svg("text", { class: "tree-title", x: column.x + plan.pitch / 2, y: 14, "aria-hidden": "true", text: column.step < 0 ? "" : column.step + 1 });
    group.append(title, ...column.kept.filter(({ parent }) => parent).map(drawEdge), ...column.kept.map(drawn));
    root.append(faint, group);
  }
  /** @type {Look} */
  let now = { step: -1, shown: new Set(), at: null, all: false };
  const seen = (/** @type {Place} */ { dropped, node }) => !dropped || now.all || node.step === now.step;

  /** @param {Look} look */
  function look(look) {
    const before = now;
    now = look;
    for (const { column, group, faint } of columns) {
      const open = look.all || column.step === look.step;
      if (open && !faint.hasChildNodes()) faint.append(...column.dropped.map(drawEdge), ...column.dropped.map(drawn));
      if (!open && faint.hasChildNodes()) fill(faint);
      for (const each of [group, faint]) {
        each.classList.toggle("now", column.step === look.step);
        each.classList.toggle("later", column.step > look.step);
      }
      if (column.step === look.step) dress(band, { x: column.x });
    }
    mark(before.shown, look.shown, "shown");
    mark(new Set(before.at === null ? [] : [before.at]), new Set(look.at === null ? [] : [look.at]), "at");
    dress(elements.get(before.at ?? -1) ?? band, { "aria-current": null });
    dress(elements.get(look.at ?? -1) ?? band, { "aria-current": "true" });
  }

  /** Take a class from some hypotheses and give it to others. @param {Set<number>} from @param {Set<number>} to @param {string} name */
  function mark(from, to, name) {
    for (const id of from) if (!to.has(id)) elements.get(id)?.classList.remove(name);
    for (const id of to) elements.get(id)?.classList.add(name);
  }

  return { root, look, element: (id) => elements.get(id), seen };
}

/** @param {Place} place @returns {SVGPathElement} */
function drawEdge({ parent, x, y, best, dropped, node }) {
  const from = /** @type {Place} */ (parent);
  const [left, right] = [from.x + from.w, x];
  const bend = (right - left) / 2;
  return svg("path", { class: `tree-edge ${dropped ? "dropped" : node.fate}${best ? " best" : ""}`, d: `M${left} ${from.y}C${left + bend} ${from.y} ${right - bend} ${y} ${right} ${y}` });
}

/** @param {Place} place @param {string} says @param {boolean} wins @returns {SVGGElement} */
function drawNode({ node, text, x, y, w, best, dropped }, says, wins) {
  const sort = `${node.fate}${best ? " best" : ""}${wins ? " wins" : ""}${node.token.special ? " special" : ""}`;
  const high = dropped ? PILL - 5 : PILL;
  const ended = node.fate === "end" || node.fate === "length";
  const under = dropped || node.step < 0 ? null : `${wins ? "wins " : ended ? "ends " : ""}${logarithm(node.score)}`;
  return svg("g", { class: `tree-node ${sort}`, role: "treeitem", tabindex: -1, "aria-level": node.length + 1, "aria-label": says, data: { node: node.id } },
    svg("rect", { class: "tree-reach", x: x - 2, y: y - high / 2 - 1, width: w + 4, height: high + 2 }),
    svg("rect", { class: "tree-pill", x, y: y - high / 2, width: w, height: high, rx: high / 2.6 }),
    svg("text", { class: "tree-token", x: x + w / 2, y: y + (dropped ? 3.5 : 4.5), text }),
    under && svg("text", { class: `tree-score${ended ? " ended" : ""}`, x: x + w / 2, y: y + PILL / 2 + 10, text: under }));
}

/**
 * How far to scroll so that a column is in view, and nothing moves while it is.
 * @param {Column} column @param {number} pitch @param {{left: number, width: number}} view
 */
export function scrollTo({ x }, pitch, { left, width }) {
  const inside = x - pitch >= left && x + pitch + 8 <= left + width;
  return inside ? left : Math.max(0, x - width * 0.6);
}
