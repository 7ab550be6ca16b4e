/** Comparing with another step while decoding: the chooser above the heatmap, and under it what the comparison comes to. */

import { el, fill } from "../core/dom.js";
import { stepBefore } from "../core/compare.js";
import { count, full, MARKS, short } from "../core/format.js";
import { maskWords } from "../core/scale.js";
import { tiny } from "../proof/words.js";
import { isThinned } from "./picture.js";
import { stepOf } from "./span.js";
import { tallyOf } from "./tally.js";
import { thinningWords } from "./tiles.js";

/** @typedef {import("./picture.js").Picture} Picture @typedef {import("../core/store.js").Store} Store */

/**
 * @param {Store} store
 * @returns {{chooser: HTMLElement, says: HTMLElement, show: (picture: Picture) => void}}
 */
export function createCompare(store) {
  const toggle = el("button", { type: "button", class: "pick", text: "compare with", title: "show how this tensor differs from the same tensor of another step", on: { click: turn } });
  const steps = el("select", { class: "pick", "aria-label": "step to compare with", on: { change: () => store.set({ compare: Number(steps.value) }) } });
  const chooser = el("div", { class: "picks step-compare", role: "group", "aria-label": "compare with another step", hidden: true }, toggle, steps);
  const says = el("p", { class: "step-compare-says small", hidden: true });
  let furthest = 0;

  function turn() {
    const { compare } = store.get();
    store.set({ compare: compare === null ? Number(steps.value) : null });
  }

  function write() {
    const { decoding, step, compare } = store.get();
    chooser.hidden = !decoding || step === null;
    if (step === null || !decoding) return;
    furthest = Math.max(furthest, step, compare ?? 0);
    toggle.setAttribute("aria-pressed", String(compare !== null));
    while (steps.options.length > furthest + 1) steps.lastElementChild?.remove();
    while (steps.options.length <= furthest) steps.append(el("option", { value: steps.options.length }));
    [...steps.options].forEach((option, i) => {
      const text = `step ${i + 1}${i === step ? ", this one" : i === step - 1 ? ", the one before" : ""}`;
      if (option.text !== text) option.text = text;
    });
    steps.value = String(compare ?? (step === 0 && furthest > 0 ? 1 : stepBefore(step)));
    toggle.disabled = furthest === 0;
    steps.disabled = furthest === 0;
  }

  store.subscribe(["decoding"], () => { furthest = 0; });
  store.subscribe(["decoding", "step", "compare"], write);
  write();

  return {
    chooser, says,
    show(picture) {
      const { step, compare } = store.get();
      says.hidden = compare === null || step === null;
      if (says.hidden) return;
      if (picture.against) fill(says, ...result(picture));
      else says.textContent = compare === step ? "That is the step on screen; choose another one." : `This decoding has no step ${Number(compare) + 1}.`;
    },
  };
}

/** "2 340 of 2 400 cells are the same bits, largest difference 1.2e−7." @param {Picture} picture */
function result(picture) {
  const { against } = picture;
  const tally = tallyOf(picture);
  if (!against || !tally) return [];
  const both = tally.same + tally.other;
  const step = `step ${against.step + 1}`;
  const cells = isThinned(picture) ? "drawn cells" : "cells";
  const fresh = tally.fresh === 0 ? "" : ` ${count(tally.fresh)} ${tally.fresh === 1 ? "cell is" : "cells are"} new.`;
  if (both === 0) return [`Nothing to compare: ${step} has none of these cells.`];
  const same = tally.other === 0 ? `All ${count(both)} ${cells} that ${step} has too are the same bits.` : `${count(tally.same)} of ${count(both)} ${cells} that ${step} has too are the same bits, ${largest(tally, picture)}.`;
  return [el("b", { text: same }), fresh];
}

/** @param {import("./tally.js").Tally} tally @param {Picture} picture */
function largest({ largest: most, other }, { context: { scale } }) {
  if (scale.kind === "mask" || scale.kind === "id") return `${count(other)} changed`;
  return most === 0 ? "the others are not finite or differ in the sign of 0" : `largest difference ${tiny(most)}`;
}

/**
 * The scale of the differences, and a sample of each mark.
 * @param {HTMLElement} element
 * @param {Picture} picture
 */
export function writeDifferenceLegend(element, picture) {
  const tally = tallyOf(picture);
  const { context: { scale }, against, spans } = picture;
  if (!tally || !against) return;
  const thinned = thinningWords(stepOf(spans.rows), stepOf(spans.columns));
  const sample = (/** @type {string} */ swatch, /** @type {string} */ text) => el("span", { class: "sample" }, el("i", { class: `swatch ${swatch}` }), text);
  fill(element, el("span", { text: `this step − step ${against.step + 1}` }),
    ...(tally.other === 0 ? [] : scale.kind === "mask" ? [sample("swatch-positive", `now ${maskWords(scale).yes}`), sample("swatch-negative", `now ${maskWords(scale).no}`)]
      : scale.kind === "id" ? [sample("swatch-positive", "another id")] : [bar(tally.scale.bound)]),
    sample("swatch-same", "same bits"), tally.fresh > 0 && sample("swatch-new", "new in this step"),
    picture.context.record.summary.nan > 0 && sample("swatch-nan", MARKS.nan), thinned && el("span", { class: "thinned", text: `showing ${thinned}` }));
}

/** @param {number} bound */
function bar(bound) {
  const [least, most] = [short(-bound), `+${short(bound)}`];
  return el("span", { class: "scale", role: "img", "aria-label": `colour scale of differences from ${least} to ${most}, symmetric about 0`, title: `strongest colour at ${full(bound)}` },
    el("span", { text: least }), el("span", { class: "scale-bar scale-signed" }, el("i", { class: "scale-zero" })), el("span", { text: most }));
}
