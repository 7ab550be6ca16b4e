/** One step of the optimiser for the weight in view: Adam written out line by line, and the schedule that its rate stands on. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el, fill, math } from "../core/dom.js";
import { full } from "../core/format.js";
import { decimalsFor, written } from "../explain/numbers.js";
import { createRate } from "./gradients-rate.js";

/**
 * @typedef {import("./gradients-check.js").Asked} Asked @typedef {import("../core/types.js").Cell_} Cell_
 * @typedef {{title: string, rule: string, parts: (string | {value: Cell_})[], value: Cell_}} AdamLine
 * @typedef {{rule: string, d_model: number, warm_up: number, step: number | null, highest: number, steps: number[], rates: number[]}} Schedule
 * @typedef {{name: string, cell: number[], says: string, step: number, rate: number, weight: Cell_, gradient: Cell_, update: Cell_, after: Cell_, lines: AdamLine[], schedule: Schedule}} Step
 */

/** @returns {{element: HTMLElement, show: (asked: Asked | null) => void}} */
export function createStep() {
  const { once } = createAnswers();
  const says = el("p", { class: "gr-step-says" });
  const turn = el("div", { class: "gr-turn" });
  const lines = el("div", { class: "gr-lines" });
  const rate = createRate(() => void ask());
  const element = el("section", { class: "card gr-step", "aria-label": "One step of Adam", hidden: true },
    el("h2", {}, "One step of Adam", el("span", { class: "soft small", text: " the first one, from rest, on this batch" })), turn, says, lines, rate.element);
  /** @type {Asked | null} */
  let asked = null;
  let busy = false;
  let again = false;

  /** At most one question at a time; the newest wins. */
  async function ask() {
    if (busy) return void (again = true);
    const mine = asked;
    if (!mine) return;
    busy = true;
    again = false;
    try {
      const step = await once(`/api/traces/${mine.trace}/optimiser/${mine.name}?cell=${mine.cell.join(",")}&${rate.query()}`);
      if (mine === asked && !again) write(step);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (mine === asked) says.textContent = error.problem.message;
    } finally {
      busy = false;
      if (again) void ask();
    }
  }

  /** @param {Step} step */
  function write(step) {
    fill(turn, ...before(step));
    says.textContent = step.says;
    fill(lines, ...step.lines.map(line));
    rate.show(step);
    element.hidden = false;
    element.dataset.step = [step.name, ...step.cell].join(" ");
  }

  return {
    element,
    show(next) {
      if (JSON.stringify(next) === JSON.stringify(asked)) return;
      asked = next;
      if (next) void ask();
      else element.hidden = true;
    },
  };
}

/** The weight before, what moves it, and the weight after. @param {Pick<Step, "weight" | "gradient" | "update" | "after">} step */
export function before({ weight, gradient, update, after }) {
  const box = (/** @type {string} */ name, /** @type {Cell_} */ value) => el("div", { class: "gr-box", title: full(Number(value)) }, el("span", { class: "soft small", text: name }), el("output", { class: "mono", text: near(Number(value)) }));
  return [box("weight before", weight), box("gradient", gradient), box("update", update), box("weight after", after)];
}

/** One line of Adam: title, rule, the numbers in it, the result. @param {AdamLine} line */
export function line({ title, rule, parts, value }) {
  return el("div", { class: "gr-line" }, el("span", { class: "soft small gr-line-title", text: title }), el("span", { class: "gr-line-rule" }, math(rule)),
    el("span", { class: "mono gr-line-parts" }, ...parts.flatMap((part, i) => [apart(parts, i), typeof part === "string" ? part : number(part.value, parts[i - 1] === "·")])),
    el("span", { class: "mono gr-line-value" }, "= ", el("b", { title: full(Number(value)), text: shown(value) })));
}

/** What stands before a part of a line: a blank, but not before a power or after an opening sign. @param {AdamLine["parts"]} parts @param {number} i */
function apart(parts, i) {
  const [part, before] = [parts[i], parts[i - 1]];
  const closes = typeof part === "string" && /^[²^)]/.test(part);
  return i === 0 || closes || before === "/ (√" ? "" : " ";
}

/** @param {Cell_} value @param {boolean} factor   after a sign of multiplication what is negative stands in brackets */
function number(value, factor) {
  const text = shown(value);
  return el("span", { title: full(Number(value)), text: factor && Number(value) < 0 ? `(${text})` : text });
}

/** As many digits as tell it from its neighbours, short where it is small. @param {Cell_} value */
function shown(value) {
  const size = Math.abs(Number(value));
  const exact = full(Number(value));
  if (exact.length <= 5) return exact;
  if (size !== 0 && size < 0.001) return Number(value).toExponential(3).replaceAll("-", "−");
  return written(value, { decimals: Math.max(decimalsFor([value]), 0) });
}

/** All digits, but no row of zeros. @param {number} value */
function near(value) {
  return value !== 0 && Math.abs(value) < 0.001 ? shown(value) : full(value);
}
