/** The diagram's layout, on legends as the server sends them: nothing overlaps, every edge has its tensor and its size, and the order is the paper's. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { arrange } from "../../static/js/diagram/arrange.js";
import { placesTo, readLegend, subs } from "../../static/js/diagram/legend.js";
import { title } from "../../static/js/diagram/words.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = [process.env.VIRTUAL_ENV && `${process.env.VIRTUAL_ENV}/bin/python`, `${root}.venv/bin/python`].find((path) => path && existsSync(path)) ?? "python3";
const program = `
import json, sys
from glassformer.app.describing.traces import describe_model
from glassformer.model.limits import Limits
from glassformer.model.catalogue import card
tiny = card("tiny")
options = {"post": {}, "pre": {"norm": "pre"}, "six": {"n_layers": 6, "dropout": 0.1, "tied_embeddings": True}, "pre_dropout": {"norm": "pre", "dropout": 0.1, "bias": False, "positions": "learned"}, "one": {"n_layers": 1}}
json.dump({name: describe_model(tiny, tiny.config.with_options(changed), Limits()) for name, changed in options.items()}, sys.stdout)
`;
const models = JSON.parse(execFileSync(python, ["-c", program], { cwd: root, maxBuffer: 64 * 2 ** 20, encoding: "utf8" }));
const legends = Object.fromEntries(Object.entries(models).map(([name, model]) => [name, readLegend(/** @type {any} */ (model))]));
const SENTENCES = { batch: 2, src: 3, tgt: 2 };
const PAPER = { batch: 1, src: 120, tgt: 128, d_model: 512, head: 8, d_k: 64, d_ff: 2048, vocab: 37000 };

/** Every level of every model, in every way it can be written. */
function* arranged() {
  for (const [name, legend] of Object.entries(legends)) {
    for (const sizes of [{ ...models[name].sizes, ...SENTENCES }, { ...models[name].sizes, ...PAPER }]) {
      for (const options of [{ text: "numbers", compact: false }, { text: "names", compact: false }, { text: "both", compact: false }, { text: "numbers", compact: true }]) {
        for (const at of legend.parts.keys()) {
          yield { what: `${name} ${at || "model"} ${options.text}${options.compact ? " compact" : ""}`, legend, sizes, options, scene: arrange(legend, at, sizes, { .../** @type {any} */ (options), loss: true }) };
        }
      }
    }
  }
}

const scenes = [...arranged()];

const tiny = (/** @type {string} */ at, model = "post", options = {}) => arrange(legends[model], at, { ...models[model].sizes, ...SENTENCES }, { text: "numbers", compact: false, loss: true, ...options });
const box = (/** @type {any} */ scene, /** @type {string} */ id) => scene.boxes.find((/** @type {any} */ found) => found.id === id) ?? assert.fail(`no box ${id}`);
const edge = (/** @type {any} */ scene, /** @type {string} */ id) => scene.edges.find((/** @type {any} */ found) => found.tensor === id) ?? assert.fail(`no edge ${id}`);
const meet = (/** @type {any} */ a, /** @type {any} */ b) => a.x < b.x + b.w - 1 && b.x < a.x + a.w - 1 && a.y < b.y + b.h - 1 && b.y < a.y + a.h - 1;

test("boxes never overlap, and labels and pictures never cover a box", () => {
  for (const { what, scene } of scenes) {
    scene.boxes.forEach((a, i) => scene.boxes.slice(i + 1).forEach((b) => assert(!meet(a, b), `${what}: ${a.id} overlaps ${b.id}`)));
    for (const { tensor, label, thumb } of scene.edges) {
      for (const other of scene.boxes) {
        assert(!meet(label, other), `${what}: the size of ${tensor} covers ${other.id}`);
        assert(!thumb || !meet(thumb, other), `${what}: the picture of ${tensor} covers ${other.id}`);
      }
    }
  }
});

test("sizes never cover one another at the worked example's sizes", () => {
  for (const { what, scene, sizes } of scenes) {
    if (sizes.src !== SENTENCES.src) continue;
    scene.edges.forEach((a, i) => scene.edges.slice(i + 1).forEach((b) => assert(!meet(a.label, b.label), `${what}: ${a.tensor} covers ${b.tensor}`)));
  }
});

test("every edge has a tensor of the legend, its axes and its size", () => {
  for (const { what, scene, legend, sizes } of scenes) {
    assert(scene.edges.length > 0, what);
    for (const found of scene.edges) {
      const tensor = legend.tensors.get(found.tensor) ?? assert.fail(`${what}: ${found.tensor}`);
      assert.deepEqual(found.axes, tensor.axes);
      assert.deepEqual(found.shape, tensor.over.map((over, i) => sizes[/** @type {keyof typeof sizes} */ (over)] ?? tensor.shape?.[i]));
      assert(found.label.w > 0, `${what}: ${found.tensor} shows no size`);
      assert(found.paths.length > 0, `${what}: ${found.tensor} goes nowhere`);
    }
  }
});

test("everything stands inside the bounds", () => {
  for (const { what, scene } of scenes) {
    for (const { x, y, w, h } of [...scene.boxes, ...scene.frames, ...scene.edges.map((found) => found.label)]) {
      assert(x >= 0 && y >= 0 && x + w <= scene.width && y + h <= scene.height, what);
    }
    for (const point of scene.edges.flatMap((found) => found.paths.flatMap((path) => path.points))) {
      assert(point[0] >= 0 && point[1] >= 0 && point[0] <= scene.width && point[1] <= scene.height, what);
    }
  }
});

test("the same legend and sizes give the same scene", () => {
  for (const at of legends.post.parts.keys()) assert.deepEqual(tiny(at), tiny(at));
});

test("longer sentences move no box: decoding redraws in place", () => {
  for (const at of legends.post.parts.keys()) {
    const place = (/** @type {number} */ tgt) => arrange(legends.post, at, { ...models.post.sizes, batch: 1, src: 3, tgt }, { text: "numbers", compact: false }).boxes.map(({ id, x, y }) => ({ id, x, y }));
    assert.deepEqual(place(3), place(9), at);
  }
});

test("post-norm adds and normalises after the sublayer, as figure 1", () => {
  const scene = tiny("");
  const [attention, norm] = [box(scene, "decoder.layers.0.cross_attn"), box(scene, "decoder.layers.0.cross_attn_residual")];
  assert.equal(norm.title[0], "add & norm");
  assert(norm.y + norm.h < attention.y);
  assert(edge(scene, "decoder.layers.0.self_attn_residual.norm.out").paths.some((/** @type {any} */ path) => path.dashed), "the residual path goes round");
});

test("pre-norm normalises before the sublayer, and once more after the last layer", () => {
  const scene = tiny("", "pre");
  assert(box(scene, "decoder.layers.0.cross_attn_residual.norm").y > box(scene, "decoder.layers.0.cross_attn").y);
  assert(box(scene, "decoder.layers.0.cross_attn_residual.sum").y < box(scene, "decoder.layers.0.cross_attn").y);
  assert(box(scene, "encoder.norm").y < Math.min(...scene.frames.filter((frame) => frame.stack === "encoder").map((frame) => frame.y)));
  assert(subs(legends.pre, /** @type {any} */ (legends.pre.parts.get("encoder.layers.0"))).every((sub) => sub.pre));
});

test("the memory goes from the encoder into V and K of cross-attention, and the decoder into Q", () => {
  for (const model of ["post", "pre"]) {
    const scene = tiny("", model);
    const memory = edge(scene, "memory");
    assert.deepEqual(memory.marks.map((/** @type {any} */ mark) => mark.text).sort(), ["K", "V"]);
    const { x, w, y, h } = box(scene, "decoder.layers.0.cross_attn");
    for (const { points } of memory.paths) {
      const [px, py] = points.at(-1);
      assert(px > x && px < x + w && Math.abs(py - (y + h)) < 1);
    }
    const asked = legends[model].parts.get("decoder.layers.0.cross_attn")?.inputs.query ?? "";
    assert.deepEqual(edge(scene, asked).marks.map((/** @type {any} */ mark) => mark.text), ["Q"]);
  }
});

test("self-attention gets V, K and Q from one tensor", () => {
  assert.deepEqual(edge(tiny(""), "src_embed.sum").marks.map((/** @type {any} */ mark) => mark.text).sort(), ["K", "Q", "V"]);
});

test("attention is titled by what it looks at", () => {
  const name = (/** @type {string} */ at) => title(legends.post, /** @type {any} */ (legends.post.parts.get(at)));
  assert.equal(name("encoder.layers.0.self_attn"), "multi-head self-attention");
  assert.equal(name("decoder.layers.1.self_attn"), "masked self-attention");
  assert.equal(name("decoder.layers.1.cross_attn"), "cross-attention");
  assert.equal(name("decoder.layers.1"), "layer 2");
});

test("a stack shows all its layers, and the memory goes into each of the decoder's", () => {
  const scene = tiny("decoder", "six");
  assert.equal(scene.boxes.length, 6);
  assert.equal(edge(scene, "memory").paths.length, 6);
});

test("the layer drawn open is the one that was chosen", () => {
  const scene = tiny("", "six", { layer: { encoder: 4 } });
  box(scene, "encoder.layers.4.self_attn");
  assert.equal(scene.frames.find((frame) => frame.stack === "encoder")?.layer, 4);
  assert.equal(scene.frames.find((frame) => frame.stack === "encoder")?.layers, 6);
});

test("one can walk from the model to every block and back", () => {
  for (const [name, legend] of Object.entries(legends)) {
    for (const at of legend.parts.keys()) {
      const path = placesTo(legend, at);
      assert.equal(path[0], "");
      assert.equal(path.at(-1), at);
      for (const [i, place] of path.slice(1).entries()) {
        const scene = arrange(legend, path[i], { ...models[name].sizes, ...SENTENCES }, { text: "numbers", compact: false, loss: true, layer: { encoder: layerIn(place), decoder: layerIn(place) } });
        const inside = legend.parts.get(place)?.kind === "Dropout" || [...scene.boxes, ...scene.frames].some((found) => found.into === place || (found.into ?? "").startsWith(`${place}.`));
        assert(inside || path.length > 2, `${name}: ${path[i] || "model"} has no way into ${place}`);
      }
    }
  }
});

test("positions are mixed where the legend says so, and nowhere else", () => {
  const scene = tiny("");
  assert.deepEqual(scene.boxes.filter((found) => found.mixes).map((found) => found.id).sort(), ["decoder.layers.0.cross_attn", "decoder.layers.0.self_attn", "encoder.layers.0.self_attn"]);
});

/** @param {string} name */
function layerIn(name) {
  return Number(/layers\.(\d+)/.exec(name)?.[1] ?? 0);
}

test("in the overview, the boxes in which dropout acts say so, and no others", () => {
  for (const compact of [false, true]) {
    const scene = tiny("", "six", { compact });
    for (const { id, sub = "", aside = "" } of scene.boxes) {
      const part = legends.six.parts.get(id);
      const drops = part?.parts.some((/** @type {any} */ inner) => inner.kind === "Dropout") ?? false;
      assert.equal(`${sub} ${aside}`.includes("drop"), drops, `${id} ${compact ? "compact" : ""}`);
    }
    assert(!JSON.stringify(tiny("", "post", { compact })).includes("dropout"));
    assert(tiny("", "pre_dropout", { compact }).notes.some((/** @type {any} */ note) => note.text === "dropout"), "pre-norm: beside the sum");
  }
});

test("on a phone the way out of the log-softmax ends in the loss, which can be opened", () => {
  assert.equal(box(tiny("", "post", { compact: true }), "loss").into, "loss");
  assert(!tiny("", "post", { compact: true, loss: false }).boxes.some((/** @type {any} */ found) => found.id === "loss"));
});

test("what leaves the loss is the loss that training minimises, not a mean told beside it", () => {
  const scene = tiny("");
  assert.deepEqual(scene.edges.map(({ tensor }) => tensor).filter((name) => name.startsWith("loss.")), ["loss.mean"]);
});
