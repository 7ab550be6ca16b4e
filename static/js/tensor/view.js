/** The inspector: the chosen tensor, or a start where none is chosen. */

import { ServerError } from "../core/api.js";
import { afterPaint, el, fill } from "../core/dom.js";
import { full } from "../core/format.js";
import { createExplanation } from "../explain/later.js";
import { createGradientCell } from "../training/gradients-cell.js";
import { againstOf } from "./against.js";
import { createAsides } from "./asides.js";
import { contextOf } from "./context.js";
import { createExtremes } from "./extremes.js";
import { createValueOrGradient } from "./gradient.js";
import { createTable, downloads } from "./files.js";
import { header } from "./header.js";
import { createHeatmap } from "./heatmap.js";
import { createHistogram } from "./histogram.js";
import { createLikeliest } from "./likeliest.js";
import { links } from "./links.js";
import { noMean } from "./notes.js";
import { slabsOf } from "./picture.js";
import { lookUp } from "./cells.js";
import { start } from "./start.js";
import { statistics } from "./statistics.js";
import { whyThisSize } from "./why.js";

/** @typedef {import("./context.js").Context} Context @typedef {import("./picture.js").Picture} Picture */

/** How long the old tensor may stay while the new one's values are on their way. */
const PATIENCE = 120;

/** How long a tensor is pointed at before its values are fetched ahead of the click. */
const STEADY = 90;

/**
 * @param {HTMLElement} root
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 */
export function create(root, store, actions) {
  const table = createTable();
  const histogram = createHistogram();
  const heat = createHeatmap(store, { room, painted, against: (context) => againstOf(context, store.get(), actions) });
  const extremes = createExtremes(store);
  const likeliest = createLikeliest(store);
  const explanation = createExplanation(store);
  const [choice, gradientCell] = [createValueOrGradient(store), createGradientCell(store)];
  const number = el("output", { class: "single", hidden: true });
  const numberNote = el("p", { class: "single-note" });
  const head = el("div");
  const after = el("div", { class: "tensor-after" });
  const waiting = el("p", { class: "notice", hidden: true, text: "Fetching the values …" });
  const page = el("article", { class: "tensor", hidden: true }, head, choice.element, waiting, number, numberNote, heat.element, explanation.element, gradientCell.element, likeliest.element, after);
  const beginning = el("div", { class: "tensor" });
  fill(root, createAsides(store), page, beginning, explanation.peek);
  let turn = 0;
  /** Whether the inspector is scrolled down; watched, because asking for it, and setting it, costs a layout. */
  let scrolled = false;
  root.addEventListener("scroll", () => { scrolled = root.scrollTop > 0; }, { passive: true });
  /** @type {string} what the parts around the heatmap were written for */
  let written = "";
  /** @type {{model: import("../core/types.js").Model, start: ReturnType<typeof start>} | null} */
  let begun = null;

  /** The width between the paddings, which the start and a tensor share; watched, because asking for it costs a layout. */
  let width = 0;
  const watch = new ResizeObserver((entries) => {
    for (const { contentRect } of entries) if (contentRect.width > 0) width = Math.floor(contentRect.width);
    heat.fit();
  });
  for (const part of [page, beginning]) watch.observe(part);

  function room() {
    const { paddingLeft, paddingRight } = width ? { paddingLeft: "0", paddingRight: "0" } : getComputedStyle(beginning);
    return Math.max(240, width || Math.floor(beginning.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)));
  }

  /** @param {Picture} picture */
  function painted(picture) {
    number.hidden = picture.context.record.shape.length > 0;
    number.textContent = number.hidden ? "" : full(lookUp(slabsOf(picture, 0, 0), 0, 0) ?? null);
    numberNote.textContent = noMean(picture.context);
    heat.element.hidden = !number.hidden;
    extremes.show(picture);
    table.show(picture);
    Object.assign(root.dataset, { painted: picture.context.record.name, of: picture.context.of, trace: picture.context.trace.id });
  }

  async function show() {
    const mine = ++turn;
    const state = store.get();
    const context = contextOf(state);
    if (!context) return showStart(state);
    if (isPending(context)) return void setTimeout(() => { if (mine === turn) unveil(context, true); }, PATIENCE);
    const asked = explanation.ask(context);
    const prepared = heat.prepare(context);
    const quick = await Promise.race([prepared.catch(() => null), new Promise((go) => setTimeout(() => go(null), PATIENCE))]);
    if (mine !== turn) return;
    const newTensor = page.hidden || !written.endsWith(` ${context.record.name}`);
    if (!quick && newTensor) unveil(context, true);
    const picture = await prepared.catch((error) => problem(error, mine));
    if (mine !== turn || !picture) return;
    unveil(context, false);
    heat.show(picture);
    void explanation.show(asked);
    gradientCell.show(context);
    likeliest.show(context, store.get().cell);
    histogram.show(context);
  }

  /** Write everything but the heatmap. @param {Context} context @param {boolean} early the values are still to come */
  function unveil(context, early) {
    const key = [context.trace.id, context.of, isPending(context), context.record.name].join(" ");
    const stays = !page.hidden && written.endsWith(` ${context.record.name}`);
    page.hidden = false;
    beginning.hidden = true;
    waiting.hidden = !early;
    waiting.textContent = isPending(context) ? "Going back from the loss …" : "Fetching the values …";
    choice.show(context);
    if (early) [heat.element.hidden, number.hidden] = [true, true];
    if (key === written) return;
    written = key;
    fill(head, header(/** @type {Context} */ (contextOf({ ...store.get(), of: "value" })), store));
    const below = () => fill(after, links(context, store), whyThisSize(context), statistics(context, extremes.element), histogram.element, table.element, downloads(context));
    if (stays) afterPaint(() => { if (key === written) below(); });
    else below();
    if (!stays && scrolled) root.scrollTop = 0;
  }

  /** @param {unknown} error @param {number} mine @returns {null} */
  function problem(error, mine) {
    if (!(error instanceof ServerError)) throw error;
    if (mine === turn) {
      waiting.hidden = false;
      waiting.textContent = error.problem.message;
    }
    return null;
  }

  /** @param {import("../core/store.js").State} state */
  function showStart({ model, trace }) {
    written = "";
    delete root.dataset.painted;
    delete root.dataset.trace;
    const closed = page.contains(document.activeElement);
    page.hidden = true;
    beginning.hidden = false;
    void explanation.show(null);
    gradientCell.hide();
    if (!model || !trace) return;
    if (begun?.model !== model) {
      begun = { model, start: start(model, store) };
      fill(beginning, begun.start.element);
    }
    begun.start.tell(trace);
    if (closed) beginning.querySelector("h1")?.focus();
  }

  store.subscribe(["trace", "model", "tensor", "index", "compare", "of", "gradients"], (state, changed) => {
    // gradients that came for the panel alone change nothing here
    if (changed.size > 1 || !changed.has("gradients") || state.of === "gradient") void show();
  });
  store.subscribe(["cell"], (state, changed) => {
    const context = contextOf(state);
    const shown = heat.picture()?.context;
    if (["tensor", "trace", "index", "compare", "of"].some((field) => changed.has(/** @type {"tensor"} */ (field))) || !context || !shown || isPending(context)) return;
    if (context.places.some((place, i) => i !== context.layout.panel && place !== shown.places[i]) || context.alone !== shown.alone) void show();
    else {
      void explanation.show(explanation.ask(context));
      heat.markSelected();
      gradientCell.show(context);
      likeliest.show(context, state.cell);
    }
  });
  let ahead = 0;
  store.subscribe(["pointed"], (state) => {
    clearTimeout(ahead);
    const context = state.pointed === null || state.pointed === state.tensor ? null : contextOf({ ...state, tensor: state.pointed, cell: null });
    if (context) ahead = window.setTimeout(() => void heat.prepare(context).catch(() => null), STEADY);
  });
  page.addEventListener("keydown", explanation.key);
  store.subscribe(["axis"], ({ axis, model }) => light(root, axis, model !== null));
  void show();
}

/** Whether a gradient is to be shown that is still being worked out. @param {Context} context */
function isPending({ of, gradient }) {
  return of === "gradient" && gradient === null;
}

/** Underline every mention of the axis under the pointer. @param {HTMLElement} root @param {string | null} axis @param {boolean} there */
function light(root, axis, there) {
  if (!there) return;
  for (const element of root.querySelectorAll(".size-axis")) {
    const colour = /** @type {HTMLElement} */ (element).style.getPropertyValue("--axis");
    element.classList.toggle("lit", axis !== null && colour.startsWith(`var(--axis-${axis},`));
  }
}
