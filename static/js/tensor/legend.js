/** The colour scale with its numbers, and a sample of each mark that occurs. */

import { el, fill } from "../core/dom.js";
import { MARKS, full, short } from "../core/format.js";
import { maskWords } from "../core/scale.js";
import { thinningWords } from "./tiles.js";
import { stepOf } from "./span.js";

/**
 * @param {HTMLElement} element
 * @param {import("./picture.js").Picture} picture
 * @param {{shared: boolean, toggle: () => void}} sharing
 */
export function writeLegend(element, picture, { shared, toggle }) {
  const { context, spans } = picture;
  const { scale, record, tensor } = context;
  const { nan, positive_infinity: above, negative_infinity: below, zero } = record.summary;
  const several = picture.panels.length > 1 && scale.kind === "signed";
  const thinned = thinningWords(stepOf(spans.rows), stepOf(spans.columns));
  fill(element,
    bar(scale, several && !shared),
    shareNote(scale),
    (scale.blocked && below > 0) || (tensor?.kind === "softmax" && zero > 0) ? sample("swatch-blocked", tensor?.kind === "softmax" ? "blocked, exactly 0" : `${MARKS.blocked} (−∞)`) : null,
    scale.kind === "mask" ? sample("swatch-allowed", maskWords(scale).yes) : null,
    scale.kind === "mask" ? sample("swatch-blocked", maskWords(scale).no) : null,
    nan > 0 ? sample("swatch-nan", MARKS.nan) : null,
    above > 0 ? sample("swatch-positive", MARKS.positive) : null,
    below > 0 && !scale.blocked ? sample("swatch-negative", MARKS.negative) : null,
    several ? el("button", { type: "button", class: "pick", "aria-pressed": String(shared), on: { click: toggle }, text: "one scale for all" }) : null,
    thinned ? el("span", { class: "thinned", text: `showing ${thinned}` }) : null);
}

/** @param {import("../core/scale.js").Scale} scale @param {boolean} own */
function bar(scale, own) {
  if (scale.kind === "mask") return null;
  if (scale.kind === "id") return el("span", { class: "soft", text: "token ids; colour says nothing here" });
  const [least, most] = endsOf(scale, own);
  const about = scale.side ? "from 0" : "symmetric about 0";
  const label = own ? `each on its own scale, ${about}` : `colour scale from ${least} to ${most}`;
  const name = scale.kind === "share" ? "share" : scale.side ?? "signed";
  return el("span", { class: "scale", role: "img", "aria-label": label, title: own ? label : `strongest colour at ${full(scale.side === "below" ? -scale.bound : scale.bound)}` },
    el("span", { text: least }), el("span", { class: `scale-bar scale-${name}` }, name === "signed" && el("i", { class: "scale-zero" })), el("span", { text: most }));
}

/** What stands at the two ends of the scale. @param {import("../core/scale.js").Scale} scale @param {boolean} own @returns {[string, string]} */
function endsOf({ kind, bound, side }, own) {
  if (kind === "share") return ["0", short(bound).replace(/\.00$/, "")];
  const [low, high] = own ? [side ? "lowest" : "− largest", "largest"] : [short(-bound), short(bound)];
  return [side === "above" ? "0" : low, side === "below" ? "0" : high];
}

/** Where shares are all small, their scale ends at the largest. @param {import("../core/scale.js").Scale} scale */
function shareNote({ kind, bound }) {
  return kind === "share" && bound < 1 ? el("span", { class: "scale-note", text: "from 0 to the largest here, not to 1" }) : null;
}

/** @param {string} swatch @param {string} text */
function sample(swatch, text) {
  return el("span", { class: "sample" }, el("i", { class: `swatch ${swatch}` }), text);
}
