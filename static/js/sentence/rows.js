/** The sentences of the batch, one pair at a time or all at once. */

import { el, fill } from "../core/dom.js";
import { rowOf, sentenceAxis, sentenceOf } from "../core/sentences.js";
import { createField } from "./field.js";
import { fieldOf, isEarlierTarget, isRun, roomTaken } from "./said.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions
 * @typedef {import("./field.js").Field} Field
 * @typedef {{root: HTMLElement, src: Field, tgt: Field}} Pair
 */

/** More sentences than these have no room for their numbers. */
const SHOWN = 8;

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {ReturnType<typeof import("./status.js").createStatus>} notes what is said about the sentences, under them
 * @returns {HTMLElement}
 */
export function createRows(store, actions, notes) {
  /** @type {Pair[]} */
  let pairs = [];
  let shown = 0;
  /** @type {Map<number, string>} targets that were typed here, and so belong to their sources */
  const byHand = new Map();
  const tabs = el("div", { class: "row-tabs", role: "group", "aria-label": "sentences of the batch" });
  const list = el("div", { class: "row-list" });
  const run = el("button", { type: "submit", class: "button primary run" }, "Run ", el("span", { "aria-hidden": "true", text: "⏎" }));
  const form = el("form", { class: "rows", autocomplete: "off", on: { submit, keydown: held } }, tabs, el("div", { class: "row-column" }, list, notes.root), run);

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    void actions.run();
  }

  /** Enter that is held down runs once. @param {KeyboardEvent} event */
  function held(event) {
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  }

  /** @param {"src" | "tgt"} side @param {number} place @param {string} text */
  function type(side, place, text) {
    const { input } = store.get();
    const texts = [...(input[side] ?? input.src.map(() => ""))];
    texts[place] = text;
    if (side === "tgt") byHand.set(place, text);
    store.set({ input: { ...input, [side]: texts }, problem: null });
  }

  /** @param {number} place */
  function show(place) {
    shown = place;
    const { trace, index } = store.get();
    const [axis, size] = sentenceAxis(trace);
    const row = rowOf(trace, place);
    if (row >= 0 && row < size) store.set({ index: { ...index, [axis]: row } });
    render();
  }

  function add() {
    const { input } = store.get();
    store.set({ input: { ...input, src: [...input.src, ""], tgt: [...(input.tgt ?? []), ""] } });
    show(store.get().input.src.length - 1);
    pairs[shown]?.src.input.focus();
  }

  /** @param {number} place */
  function remove(place) {
    const { input } = store.get();
    const others = (/** @type {string[]} */ texts) => texts.filter((_, i) => i !== place);
    store.set({ input: { ...input, src: others(input.src), tgt: others(input.tgt ?? []) } });
    show(Math.min(shown, store.get().input.src.length - 1));
  }

  /** @param {number} place @returns {Pair} */
  function pair(place) {
    const src = createField("src", place, (text) => type("src", place, text));
    const tgt = createField("tgt", place, (text) => type("tgt", place, text));
    return { src, tgt, root: el("div", { class: "row" }, src.root, tgt.root) };
  }

  /** @param {"src" | "tgt"} side @param {number} place */
  function isWrong(side, place) {
    const wrong = fieldOf(store.get().problem);
    return wrong !== null && wrong.named && wrong.side === side && (wrong.place ?? place) === place;
  }

  function render() {
    const { input, trace, model, decoding, sent } = store.get();
    const count = Math.max(input.src.length, 1);
    shown = Math.min(shown, count - 1);
    if (pairs.length !== count) {
      pairs = Array.from({ length: count }, (_, place) => pairs[place] ?? pair(place));
      fill(list, ...pairs.map(({ root }) => root));
    }
    pairs.forEach(({ root, src, tgt }, place) => {
      root.hidden = place !== shown;
      src.write(input.src[place] ?? "");
      tgt.write(input.tgt?.[place] ?? "");
      src.mark(isWrong("src", place));
      tgt.mark(isWrong("tgt", place));
      src.aside(roomTaken(model, trace, input, place));
      tgt.aside(decoding ? "not used while decoding" : "");
      tgt.root.classList.toggle("unused", decoding !== null);
    });
    notes.show(byHand.get(shown) !== input.tgt?.[shown] && isEarlierTarget(model, input, shown), { src: input.src[shown] ?? "", tgt: input.tgt?.[shown] ?? "" });
    form.classList.toggle("unrun", trace !== null && !isRun(input, trace.recipe) && !(sent && isRun(input, sent)));
    const held = tabs.contains(document.activeElement);
    fill(tabs, ...tabButtons(count));
    if (held) /** @type {HTMLElement | null} */ (tabs.querySelector("[aria-pressed=true]") ?? tabs.querySelector("button"))?.focus();
  }

  /** @param {number} count */
  function tabButtons(count) {
    const numbered = Array.from({ length: count }, (_, place) => el("button", {
      type: "button", class: "sentence-tab", "aria-pressed": String(place === shown), "aria-label": `sentence ${place + 1} of ${count}`, title: `sentence ${place + 1}: ${store.get().input.src[place] ?? ""}`, text: place + 1, on: { click: () => show(place) },
    }));
    return [...(count > 1 ? numbered : []),
      count > 1 && el("button", { type: "button", class: "sentence-tab quiet", "aria-label": `remove sentence ${shown + 1}`, title: `remove sentence ${shown + 1}`, text: "−", on: { click: () => remove(shown) } }),
      count < Math.min(store.get().most, SHOWN) && el("button", { type: "button", class: "sentence-tab quiet", "aria-label": "add a sentence", title: "add a sentence to the batch", text: "+", on: { click: add } })];
  }

  store.subscribe(["input", "model", "decoding", "sent", "most"], render);
  store.subscribe(["problem"], ({ problem, input }) => {
    const place = fieldOf(problem)?.place ?? null;
    if (place !== null && place < input.src.length) show(place);
    else render();
  });
  store.subscribe(["trace"], ({ trace, index }) => {
    for (const { src, tgt } of pairs) { src.show(trace); tgt.show(trace); }
    const [axis, size] = sentenceAxis(trace);
    shown = axis in index ? sentenceOf(trace, index[axis]) : Math.min(shown, size - 1);
    render();
  });
  store.subscribe(["index"], ({ index, trace }) => {
    const place = index[sentenceAxis(trace)[0]];
    if (place !== undefined && sentenceOf(trace, place) !== shown) { shown = sentenceOf(trace, place); render(); }
  });
  store.subscribe(["phase"], ({ phase }) => run.setAttribute("aria-busy", String(phase === "running")));
  render();
  return form;
}
