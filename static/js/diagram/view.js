/** The diagram: the model as the paper draws it, every edge with its size and live values, one level at a time. */

import { ServerError } from "../core/api.js";
import { el } from "../core/dom.js";
import { whenThemeChanges } from "../core/palette.js";
import { arrange, isArithmetic } from "./arrange.js";
import { createAxes } from "./axes.js";
import { createBar } from "./bar.js";
import { carryPictures, passage } from "./between.js";
import { createCaption } from "./caption.js";
import { cutSentence } from "./cut.js";
import { draw, redraw } from "./draw.js";
import { blockOf, placesTo, readLegend, results, shapeAt } from "./legend.js";
import { light, stepBack } from "./light.js";
import { createNorms } from "./norms.js";
import { createOpen } from "./open.js";
import { layersIn, whose } from "./other.js";
import { fetchPictures, paintPictures } from "./pictures.js";
import { numbers } from "./scene.js";
import { createStage } from "./stage.js";
import { title } from "./words.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Model} Model @typedef {import("./legend.js").Legend} Legend */
/** @typedef {import("./scene.js").Box} Box @typedef {import("./scene.js").Edge} Edge */

const NARROW = 560;

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {import("../core/actions.js").Actions} _actions
 */
export function create(root, store, _actions) {
  /** @type {"numbers" | "names" | "both"} */
  let text = "numbers";
  /** @type {{model: Model, legend: Legend} | null} */
  let read = null;
  /** @type {import("./draw.js").Drawing | null} */
  let drawing = null;
  /** @type {string | null} */
  let shown = null;
  let narrow = root.clientWidth < NARROW;
  const open = createOpen();

  const caption = createCaption();
  const axes = createAxes((axis) => store.set({ axis }));
  const stage = createStage({ out, label: "The model as a diagram. Arrow keys walk, Enter goes in, Escape goes out." });
  const bar = createBar({ go, text: (next) => { text = next; render(); }, paper: (on) => store.set({ sizesOf: on ? "paper" : null }), zoom: stage.zoom });
  /** @type {ReturnType<typeof import("./arithmetic-view.js").createArithmetic> | null} the innermost level, fetched when it is first entered */
  let arithmetic = null;
  const norms = createNorms(store, () => drawing);
  root.append(bar.element, el("div", { class: "dg-stage" }, stage.element, axes.element, norms.element, bar.zooms), caption.element);

  const on = {
    box: (/** @type {Box} */ box) => (box.into !== null ? go(box.into) : store.set({ tensor: box.tensor, cell: null })),
    edge: (/** @type {Edge} */ edge) => store.set({ tensor: edge.tensor, cell: null }),
    place: go,
    layer: (/** @type {string} */ stack, /** @type {number} */ layer) => { open.layers[stack] = layer; render(); },
    point: (/** @type {{box?: Box, edge?: Edge} | null} */ what) => {
      store.set({ pointed: what?.edge?.tensor ?? null });
      explain(what);
    },
    axis: (/** @type {string | null} */ axis) => store.set({ axis }),
  };

  /** @param {string} at */
  function go(at) {
    store.set({ at, pointed: null, axis: null });
  }

  function out() {
    const places = read ? placesTo(read.legend, store.get().at) : [];
    if (places.length > 1) go(places[places.length - 2]);
  }

  /** The size of every axis, in the order in which the model meets them. @returns {Record<string, number>} */
  function sizes() {
    const { model, trace, other } = store.get();
    const all = { ...(trace?.sizes ?? model?.sizes), ...other?.sizes };
    const met = new Set(model?.tensors.flatMap((tensor) => tensor.over));
    return Object.fromEntries([...met].filter((over) => over in all).map((over) => [over, all[over]]));
  }

  /** @param {Box} box */
  function describe(box) {
    const mixes = box.mixes ? "mixes positions" : "";
    const part = read?.legend.parts.get(box.id);
    if (!read || !part) return [box.round ? "addition" : box.title.join(" "), mixes].filter(Boolean).join(", ");
    const tensor = read.legend.tensors.get(results(read.legend, part)[0]);
    return [title(read.legend, part), mixes || "each position alone", tensor ? `output ${numbers({ shape: shapeAt(tensor, sizes()) })}` : ""].filter(Boolean).join(", ");
  }

  /** @param {{box?: Box, edge?: Edge} | null} [what] */
  function explain(what) {
    const { model, at, other } = store.get();
    if (!read || !model) return;
    const name = what?.edge?.tensor ?? what?.box?.tensor;
    const tensor = name ? read.legend.tensors.get(name) : undefined;
    const part = read.legend.parts.get(blockOf(what?.box?.into ?? at));
    if (tensor) caption.tensor(tensor, what?.edge ?? drawing?.edges.get(tensor.name)?.edge, cutSentence(read.legend, tensor, sizes()));
    else if (part) caption.block(read.legend, part, other ?? model);
  }

  function render() {
    const { model, at, sizesOf } = store.get();
    if (!model) return caption.tell("The model is being read…");
    if (read?.model !== model) read = { model, legend: readLegend(model) };
    const { legend } = read;
    const follows = passage(legend, shown, at);
    shown = at;
    bar.showPlace(legend, at);
    bar.showChoices(text, sizesOf === "paper");
    caption.tell(isArithmetic(at) ? "" : whose(store.get()));
    axes.show(sizes(), model.axes);
    root.classList.toggle("dg-numbers", isArithmetic(at));
    if (isArithmetic(at)) showArithmetic(legend, at, follows);
    else showScene(legend, at, follows);
    explain();
  }

  /** @param {Legend} legend @param {string} at @param {ReturnType<typeof passage>} follows */
  function showArithmetic(legend, at, follows) {
    const part = legend.parts.get(blockOf(at));
    if (!part) return;
    if (!arithmetic) return void fetchArithmetic().then(() => { if (store.get().at === at) showArithmetic(legend, at, follows); });
    drawing = null;
    norms.paint();
    stage.show(arithmetic.level(legend, part, { sizes: store.get().trace?.sizes ?? sizes(), room: stage.room() }), follows);
    void arithmetic.load();
  }

  async function fetchArithmetic() {
    const { createArithmetic } = await import("./arithmetic-view.js");
    if (arithmetic) return;
    arithmetic = createArithmetic(store, render);
    norms.element.after(arithmetic.element);
  }

  /** @param {Legend} legend @param {string} at @param {ReturnType<typeof passage>} follows */
  function showScene(legend, at, follows) {
    const { trace, other } = store.get();
    arithmetic?.leave();
    const compact = narrow;
    const written = compact ? "numbers" : text;
    const scene = arrange(legend, at, sizes(), { text: written, compact, layer: open.layers, layers: other ? layersIn(legend, other) : undefined, loss: Boolean(trace?.tokens.labels) });
    const about = { text: written, describe, on };
    if (drawing && redraw(drawing, scene, about)) return void pictures();
    const old = drawing;
    drawing = draw(scene, about);
    carryPictures(old, drawing);
    stage.show({ group: drawing.group, stops: drawing.stops, ...scene }, follows);
    light(drawing, store.get(), axes);
    stepBack(drawing, store.get());
    norms.paint();
    void pictures();
  }

  async function pictures() {
    const { trace, index, other } = store.get();
    const mine = drawing;
    if (!mine || !read) return;
    const { legend } = read;
    if (other || !trace) return paintPictures(mine, null, new Map(), legend);
    try {
      const values = await fetchPictures(mine, trace, index);
      if (mine !== drawing || store.get().trace !== trace) return;
      paintPictures(mine, trace, values, legend);
      root.dataset.trace = trace.id;
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }

  store.subscribe(["model", "trace", "at", "sizesOf", "other"], (state, changed) => {
    if (read && changed.has("at")) open.follow(read.legend, blockOf(state.at));
    render();
  });
  store.subscribe(["index", "cell", "tensor"], (state, changed) => {
    if (isArithmetic(state.at)) arithmetic?.follow();
    else if (changed.has("index")) void pictures();
    if (read && state.tensor && changed.has("tensor") && open.follow(read.legend, state.tensor) && state.at === "") render();
  });
  store.subscribe(["tensor", "pointed", "axis", "lit"], (state) => { if (drawing) light(drawing, state, axes); });
  store.subscribe(["decoding", "step"], (state) => { if (drawing) stepBack(drawing, state); });

  new ResizeObserver(() => {
    if (narrow === root.clientWidth < NARROW) return;
    narrow = !narrow;
    render();
  }).observe(root);
  whenThemeChanges(() => void pictures());
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && document.activeElement === document.body) out(); });
  root.addEventListener("keydown", (event) => { if (event.key === "Escape") out(); });
  render();
}
