/** Sizes that slide: a slider and a field for each size of the model. What they would make is asked for at once; nothing is run. */

import { axisColour } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { count } from "../core/format.js";
import { changed } from "../core/sizes.js";
import { rerun } from "./sheet-switches.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions @typedef {import("../core/types.js").Size} Size */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {{element: HTMLElement, show: () => void}}
 */
export function createSizes(store, actions) {
  /** @type {Map<string, ReturnType<typeof control>>} */
  const controls = new Map();
  const list = el("div", { class: "params-sliders" });
  const says = el("div", { class: "params-says", role: "status" });
  const run = el("button", { type: "button", class: "button primary", text: "Run with these sizes", on: { click: () => void runIt() } });
  const back = el("button", { type: "button", class: "button", text: "As it ran", on: { click: () => store.set({ sizesOf: null }) } });
  const acts = el("div", { class: "params-acts" }, run, back);
  const element = el("div", { class: "params-sizes" }, list, says, acts);

  /** The sizes on the sliders that are not the run's. @returns {Record<string, number>} */
  function chosen() {
    const { sizesOf, other } = store.get();
    if (sizesOf !== "paper") return sizesOf ?? {};
    return Object.fromEntries((other?.ranges ?? []).filter(({ fixed }) => !fixed).map(({ name, value }) => [name, value]));
  }

  /** @param {string} name @param {number} size */
  function choose(name, size) {
    const { model } = store.get();
    if (model) store.set({ sizesOf: changed(model, { ...chosen(), [name]: size }) });
    show();
  }

  async function runIt() {
    if (await rerun(store, actions, chosen())) store.set({ sizesOf: null });
  }

  function show() {
    const { model, other, sizesOf, refused } = store.get();
    if (!model) return;
    const ranges = (other ?? model).ranges;
    if ([...controls.keys()].join() !== ranges.map(({ name }) => name).join()) {
      controls.clear();
      for (const range of ranges) controls.set(range.name, control(range, choose));
      fill(list, ...[...controls.values()].map(({ row }) => row));
    }
    const sizes = chosen();
    for (const range of ranges) {
      const stops = refused?.where === range.name && refused.instead.length ? refused.instead : range.stops;
      const fixed = model.ranges.find(({ name }) => name === range.name)?.fixed ?? range.fixed;
      controls.get(range.name)?.show({ ...range, stops, fixed }, sizes[range.name] ?? (sizesOf === "paper" ? range.value : model.config[range.name]), refused?.where === range.name);
    }
    run.disabled = sizesOf === null || refused !== null || other === null;
    back.disabled = sizesOf === null;
    acts.hidden = model.trained && sizesOf === null;
    fill(says, ...(refused ? refusal() : model.trained && sizesOf === null ? whyNot() : []));
  }

  function refusal() {
    const { refused } = store.get();
    if (!refused) return [];
    const { message, where, instead } = refused;
    return [el("p", { class: "problem small", text: `${message}.` }), instead.length > 0 && el("div", { class: "picks", role: "group", "aria-label": `${where} instead` }, el("span", { class: "picks-name", text: where }),
      ...instead.map((size) => el("button", { type: "button", class: "pick", text: count(size), on: { click: () => choose(where, size) } })))];
  }

  function whyNot() {
    const { model, models } = store.get();
    return [el("p", { class: "small soft", text: `${model?.title} was trained with these sizes, and its weights fit no others; only heads can be cut anew. With random weights all sizes slide:` }),
      el("div", { class: "picks", role: "group", "aria-label": "models with random weights" }, ...models.filter(({ trained }) => !trained).map(({ id, title }) => el("button", { type: "button", class: "pick", text: title, on: { click: () => void actions.chooseModel(id) } })))];
  }

  return { element, show };
}

/**
 * One size.
 * @param {Size} range
 * @param {(name: string, size: number) => void} choose
 */
function control({ name, axis }, choose) {
  /** @type {Size} */
  let range;
  const id = `size-${name}`;
  const slider = el("input", { type: "range", min: 0, step: 1, class: "params-slider", id: `${id}-slider`, "aria-label": name, on: { input: () => choose(name, range.stops[Number(slider.value)]) } });
  const field = el("input", { type: "number", step: 1, class: "params-field mono", id, "aria-label": `${name}, as a number`, on: { input: typed } });
  const row = el("div", { class: "params-size", vars: axis ? { "--axis": axisColour(axis) } : {} }, el("span", { class: "params-size-name", text: name }), slider, field);

  function typed() {
    const size = Number(field.value);
    const fits = field.value !== "" && Number.isInteger(size) && size >= range.least && size <= range.most;
    mark(!fits);
    if (fits) choose(name, size);
  }

  /** @param {boolean} wrong */
  function mark(wrong) {
    field.setAttribute("aria-invalid", String(wrong));
    field.title = range.fixed ? "" : `${name}: ${count(range.least)} to ${count(range.most)}`;
  }

  return {
    row,
    /** @param {Size} next @param {number} size @param {boolean} wrong */
    show(next, size, wrong) {
      range = next;
      slider.max = String(range.stops.length - 1);
      slider.value = String(Math.max(0, range.stops.filter((stop) => stop <= size).length - 1));
      slider.setAttribute("aria-valuetext", count(size));
      for (const input of [slider, field]) input.disabled = range.fixed;
      field.min = String(range.least);
      field.max = String(range.most);
      if (document.activeElement !== field || Number(field.value) !== size) field.value = String(size);
      mark(wrong);
    },
  };
}
