/** The colour scale with its numbers, and a sample of each mark that occurs. */

import { el, fill } from "../core/dom.js";
import { MARKS, full, short } from "../core/format.js";
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
    (scale.blocked && below > 0) || (tensor?.kind === "softmax" && zero > 0) ? sample("swatch-blocked", tensor?.kind === "softmax" ? "blocked, exactly 0" : `${MARKS.blocked} (−∞)`) : null,
    scale.kind === "mask" ? sample("swatch-allowed", "allowed") : null,
    scale.kind === "mask" ? sample("swatch-blocked", MARKS.blocked) : null,
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
  const name = scale.kind === "share" ? "scale-share" : "scale-signed";
  const [least, most] = own ? ["− largest", "largest"] : [scale.kind === "share" ? "0" : short(-scale.bound), short(scale.bound)];
  const label = own ? "each on its own scale, symmetric about 0" : `colour scale from ${least} to ${most}`;
  return el("span", { class: "scale", role: "img", "aria-label": label, title: own ? label : `${least} to ${full(scale.bound)}` },
    el("span", { text: scale.kind === "share" ? "0" : least }), el("span", { class: `scale-bar ${name}` }, scale.kind === "signed" && el("i", { class: "scale-zero" })),
    el("span", { text: scale.kind === "share" ? short(scale.bound).replace(/\.00$/, "") : most }));
}

/** @param {string} swatch @param {string} text */
function sample(swatch, text) {
  return el("span", { class: "sample" }, el("i", { class: `swatch ${swatch}` }), text);
}
