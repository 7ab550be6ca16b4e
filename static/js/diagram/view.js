/** The diagram: the model as the paper draws it, every edge with its size and live values, one level at a time. */

import { json, ServerError } from "../core/api.js";
import { el } from "../core/dom.js";
import { createAxes } from "./axes.js";
import { arrange, isArithmetic } from "./arrange.js";
import { createArithmetic } from "./arithmetic-view.js";
import { createBar } from "./bar.js";
import { createCaption } from "./caption.js";
import { draw } from "./draw.js";
import { blockOf, layersOf, placesTo, readLegend, results } from "./legend.js";
import { light } from "./light.js";
import { fetchPictures, paintPictures } from "./pictures.js";
import { numbers } from "./scene.js";
import { createStage } from "./stage.js";
import { title } from "./words.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Model} Model @typedef {import("./legend.js").Legend} Legend */

const NARROW = 560;
const PAPER = "paper-base";

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {import("../core/actions.js").Actions} actions
 */
export function create(root, store, actions) {
  /** @type {"numbers" | "names" | "both"} */
  let text = "numbers";
  /** @type {Record<string, number>} the layer drawn open in each stack */
  const open = {};
  /** @type {{model: Model, legend: Legend} | null} */
  let read = null;
  /** @type {Model | null} */
  let paper = null;
  /** @type {import("./draw.js").Drawing | null} */
  let drawing = null;
  /** @type {string | null} */
  let shown = null;

  const caption = createCaption();
  const axes = createAxes((axis) => store.set({ axis }));
  const stage = createStage({ out, label: "The model as a diagram. Arrow keys walk, Enter goes in, Escape goes out." });
  const bar = createBar({
    go, text: (next) => { text = next; render(); }, paper: (on) => store.set({ paperSizes: on }), zoom: stage.zoom,
  });
  const arithmetic = createArithmetic(store);
  root.append(bar.element, el("div", { class: "dg-stage" }, stage.element, axes.element, arithmetic.element, bar.zooms), caption.element);

  const on = {
    box: (/** @type {import("./scene.js").Box} */ box) => (box.into !== null ? go(box.into) : store.set({ tensor: box.tensor, cell: null })),
    edge: (/** @type {import("./scene.js").Edge} */ edge) => store.set({ tensor: edge.tensor, cell: null }),
    place: go,
    layer: (/** @type {string} */ stack, /** @type {number} */ layer) => { open[stack] = layer; render(); },
    point: (/** @type {{box?: import("./scene.js").Box, edge?: import("./scene.js").Edge} | null} */ what) => {
      store.set({ pointed: what?.edge?.tensor ?? null });
      explain(what);
    },
    axis: (/** @type {string | null} */ axis) => store.set({ axis }),
  };

  /** @param {string} at */
  function go(at) {
    store.set({ at });
  }

  function out() {
    if (!read) return;
    const places = placesTo(read.legend, store.get().at);
    if (places.length > 1) go(places[places.length - 2]);
  }

  /** @returns {Record<string, number>} */
  function sizes() {
    const { model, trace, paperSizes } = store.get();
    const own = trace?.sizes ?? model?.sizes ?? {};
    const all = paperSizes && paper ? { ...own, ...paper.sizes } : own;
    const met = new Set(model?.tensors.flatMap((tensor) => tensor.over));
    return Object.fromEntries([...met].filter((over) => over in all).map((over) => [over, all[over]]));
  }

  /** @param {import("./scene.js").Box} box */
  function describe(box) {
    const part = read?.legend.parts.get(box.id);
    if (!read || !part) return [box.round ? "addition" : box.title.join(" "), box.mixes ? "mixes positions" : ""].filter(Boolean).join(", ");
    const given = sizes();
    const tensor = read.legend.tensors.get(results(read.legend, part)[0]);
    const shape = tensor ? numbers({ shape: tensor.over.map((over) => given[over] ?? 0) }) : "";
    return `${title(read.legend, part)}, ${part.mixes ? "mixes positions" : "each position alone"}, output ${shape}`;
  }

  /** @param {{box?: import("./scene.js").Box, edge?: import("./scene.js").Edge} | null} [what] */
  function explain(what) {
    const { model, at, paperSizes } = store.get();
    if (!read || !model) return;
    const { legend } = read;
    const counted = paperSizes && paper ? paper : model;
    const name = what?.edge?.tensor ?? what?.box?.tensor;
    const tensor = name ? legend.tensors.get(name) : undefined;
    if (tensor) return caption.tensor(tensor, what?.edge ?? drawing?.edges.get(tensor.name)?.edge);
    const part = legend.parts.get(blockOf(what?.box?.into ?? at));
    if (part) caption.block(legend, part, counted);
  }

  /** @param {Legend} legend */
  function layers(legend) {
    if (!store.get().paperSizes || !paper) return undefined;
    const base = readLegend(paper);
    return Object.fromEntries([...legend.parts.values()].map((part) => [part.name, layersOf(base.parts.get(part.name)).length]).filter(([, count]) => count));
  }

  function render() {
    const { model, trace, at, paperSizes } = store.get();
    if (!model) return void (bar.word.textContent = "The model is being read…");
    if (read?.model !== model) read = { model, legend: readLegend(model) };
    const { legend } = read;
    const before = shown;
    const old = drawing;
    const follows = before === null || before === at ? {} : motion(legend, before, at);
    shown = at;
    bar.showPlace(legend, at);
    bar.showChoices(text, paperSizes);
    axes.show(sizes(), model.axes);
    root.classList.toggle("dg-numbers", isArithmetic(at));
    const part = legend.parts.get(blockOf(at));
    if (isArithmetic(at) && part) {
      drawing = null;
      stage.show(arithmetic.level(legend, part, trace?.sizes ?? model.sizes), follows);
      bar.word.textContent = "";
      explain();
      return void arithmetic.load();
    }
    arithmetic.leave();
    const compact = root.clientWidth < NARROW;
    const scene = arrange(legend, at, sizes(), { text: compact ? "numbers" : text, compact, layer: open, layers: layers(legend), loss: Boolean(trace?.tokens.labels) });
    drawing = draw(scene, { text: compact ? "numbers" : text, describe, on });
    carryPictures(old, drawing);
    stage.show({ group: drawing.group, stops: drawing.stops, ...scene }, follows);
    bar.word.textContent = paperSizes ? (paper ? "Sizes of the paper’s base model; no values, since it was not run." : "The paper’s sizes are being read…") : "";
    explain();
    light(drawing, store.get(), axes);
    void pictures();
  }

  async function pictures() {
    const { trace, index, paperSizes } = store.get();
    const mine = drawing;
    if (!mine || !read) return;
    const { legend } = read;
    if (paperSizes || !trace) return paintPictures(mine, null, new Map(), legend);
    try {
      const values = await fetchPictures(mine, trace, index);
      if (mine === drawing && store.get().trace === trace) paintPictures(mine, trace, values, legend);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }

  store.subscribe(["paperSizes"], async ({ paperSizes }) => {
    if (!paperSizes || paper) return render();
    render();
    try {
      paper = await json(`/api/models/${PAPER}`);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      store.set({ paperSizes: false, problem: error.problem });
    }
    render();
  });
  store.subscribe(["model", "trace", "at"], (state, changed) => {
    if (changed.has("at")) for (const place of [blockOf(state.at)]) remember(place);
    render();
  });
  store.subscribe(["index", "cell", "tensor"], (state, changed) => {
    if (isArithmetic(state.at)) {
      arithmetic.light();
      void arithmetic.load();
    } else if (changed.has("index")) void pictures();
  });
  store.subscribe(["tensor"], ({ tensor, at }) => { if (tensor && at === "" && remember(tensor)) render(); });
  store.subscribe(["tensor", "pointed", "axis"], (state) => { if (drawing) light(drawing, state, axes); });

  /** Draw that layer open which a block or a tensor stands in; say whether this changed anything. @param {string} name */
  function remember(name) {
    let changed = false;
    for (const part of read?.legend.parts.values() ?? []) {
      const layer = layersOf(part).findIndex((inner) => name === inner.name || name.startsWith(`${inner.name}.`));
      if (layer < 0 || open[part.name] === layer) continue;
      changed ||= (open[part.name] ?? 0) !== layer;
      open[part.name] = layer;
    }
    return changed;
  }

  let narrow = root.clientWidth < NARROW;
  new ResizeObserver(() => {
    if (narrow === root.clientWidth < NARROW) return;
    narrow = !narrow;
    render();
  }).observe(root);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && document.activeElement === document.body) out(); });
  root.addEventListener("keydown", (event) => { if (event.key === "Escape") out(); });
  render();
}

/** The pictures of the drawing before stay until new values arrive. @param {import("./draw.js").Drawing | null} old @param {import("./draw.js").Drawing} made */
function carryPictures(old, made) {
  for (const [tensor, { picture }] of made.edges) {
    const before = old?.edges.get(tensor)?.picture;
    if (!before || !picture) continue;
    if (before.dataset.cells) picture.dataset.cells = before.dataset.cells;
    picture.replaceChildren(...before.childNodes);
  }
}

/**
 * How one level follows another.
 * @param {Legend} legend @param {string} before @param {string} at
 * @returns {{way?: "in" | "out", through?: (level: any) => import("./scene.js").Rect | null}}
 */
function motion(legend, before, at) {
  const [old, made] = [placesTo(legend, before), placesTo(legend, at)];
  const inwards = made.includes(before);
  const path = new Set(inwards ? made : old);
  return {
    way: inwards || !old.includes(at) ? "in" : "out",
    through: (level) => [...level.boxes, ...level.frames].reverse().find((box) => path.has(box.into) && box.into !== (inwards ? before : at)) ?? null,
  };
}
