/** The four curves of a training: loss, held-out accuracy, learning rate, gradient norm. Drawn at most once a second; a step pointed at is marked in all. */

import { el, fill } from "../core/dom.js";
import { count, percent, short } from "../core/format.js";
import { chart, nearest, stepAt } from "./train-chart.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Log} Log @typedef {import("./train-chart.js").Curve} Curve */

const EVERY = 1000;
const HEIGHT = 112;

/** @returns {{element: HTMLElement, show: (run: Run, log: Log, mark: number | null) => void}} `mark` is the step on screen */
export function createCurves() {
  const element = el("div", { class: "tr-curves", on: { pointermove: point, pointerleave: () => aim(null) } });
  /** @type {{run: Run, log: Log, mark: number | null} | null} */
  let shown = null;
  /** @type {number | null} */
  let pointed = null;
  let drawn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  /** @param {PointerEvent} event */
  function point({ target, clientX }) {
    const box = /** @type {Element} */ (target).closest("svg")?.getBoundingClientRect();
    if (box && shown) aim(stepAt(clientX - box.left, box.width, shown.run.steps));
  }

  /** @param {number | null} step */
  function aim(step) {
    if (step === pointed) return;
    pointed = step;
    draw();
  }

  function draw() {
    clearTimeout(waiting);
    waiting = undefined;
    if (!shown || !element.isConnected) return;
    drawn = Date.now();
    const { run, log, mark } = shown;
    const width = Math.max(160, Math.floor((element.clientWidth - 12) / (element.clientWidth < 480 ? 1 : 2)));
    fill(element, ...curves(run, log).map((curve) => figure({ ...curve, at: pointed ?? mark }, width)));
  }

  new ResizeObserver(() => draw()).observe(element);
  return {
    element,
    show(run, log, mark) {
      const another = shown?.run.id !== run.id || shown?.mark !== mark || shown?.run.state !== run.state;
      shown = { run, log, mark };
      if (another || Date.now() - drawn >= EVERY) draw();
      else waiting ??= setTimeout(draw, EVERY - (Date.now() - drawn));
    },
  };
}

/** @param {Curve} curve @param {number} width */
function figure(curve, width) {
  const dot = nearest(curve.dots, curve.at ?? Infinity);
  const aside = curve.also && dot ? nearest(curve.also, dot.step) : null;
  const [own, other] = [dot ? curve.written(dot.value) : "nothing yet", aside ? `held-out ${curve.written(aside.value)}` : ""];
  const words = [own, other].filter(Boolean).join(", ");
  return el("figure", { class: "tr-figure" },
    el("figcaption", {}, el("b", { text: curve.title }), " ", el("span", { class: "mono", text: own }), other && ", ", other && el("span", { class: "mono of-also", text: other }), dot && el("span", { class: "soft small", text: ` step ${count(dot.step)}` })),
    chart({ ...curve, title: `${curve.title} over ${count(curve.steps)} steps, ${words}` }, width, HEIGHT));
}

/** @param {Run} run @param {Log} log @returns {Curve[]} */
function curves({ steps, levels }, { points, looks }) {
  /** @template {{step: number}} T @param {T[]} rows @param {keyof T} name */
  const dots = (rows, name) => rows.filter((row) => row[name] !== null && Number.isFinite(Number(row[name]))).map((row) => ({ step: row.step, value: Number(row[name]) }));
  return [
    { title: "loss", dots: dots(points, "loss"), also: dots(looks, "held_out_loss"), levels: levels ? [{ at: levels.untrained, title: `ln V: untrained, ${short(levels.untrained)}` }, { at: levels.floor, title: `floor ${short(levels.floor)}`, least: true }] : [], steps, written: short, scale: tidy },
    { title: "held-out accuracy", dots: dots(looks, "accuracy"), steps, most: 1, written: percent, scale: (value) => `${value * 100} %` },
    { title: "learning rate", dots: dots(points, "rate"), steps, written: small, scale: small },
    { title: "gradient norm", dots: dots(points, "norm"), steps, written: short, scale: tidy },
  ];
}

/** A number on a scale, without needless zeros: 12.5, 100, 2500. @param {number} value */
export function tidy(value) {
  return short(value).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** @param {number} value */
function small(value) {
  return value === 0 ? "0" : value < 0.01 ? value.toExponential(value >= 1e-3 ? 2 : 1).replace("-", "−") : value.toPrecision(2);
}
