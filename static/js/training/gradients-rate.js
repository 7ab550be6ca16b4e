/** The learning rate: the paper's schedule drawn, a step of it chosen, or a rate of one's own. */

import { el, fill, math, svg } from "../core/dom.js";
import { count, full } from "../core/format.js";

/** @typedef {import("./gradients-step.js").Step} Step @typedef {import("./gradients-step.js").Schedule} Schedule */

const [WIDE, HIGH, LEFT, TOP, BOTTOM] = [360, 96, 8, 8, 18];

/**
 * @param {() => void} changed
 * @returns {{element: HTMLElement, query: () => string, show: (step: Step) => void}}
 */
export function createRate(changed) {
  /** @type {{step: number} | {rate: number}} */
  let chosen = { step: 1 };
  const curve = svg("svg", { class: "gr-curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
  const slider = el("input", { type: "range", min: 1, max: 16000, step: 1, value: 1, "aria-label": "step of the schedule", on: { input: () => choose({ step: Number(slider.value) }) } });
  const place = el("input", { type: "number", class: "gr-number", min: 1, max: 1000000, value: 1, "aria-label": "step of the schedule, as a number", on: { change: () => choose({ step: Math.round(within(Number(place.value), 1, 1000000)) }) } });
  const rate = el("input", { type: "text", inputmode: "decimal", class: "gr-number", "aria-label": "learning rate", on: { change: own } });
  const says = el("p", { class: "small soft gr-rate-says" });
  const rule = el("span", { class: "gr-rate-rule" });
  const element = el("div", { class: "gr-rate" }, el("div", { class: "gr-rate-head" }, el("h3", { text: "The rate, from the paper’s schedule" }), rule), curve,
    el("div", { class: "gr-fields" }, slider, el("label", {}, el("span", { class: "soft small", text: "step s " }), place), el("label", {}, el("span", { class: "soft small", text: "rate r " }), rate)), says);

  /** @param {typeof chosen} next */
  function choose(next) {
    chosen = next;
    changed();
  }

  function own() {
    const value = Number(rate.value.replace("−", "-").replace(",", "."));
    if (value > 0 && value <= 100) choose({ rate: value });
    else says.textContent = "A rate is above 0 and at most 100.";
  }

  return {
    element,
    query: () => ("rate" in chosen ? `rate=${chosen.rate}` : `step=${chosen.step}`),
    show({ rate: value, schedule }) {
      const { step, warm_up: warm, d_model: width, steps } = schedule;
      if (!rule.firstChild) fill(rule, math(schedule.rule));
      slider.max = String(steps[steps.length - 1]);
      if (step !== null) [slider.value, place.value] = [String(step), String(step)];
      rate.value = full(value).replace("−", "-");
      slider.setAttribute("aria-valuetext", step === null ? `rate ${full(value)}` : `step ${step}, rate ${full(value)}`);
      says.textContent = step === null ? "A rate of your own, apart from the schedule." : `d_model ${width}, warm-up w ${count(warm)}: up in a line to ${full(schedule.highest)} at step ${count(warm)}, then down as 1 / √s. ${phase(step, warm)}`;
      fill(curve, ...drawn(schedule, value));
      curve.setAttribute("aria-label", `learning rate by step, from 0 up to ${full(schedule.highest)} at step ${warm}, then falling`);
    },
  };
}

/** @param {number} step @param {number} warm */
function phase(step, warm) {
  return step < warm ? "Here it still warms up." : step === warm ? "Here is the top." : "Here it falls.";
}

/** @param {Schedule} schedule @param {number} rate */
function drawn({ steps, rates, highest, step, warm_up: warm }, rate) {
  const last = steps[steps.length - 1];
  const x = (/** @type {number} */ at) => LEFT + ((at - 1) / (last - 1)) * (WIDE - 2 * LEFT);
  const y = (/** @type {number} */ value) => HIGH - BOTTOM - Math.min(1, value / highest) * (HIGH - BOTTOM - TOP);
  const line = steps.map((at, i) => `${i ? "L" : "M"}${x(at).toFixed(1)} ${y(rates[i]).toFixed(1)}`).join("");
  const base = HIGH - BOTTOM;
  return [
    svg("path", { class: "gr-curve-area", d: `${line}L${x(last)} ${base}L${x(1)} ${base}Z` }), svg("path", { class: "gr-curve-line", d: line }),
    svg("path", { class: "gr-curve-base", d: `M${LEFT} ${base}H${WIDE - LEFT}M${x(warm)} ${base}v4` }),
    svg("text", { x: LEFT, y: HIGH - 4, text: "1" }), svg("text", { x: x(warm), y: HIGH - 4, "text-anchor": "middle", text: `w = ${count(warm)}` }), svg("text", { x: WIDE - LEFT, y: HIGH - 4, "text-anchor": "end", text: count(last) }),
    step === null ? svg("path", { class: "gr-curve-own", d: `M${LEFT} ${y(rate)}H${WIDE - LEFT}` }) : null, step === null ? null : svg("path", { class: "gr-curve-drop", d: `M${x(step)} ${base}V${y(rate)}` }),
    step === null ? null : svg("circle", { class: "gr-curve-spot", cx: x(step), cy: y(rate), r: 4.5 }),
  ].filter((part) => part !== null);
}

/** @param {number} value @param {number} least @param {number} most */
function within(value, least, most) {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
}
