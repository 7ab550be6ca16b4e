/** Both ways of feeding the decoder as a table: a row for each position, with what was fed, what is likeliest next, and what is right. */

import { el, fill } from "../core/dom.js";
import { percent } from "../core/format.js";
import { tokenChip, visible } from "../core/tokens.js";
import { judged } from "./target-words.js";

/** @typedef {import("./target.js").Beside} Beside @typedef {import("./target.js").Position} Position @typedef {import("./target-open.js").Opening} Opening */

/** @typedef {{place: number, step: number | null, targets: string[]}} Where   `place` is the sentence */

const WAYS = /** @type {const} */ (["forced", "free"]);

/**
 * @param {Opening} opening
 * @returns {{element: HTMLElement, show: (beside: Beside, where: Where) => void}}
 */
export function createTable(opening) {
  const body = el("tbody");
  const element = el("div", { class: "target-scroll", tabindex: 0, role: "group", "aria-label": "both ways, position by position", hidden: true }, el("table", { class: "target-table" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col", rowspan: 2, text: "position" }), el("th", { scope: "colgroup", colspan: 2, text: "fed the target" }), el("th", { scope: "col", rowspan: 2, text: "right is" }), el("th", { scope: "colgroup", colspan: 2, text: "fed what it wrote" })),
      el("tr", {}, ...["fed", "likeliest next", "fed", "likeliest next"].map((text) => el("th", { scope: "col", text })))), body));
  /** @type {Beside | null} */
  let shown = null;

  return {
    element,
    show(beside, where) {
      if (beside !== shown) fill(body, ...beside.positions.map((_, i) => line(beside, i, where, opening)));
      shown = beside;
      [...body.children].forEach((row, i) => {
        if (i === where.step) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      });
    },
  };
}

/** @param {Beside} beside @param {number} i @param {Where} where @param {Opening} opening */
function line(beside, i, where, opening) {
  const position = beside.positions[i];
  const [forced, free] = WAYS.map((way) => [fedCell(position, way), predictedCell(beside, i, way, () => (way === "forced" ? opening.forced(where, i, position) : opening.free(beside, where, i)))]);
  const apart = beside.parts !== null && i >= beside.parts;
  return el("tr", { class: `${apart ? "apart" : ""}${i === beside.parts ? " parts" : ""}`.trim() || null }, el("th", { scope: "row" }, i, i === beside.parts ? el("span", { class: "target-mark", text: "they part" }) : ""),
    ...forced, el("td", {}, position.label ? tokenChip(position.label, "tgt", { id: false }) : "—"), ...free);
}

/** @param {Position} position @param {"forced" | "free"} way */
function fedCell(position, way) {
  const fed = position[way];
  return el("td", { class: `way-${way}` }, fed ? tokenChip(fed.fed, "tgt", { id: false }) : "—");
}

/** @param {Beside} beside @param {number} i @param {"forced" | "free"} way @param {() => void} open */
function predictedCell(beside, i, way, open) {
  const position = beside.positions[i];
  const fed = position[way];
  if (!fed) return el("td", { class: "soft", text: "ended" });
  const verdict = judged(position, way);
  const name = way === "forced" ? "fed the target" : "fed what it wrote";
  return el("td", {}, el("button", {
    type: "button", class: `predicted ${verdict ?? ""}`.trim(), "aria-label": [`position ${i}, ${name}: “${visible(fed.predicted.text)}”`, percent(Number(fed.probability)), verdict].filter(Boolean).join(", "),
    title: "open the logits of this position", on: { click: open },
  }, el("bdi", { class: "strong", text: visible(fed.predicted.text) }), el("span", { class: "chance", text: percent(Number(fed.probability)) }), verdict && el("span", { class: "verdict", "aria-hidden": "true", text: verdict === "right" ? "✓" : "✗" })));
}
