/** Where each written token comes from: cross-attention of the last pass, whose rows are all positions. */

import { isSentences } from "../core/axes.js";
import { ServerError, tensors } from "../core/api.js";
import { dress, el, fill } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { visible } from "../core/tokens.js";
import { drawAlignment } from "./alignment-draw.js";
import { linesOf } from "./alignment-lines.js";
import { drawTable } from "./alignment-table.js";
import { crossWeights, headAxis, mapOf } from "./cross.js";

/**
 * @typedef {import("../core/types.js").Token} Token @typedef {import("./alignment-draw.js").At} At @typedef {import("../core/types.js").Record_} Record_
 * @typedef {{trace: string, row: number, written: Token[]}} Written
 * @typedef {{source: Token[], written: Token[], map: Float64Array, record: Record_, heads: number, drawing: import("./alignment-draw.js").Drawing}} Shown
 */

const SAID = 4;

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {{element: HTMLElement, show: (written: Written | null) => void}}
 */
export function createAlignment(store, actions) {
  /** @type {{layer: number | null, head: number | null}} no head: the average over all of them */
  const chosen = { layer: null, head: null };
  /** @type {Written | null} */
  let asked = null;
  /** @type {Shown | null} */
  let shown = null;
  /** The token that keys are at, and the one whose weights stay. */
  let at = /** @type {At} */ ({ side: "written", place: 0 });
  /** @type {At | null} */
  let kept = null;

  const layers = el("select", { class: "button", id: "alignment-layer", on: { change: () => { chosen.layer = layers.selectedIndex; void render(); } } });
  const heads = el("select", { class: "button", id: "alignment-head", on: { change: () => { chosen.head = heads.selectedIndex ? heads.selectedIndex - 1 : null; void render(); } } });
  const kind = el("p", { class: "small soft" });
  const box = el("div", { class: "look-box" });
  const said = el("span");
  const opens = el("button", { type: "button", class: "link", hidden: true, on: { click: () => void open() } });
  const says = el("p", { class: "look-says small" }, said, opens);
  const rows = el("div", { class: "look-rows" });
  const table = el("details", { class: "look-table", on: { toggle: () => { if (table.open) tabulate(); } } }, el("summary", { class: "small", text: "The weights as a table" }), rows);
  const element = el("section", { class: "alignment", "aria-label": "alignment", hidden: true },
    el("div", { class: "alignment-head" }, el("h3", { text: "Alignment" }), choice("decoder layer", layers), choice("head", heads)), kind, box, says, table);
  box.addEventListener("pointerover", (event) => light(under(event) ?? kept));
  box.addEventListener("pointerleave", () => light(kept));
  box.addEventListener("click", (event) => keep(under(event)));
  box.addEventListener("focusin", (event) => light(at = under(event) ?? at));
  box.addEventListener("focusout", () => light(kept));
  box.addEventListener("keydown", keys);

  /** @param {Written | null} written */
  function show(written) {
    asked = written;
    kept = null;
    at = { side: "written", place: 0 };
    element.hidden = written === null;
    if (written) void render();
  }

  async function render() {
    const { model } = store.get();
    const mine = asked;
    if (!mine || !model) return;
    try {
      const trace = await actions.traceAt(mine.trace);
      const found = crossWeights(trace, model);
      const record = found[Math.min(chosen.layer ?? found.length - 1, found.length - 1)];
      const [batch, heads] = [record.over.findIndex(isSentences), record.shape[headAxis(record)]];
      if (chosen.head !== null && chosen.head >= heads) chosen.head = null;
      choices(found.length, found.indexOf(record), heads);
      const [values] = await tensors(mine.trace, [record.name], { index: `${record.axes[batch]}:${mine.row}` });
      if (mine !== asked) return;
      const source = trace.tokens.src[trace.recipe.rows?.[mine.row] ?? mine.row];
      draw({ source, written: mine.written, map: mapOf(values.values, values.shape, chosen.head), record, heads });
    } catch (error) {
      if (mine === asked) said.textContent = error instanceof ServerError ? error.problem.message : "The alignment cannot be shown.";
    }
  }

  /** @param {Omit<Shown, "drawing">} now */
  function draw(now) {
    const drawing = drawAlignment(now, box.clientWidth - 4, (token) => sentenceOf(now, token));
    shown = { ...now, drawing };
    fill(box, drawing.root);
    fill(kind, chosen.head === null ? el("b", { text: `Average over ${now.heads} heads. ` }) : "", "A line leads from each written token to the source token that it looked at most, and to others with at least half as much; the thicker, the larger the weight.");
    reach();
    light(kept);
    fill(rows);
    if (table.open) tabulate();
  }

  /** @param {number} count @param {number} layer @param {number} all */
  function choices(count, layer, all) {
    fill(layers, ...Array.from({ length: count }, (_, i) => el("option", { text: i + 1, selected: i === layer })));
    fill(heads, el("option", { text: "average", selected: chosen.head === null }), ...Array.from({ length: all }, (_, i) => el("option", { text: i + 1, selected: i === chosen.head })));
    dress(layers, { disabled: count < 2 });
    dress(heads, { disabled: all < 2 });
  }

  function tabulate() {
    if (shown && !rows.hasChildNodes()) fill(rows, drawTable(shown));
  }

  /** @param {At | null} token */
  function light(token) {
    shown?.drawing.light(token);
    const help = "Point at a token for its weights, or walk with the arrows.";
    said.textContent = shown && token ? `${sentenceOf(shown, token)}.` : help;
    opens.hidden = kept?.side !== "written" || !same(token, kept);
    if (kept) opens.textContent = `Open step ${kept.place + 1}`;
  }

  /** @param {Omit<Shown, "drawing">} now @param {At} token */
  function sentenceOf({ source, written, map }, token) {
    const lines = linesOf(map, source.length, token).slice(0, SAID);
    const averaged = chosen.head === null ? ", on average over the heads" : "";
    const list = lines.map(({ row, column, weight }) => `“${visible((token.side === "written" ? source[column] : written[row]).text)}” ${fixed(weight, 2)}`).join(", ");
    const name = `“${visible((token.side === "written" ? written : source)[token.place].text)}” (${token.place + 1})`;
    if (!list) return `${name}: no weight above 0.01`;
    return token.side === "written" ? `To write ${name} it looked at ${list}${averaged}` : `${name} is looked at for ${list}${averaged}`;
  }

  /** Keep a token's weights, or let go of them. @param {At | null} token */
  function keep(token) {
    if (!token || !shown) return;
    if (kept) shown.drawing.element(kept)?.setAttribute("aria-pressed", "false");
    kept = same(token, kept) ? null : token;
    if (kept) shown.drawing.element(kept)?.setAttribute("aria-pressed", "true");
    light(kept ?? token);
  }

  /** The step that wrote the kept token, with the weights that are drawn here. */
  async function open() {
    if (shown && kept && await actions.goToStep(kept.place)) store.set({ tensor: shown.record.name, cell: null });
  }

  /** The one token that the Tab key reaches. */
  function reach() {
    box.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    const element = shown?.drawing.element(at);
    element?.setAttribute("tabindex", "0");
    return element;
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (!shown || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = walk(event.key, shown);
    if (!next && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!next) return keep(at);
    at = next;
    const element = reach();
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {string} key @param {Shown} now @returns {At | null} */
  function walk(key, now) {
    const last = now[at.side].length - 1;
    if (key === "ArrowLeft" || key === "ArrowRight") return { ...at, place: Math.max(0, Math.min(last, at.place + (key === "ArrowLeft" ? -1 : 1))) };
    if (key !== "ArrowUp" && key !== "ArrowDown") return null;
    const side = key === "ArrowUp" ? "source" : "written";
    if (side === at.side) return at;
    const [heaviest] = linesOf(now.map, now.source.length, at);
    return { side, place: heaviest ? (side === "source" ? heaviest.column : heaviest.row) : Math.min(at.place, now[side].length - 1) };
  }

  return { element, show };
}

/** @param {string} name @param {HTMLSelectElement} select */
function choice(name, select) {
  return el("span", { class: "alignment-choice" }, el("label", { for: select.id, class: "small soft", text: name }), select);
}

/** @param {Event} event @returns {At | null} */
function under({ target }) {
  const token = target instanceof Element ? /** @type {SVGGElement | null} */ (target.closest("[data-side]")) : null;
  return token ? { side: /** @type {import("./alignment-draw.js").Side} */ (token.dataset.side), place: Number(token.dataset.place) } : null;
}

/** @param {At | null} a @param {At | null} b */
function same(a, b) {
  return a !== null && b !== null && a.side === b.side && a.place === b.place;
}
