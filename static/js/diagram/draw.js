/** A scene as SVG: frames, wires, boxes, labels. What can be reached is a button with a name; what happens then is up to `on`. */

import { dress, svg } from "../core/dom.js";
import { around, changeSize, sizeText, spoken } from "./label.js";
import { head, line } from "./pen.js";

/** @typedef {import("./scene.js").Scene} Scene @typedef {import("./scene.js").Edge} Edge @typedef {import("./scene.js").Box} Box @typedef {import("./scene.js").Frame} Frame */

/**
 * @typedef {object} Handlers
 * @property {(box: Box) => void} box
 * @property {(edge: Edge) => void} edge
 * @property {(at: string) => void} place
 * @property {(stack: string, layer: number) => void} layer
 * @property {(what: {box?: Box, edge?: Edge} | null) => void} point
 * @property {(over: string | null) => void} axis
 */

/**
 * @typedef {object} Drawing
 * @property {SVGGElement} group
 * @property {Scene} scene
 * @property {import("./scene.js").Options["text"]} text
 * @property {{element: SVGGElement, rect: import("./scene.js").Rect, id: string}[]} stops  what the arrow keys walk between
 * @property {string} geometry   where everything stands
 * @property {string | null} [lastAxis]
 * @property {Map<string, {label: SVGGElement, wire: SVGGElement, edge: Edge, picture: SVGGElement | null}>} edges
 */

/**
 * @param {Scene} scene
 * @param {{text: import("./scene.js").Options["text"], describe: (box: Box) => string, on: Handlers}} about
 * @returns {Drawing}
 */
export function draw(scene, about) {
  /** @type {Drawing} */
  const drawing = { group: svg("g", { class: "dg-scene" }), scene, geometry: geometry(scene), text: about.text, stops: [], edges: new Map() };
  const frames = scene.frames.map((frame) => drawFrame(frame, about.on, drawing));
  const wires = scene.edges.map((edge) => drawWire(edge, about.on));
  const boxes = scene.boxes.map((box) => drawBox(box, about, drawing));
  const labels = scene.edges.map((edge, i) => drawLabel(edge, wires[i], about, drawing));
  const notes = scene.notes.map((note) => svg("text", { class: "dg-note", x: note.x, y: note.y + 4, "text-anchor": note.anchor, text: note.text }));
  drawing.group.append(...frames, ...wires, ...boxes, ...notes, ...labels);
  return drawing;
}

/**
 * Change what a drawing says where nothing moves: other sizes on the same edges, as from one step of decoding to the next.
 * @param {Drawing} drawing @param {Scene} scene
 * @param {{text: import("./scene.js").Options["text"], describe: (box: Box) => string}} about
 * @returns {boolean} false when something has moved, and nothing is changed
 */
export function redraw(drawing, scene, { text, describe }) {
  if (drawing.text !== text || drawing.geometry !== geometry(scene)) return false;
  for (const edge of scene.edges) {
    const known = drawing.edges.get(edge.tensor);
    if (!known || String(known.edge.shape) === String(edge.shape)) continue;
    known.label.setAttribute("aria-label", spoken(edge));
    changeSize(known.label, edge, text);
    const wider = known.edge.label.w !== edge.label.w;
    Object.assign(known.edge, edge);
    const { x, w } = around(edge);
    if (wider) dress(/** @type {SVGElement} */ (known.label.firstElementChild), { x, width: w });
  }
  const elements = new Map(drawing.stops.map((stop) => [stop.id, stop.element]));
  for (const box of scene.boxes) elements.get(box.id)?.setAttribute("aria-label", describe(box));
  return true;
}

/** Where everything stands and what leads where, as one text. @param {Scene} scene */
function geometry({ at, boxes, frames, edges, notes }) {
  return JSON.stringify([at, boxes, frames, notes, edges.map(({ id, name, paths, thumb, marks }) => [id, name, paths, thumb, marks])]);
}

/** @param {Frame} frame @param {Handlers} on @param {Drawing} drawing */
function drawFrame(frame, on, drawing) {
  const { x, y, w, h } = frame;
  const behind = frame.layers > 1 ? [6, 3].map((off) => svg("rect", { class: "dg-frame-behind", x: x + off, y: y - off, width: w, height: h, rx: 10 })) : [];
  const ground = svg("rect", { class: "dg-frame-ground", x, y, width: w, height: h, rx: 10, on: { click: () => on.place(frame.into) } });
  const whole = `${frame.title || "layer"}, layer ${frame.layer + 1} of ${frame.layers}: go in`;
  const name = frame.title ? plainButton({ x: x + 10, y: y + 14, text: frame.title, label: whole, act: () => on.place(frame.into), id: `frame ${frame.id}` }, drawing) : null;
  if (frame.layers < 2) return svg("g", { class: "dg-frame" }, ground, name);
  const middle = frame.title ? x + w - 50 : x + 46;
  const turn = (/** @type {number} */ by, /** @type {string} */ mark) => plainButton({
    x: middle + by * 34, y: y + 14, text: mark, anchor: "middle", label: by < 0 ? `show layer ${frame.layer}` : `show layer ${frame.layer + 2}`, act: () => on.layer(frame.stack, frame.layer + by), id: `turn ${frame.id} ${by}`,
    off: frame.layer + by < 0 || frame.layer + by >= frame.open,
  }, drawing);
  const count = plainButton({ x: middle, y: y + 14, text: `${frame.layer + 1} of ${frame.layers}`, anchor: "middle", label: `all ${frame.layers} layers, each closed`, act: () => on.place(frame.stack), id: `stack ${frame.id}` }, drawing);
  return svg("g", { class: "dg-frame" }, ...behind, ground, name, turn(-1, "‹"), count, turn(1, "›"));
}

/**
 * Words that can be pressed.
 * @param {{x: number, y: number, text: string, label: string, act: () => void, id: string, anchor?: string, off?: boolean}} button @param {Drawing} drawing
 */
function plainButton({ x, y, text, label, act, id, anchor = "start", off = false }, drawing) {
  const w = Math.max(22, text.length * 6.6 + 8);
  const left = anchor === "middle" ? x - w / 2 : x - 4;
  const made = svg("g", { class: "dg-words", role: "button", tabindex: "-1", "aria-label": label, "aria-disabled": off ? "true" : null, data: { id } },
    svg("rect", { class: "dg-words-ground", x: left, y: y - 12, width: w, height: 18, rx: 4 }), svg("text", { x, y: y + 1, "text-anchor": anchor, text }));
  press(made, () => { if (!off) act(); });
  if (!off) drawing.stops.push({ element: made, rect: { x: left, y: y - 12, w, h: 18 }, id });
  return made;
}

/** @param {Edge} edge @param {Handlers} on */
function drawWire(edge, on) {
  const made = svg("g", { class: "dg-wire", "aria-hidden": "true", data: { tensor: edge.tensor } });
  for (const { points, dashed, arrow } of edge.paths) {
    made.append(svg("path", { class: "dg-wire-touch", d: line(points, false) }), svg("path", { class: dashed ? "dg-wire-line dashed" : "dg-wire-line", d: line(points, Boolean(arrow)) }));
    if (arrow) made.append(svg("path", { class: dashed ? "dg-wire-head dashed" : "dg-wire-head", d: head(points) }));
  }
  for (const mark of edge.marks) made.append(svg("text", { class: "dg-mark", x: mark.x, y: mark.y, text: mark.text }));
  made.addEventListener("click", () => on.edge(edge));
  made.addEventListener("pointerenter", () => on.point({ edge }));
  made.addEventListener("pointerleave", () => on.point(null));
  return made;
}

/** @param {Box} box @param {{describe: (box: Box) => string, on: Handlers}} about @param {Drawing} drawing */
function drawBox(box, { describe, on }, drawing) {
  const { x, y, w, h } = box;
  const middle = x + w / 2;
  const lines = box.title.length + (box.sub ? 1 : 0);
  const first = y + h / 2 - ((lines - 1) * 15) / 2 + 4;
  const shape = box.round
    ? svg("circle", { class: "dg-box-ground", cx: middle, cy: y + h / 2, r: w / 2 })
    : svg("rect", { class: "dg-box-ground", x, y, width: w, height: h, rx: 7 });
  const weave = box.mixes ? svg("rect", { class: "dg-box-weave", x, y, width: w, height: h, rx: 7 }) : null;
  const made = svg("g", { class: "dg-box", role: "button", tabindex: "-1", "aria-label": describe(box), data: { id: box.id, tint: box.tint } }, shape, weave,
    ...box.title.map((text, i) => svg("text", { class: box.round ? "dg-box-sign" : "dg-box-title", x: middle, y: first + i * 15, "text-anchor": "middle", text }, i === 0 && box.aside ? svg("tspan", { class: "dg-box-sub", text: ` · ${box.aside}` }) : null)),
    box.sub ? svg("text", { class: "dg-box-sub", x: middle, y: first + box.title.length * 15, "text-anchor": "middle", text: box.sub }) : null);
  press(made, () => on.box(box));
  attend(made, () => on.point({ box }), () => on.point(null));
  drawing.stops.push({ element: made, rect: box, id: box.id });
  return made;
}

/** @param {Edge} edge @param {SVGGElement} wire @param {{text: import("./scene.js").Options["text"], on: Handlers}} about @param {Drawing} drawing */
function drawLabel(edge, wire, { text, on }, drawing) {
  const { thumb } = edge;
  const picture = thumb ? svg("g", { class: "dg-picture", transform: `translate(${thumb.x} ${thumb.y})` }) : null;
  const ring = around(edge);
  const made = svg("g", { class: "dg-label", role: "button", tabindex: "-1", "aria-label": spoken(edge), data: { tensor: edge.tensor, id: edge.id } },
    svg("rect", { class: "dg-label-ring", x: ring.x, y: ring.y, width: ring.w, height: ring.h, rx: 4 }), sizeText(edge, text, on.axis), picture);
  press(made, () => on.edge(edge));
  attend(made, () => on.point({ edge }), () => on.point(null));
  drawing.stops.push({ element: made, rect: ring, id: edge.id });
  drawing.edges.set(edge.tensor, { label: made, wire, edge, picture });
  return made;
}

/** @param {SVGElement} element @param {() => void} act */
function press(element, act) {
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

/** @param {SVGElement} element @param {() => void} enter @param {() => void} leave */
function attend(element, enter, leave) {
  for (const type of ["pointerenter", "focus"]) element.addEventListener(type, enter);
  for (const type of ["pointerleave", "blur"]) element.addEventListener(type, leave);
}
