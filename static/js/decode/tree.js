/** The tree of hypotheses: which lived, which died, which won and why; and the prefixes of a step as one batch. */

import { ServerError } from "../core/api.js";
import { isSentences } from "../core/axes.js";
import { el, fill, math } from "../core/dom.js";
import { createAsking } from "./tree-ask.js";
import { drawBatch } from "./tree-batch.js";
import { drawTree, scrollTo } from "./tree-draw.js";
import { layout, pathOf } from "./tree-layout.js";
import { passOf, walk } from "./tree-walk.js";
import { nodeSays, whyItWon } from "./tree-words.js";

/**
 * @typedef {import("../core/types.js").Tree} Tree @typedef {import("../core/types.js").Step} Step
 * @typedef {{tree: Tree, sentence: number, plan: import("./tree-layout.js").Plan, drawing: import("./tree-draw.js").Drawing}} Shown
 */

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions) {
  const asking = createAsking();
  /** @type {Shown | null} */
  let shown = null;
  /** The sentence that was chosen, and the one that the row on screen belongs to. */
  const sentence = { chosen: 0, ofRow: 0 };
  /** The hypothesis that the keys are at. */
  let focus = 0;
  let turn = 0;

  const picker = el("select", { class: "button", "aria-label": "sentence", hidden: true, on: { change: pick } });
  const all = el("input", { type: "checkbox", on: { change: () => void show() } });
  const everything = el("label", { class: "tree-all small", title: "The dropped ones of the step on screen are always drawn" }, all, "all dropped");
  const grow = el("button", { type: "button", class: "button", text: "Grow to the end", title: "Decode to the end, and draw the whole tree", on: { click: () => void growNow() } });
  const box = el("div", { class: "tree-box" });
  const says = el("p", { class: "tree-says small" });
  const why = el("p", { class: "tree-why" });
  const rule = el("p", { class: "tree-rule small soft" });
  const batch = el("div", { class: "tree-batch" });
  const element = el("div", { class: "tree" }, el("div", { class: "tree-main" }, box, says), el("div", { class: "tree-side" }, why, rule, batch));
  box.addEventListener("keydown", keys);
  box.addEventListener("click", (event) => open(under(event)));
  box.addEventListener("pointerover", (event) => say(under(event)));
  box.addEventListener("pointerleave", () => say(null));
  box.addEventListener("focusin", (event) => {
    focus = under(event) ?? focus;
    say(focus);
  });

  async function show() {
    const { decoding, step } = store.get();
    if (!decoding || step === null) return;
    const mine = ++turn;
    if (!asking.known(decoding.id, step) && shown === null) says.textContent = "Working out the hypotheses …";
    try {
      const [tree, at] = await Promise.all([asking.known(decoding.id, step) ?? asking.ask(decoding.id, step), actions.stepAt(step)]);
      if (mine === turn) render(tree, at);
    } catch (error) {
      if (mine === turn) says.textContent = error instanceof ServerError ? error.problem.message : "The tree cannot be shown.";
    }
  }

  /** @param {Tree} tree @param {Step} step */
  function render(tree, step) {
    const { model } = store.get();
    const row = rowOnScreen(step);
    const node = tree.nodes[step.rows[row].node];
    if (node.sentence !== sentence.ofRow || !tree.best[sentence.chosen]) Object.assign(sentence, { chosen: node.sentence, ofRow: node.sentence });
    if (shown?.tree !== tree || shown.sentence !== sentence.chosen) drawn(tree);
    const { plan, drawing } = /** @type {Shown} */ (shown);
    const held = box.contains(document.activeElement);
    drawing.look({ step: step.step, shown: new Set(pathOf(tree.nodes, node.id).map(({ id }) => id)), at: node.id, all: all.checked });
    if (!drawing.element(focus)?.isConnected) focus = drawing.element(node.id) ? node.id : tree.best[sentence.chosen];
    reach(focus);
    if (held && !box.contains(document.activeElement)) drawing.element(focus)?.focus({ preventScroll: true });
    const inBatch = batch.contains(document.activeElement);
    fill(batch, ...drawBatch({ tree, step, sentence: sentence.chosen, shown: row, unit: model?.unit ?? "", choose: (place) => chooseRow(place) }));
    if (inBatch) /** @type {HTMLElement | null} */ (batch.querySelector("[aria-pressed=true]"))?.focus({ preventScroll: true });
    const column = plan.columns.find((each) => each.step === step.step);
    if (column) box.scrollLeft = scrollTo(column, plan.pitch, { left: box.scrollLeft, width: box.clientWidth });
    say(box.contains(document.activeElement) ? focus : null);
  }

  /** @param {Tree} tree */
  function drawn(tree) {
    const unit = store.get().model?.unit ?? "";
    const best = tree.best[sentence.chosen];
    const plan = layout(tree.nodes, sentence.chosen, best);
    const held = box.contains(document.activeElement);
    const drawing = drawTree(plan, { says: ({ node }) => nodeSays(tree, node, unit), name: "hypotheses: arrows walk, Enter opens", winner: tree.finished ? best : null });
    shown = { tree, sentence: sentence.chosen, plan, drawing };
    fill(box, drawing.root);
    if (held) requestAnimationFrame(() => drawing.element(focus)?.focus({ preventScroll: true }));
    why.textContent = whyItWon(tree, sentence.chosen, unit);
    fill(rule, tree.divisors ? "Score of a hypothesis Y: " : "Log-probability of the path: ", math(tree.rule), tree.divisors ? `, α = ${tree.strategy.length_penalty}` : "");
    grow.hidden = tree.finished;
    everything.hidden = !tree.nodes.some(({ fate }) => fate === "dropped");
    picker.hidden = tree.best.length < 2;
    fill(picker, ...tree.best.map((_, place) => el("option", { value: place, text: `sentence ${place + 1}`, selected: place === sentence.chosen })));
  }

  async function growNow() {
    const { decoding } = store.get();
    if (!decoding) return;
    Object.assign(grow, { disabled: true, textContent: "Decoding …" });
    await asking.ask(decoding.id, decoding.max_steps).catch((error) => { says.textContent = error instanceof ServerError ? error.problem.message : "It could not be decoded to the end."; });
    Object.assign(grow, { disabled: false, textContent: "Grow to the end" });
    await show();
  }

  async function pick() {
    const { step } = store.get();
    sentence.chosen = picker.selectedIndex;
    const { rows } = await actions.stepAt(step ?? 0);
    const row = rows.findIndex(({ node }) => shown?.tree.nodes[node].sentence === sentence.chosen);
    if (row >= 0) chooseRow(row);
    await show();
  }

  /** @param {Step} step */
  function rowOnScreen({ rows }) {
    const { index } = store.get();
    return Math.min(index[axis()] ?? 0, rows.length - 1);
  }

  const axis = () => Object.keys(store.get().trace?.sizes ?? {}).find(isSentences) ?? "";

  /** @param {number} row */
  const chooseRow = (row) => store.set({ index: { ...store.get().index, [axis()]: row } });

  /** Go to the pass of a hypothesis, and to its row there. @param {number | null} id */
  async function open(id) {
    const node = shown?.tree.nodes[id ?? -1];
    if (!node) return;
    focus = node.id;
    const { step, fed } = passOf(node);
    if (step !== store.get().step && !(await actions.goToStep(step))) return;
    const { rows } = await actions.stepAt(step);
    chooseRow(fed ? rows.findIndex((row) => row.node === node.id) : node.row);
  }

  /** @param {Event} event @returns {number | null} */
  function under({ target }) {
    const node = target instanceof Element ? /** @type {SVGGElement | null} */ (target.closest("[data-node]")) : null;
    return node ? Number(node.dataset.node) : null;
  }

  /** @param {number | null} id */
  function say(id) {
    const node = shown?.tree.nodes[id ?? -1];
    const help = store.get().decoding ? "Point at a hypothesis, or walk with the arrows; a click or Enter opens its tensors." : "";
    says.textContent = shown && node ? `${nodeSays(shown.tree, node, store.get().model?.unit ?? "")}.` : help;
  }

  /** The one hypothesis that the Tab key reaches. @param {number} id */
  function reach(id) {
    box.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    shown?.drawing.element(id)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (!shown || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const next = walk(shown.plan, focus, key, shown.drawing.seen);
    if (next === null && key !== "Enter" && key !== " ") return;
    event.preventDefault();
    if (next === null) return void open(focus);
    reach(next);
    shown.drawing.element(next)?.focus({ preventScroll: true });
    shown.drawing.element(next)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  return { element, tools: [picker, everything, grow], show: () => void show() };
}
