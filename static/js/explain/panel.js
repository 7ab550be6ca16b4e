/** Where a number comes from: the selected cell written out, each number in it a link to where that one comes from. */

import { axisWords } from "../core/axes.js";
import { ServerError } from "../core/api.js";
import { el, fill, math } from "../core/dom.js";
import { maskWords } from "../core/scale.js";
import { backTo, followed, standing } from "../core/trail.js";
import { plain } from "../tensor/words.js";
import { createAncestry } from "./ancestry.js";
import { createArithmetic } from "./arithmetic.js";
import { explanationOf } from "./asking.js";
import { check, equations } from "./equations.js";
import { cellInWords, shortCell, titleOf } from "./labels.js";
import { watchLinks } from "./links.js";
import { createMaps } from "./maps.js";
import { inFull } from "./numbers.js";
import { createPeek } from "./peek.js";
import { because, besides, onwards } from "./reasons.js";
import { createStand } from "./stand.js";
import { createTrail } from "./trail.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/types.js").Explanation} Explanation
 * @typedef {import("../tensor/context.js").Context} Context
 * @typedef {{context: Context, hop: import("../core/trail.js").Hop, key: string, answer: Promise<Explanation>}} Asked   a cell on its way
 */

/** How long the last explanation stays as it is while the next is on its way. */
const PATIENCE = 150;

/**
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {HTMLElement} peek   what stands at the foot of the inspector while the element is below what is in sight
 * @property {(context: Context) => Asked | null} ask   ask for the selected cell at once; changes nothing on screen
 * @property {(asked: Asked | null) => Promise<void>} show   show it as soon as it is there; null where no cell is selected
 * @property {(event: KeyboardEvent) => void} key   Backspace goes back one cell, wherever in the inspector it is pressed
 */

/**
 * @param {Store} store
 * @returns {Panel}
 */
export function createExplanation(store) {
  const [trail, maps, ancestry, arithmetic] = [createTrail(store, back), createMaps(store), createAncestry(store), createArithmetic(store)];
  const goBack = el("button", { type: "button", class: "pick ex-back", title: "one cell back (Backspace)", text: "← back", on: { click: () => back() } });
  const [heading, working, after] = [el("div", { class: "ex-heading" }), el("div", { class: "ex-working" }), el("div", { class: "ex-after" })];
  const problem = el("p", { class: "notice", hidden: true });
  const voice = el("p", { class: "visually-hidden ex-voice", "aria-live": "polite" });
  const body = el("div", { class: "ex-body" }, heading, maps.element, arithmetic.element, working, ancestry.element, after);
  const element = el("section", { class: "card explanation", tabindex: -1, hidden: true, "aria-label": "Where this number comes from" },
    el("div", { class: "ex-head" }, el("h2", { text: "Where this number comes from" }), goBack), trail.element, problem, body, voice);
  const [stand, peek] = [createStand(element), createPeek(element)];
  let turn = 0;
  let written = "";
  /** Whether a run is shown: its first cell is the address's. */
  let begun = false;

  /** @param {number} [place] of the trail, the last by default */
  function back(place) {
    const patch = backTo(store.get(), place);
    if (patch) store.set(patch);
  }

  /** @param {Context} context @param {Explanation} explanation */
  function write(context, explanation) {
    const state = store.get();
    const name = shortCell(context, explanation.cell);
    trail.show(name);
    peek.say(valueText(context, explanation));
    goBack.hidden = state.trail.length === 0;
    fill(heading, ...headingOf(context, explanation));
    maps.show(explanation, context);
    arithmetic.show(explanation);
    fill(working, besides(explanation, state), equations(explanation, context, state), check(explanation));
    ancestry.show(explanation.of === "gradient" ? null : explanation);
    fill(after, because(explanation, state), onwards(explanation, state));
    voice.textContent = `${plain(name)} is ${valueText(context, explanation)}. ${explanation.says}`;
  }

  function clear() {
    element.hidden = true;
    written = "";
    peek.say(null);
    voice.textContent = "";
    maps.show(null, null);
    ancestry.show(null);
  }

  /** @param {Asked} asked @param {number} mine */
  async function arrive({ context, key, answer }, mine) {
    const late = setTimeout(() => mine === turn && element.classList.add("late"), PATIENCE);
    const explanation = await answer.catch((error) => {
      if (!(error instanceof ServerError)) throw error;
      if (mine === turn) problem.textContent = error.problem.message;
      return null;
    });
    clearTimeout(late);
    if (mine !== turn) return;
    element.classList.remove("late");
    [body.hidden, problem.hidden, written] = [explanation === null, explanation !== null, explanation ? key : ""];
    if (!explanation) return;
    write(context, explanation);
    Object.assign(element.dataset, { of: explanation.of, explained: `${explanation.name}[${explanation.cell.join(",")}]` });
  }

  watchLinks(element, store, (hop) => store.set(followed(store.get(), hop)));
  element.addEventListener("click", ({ detail }) => stand.hold({ keyboard: detail === 0 }, () => store.get().cell), { capture: true });
  store.subscribe(["trail"], ({ trail: hops }) => { if (hops.length === 0) [trail.element.hidden, goBack.hidden] = [true, true]; });

  return {
    element,
    peek: peek.element,
    ask(context) {
      const hop = standing(store.get());
      if (!hop) return null;
      const answer = explanationOf(context.trace.id, hop);
      answer.catch(() => null);
      return { context, hop, key: [context.trace.id, hop.of, hop.name, ...hop.cell].join(" "), answer };
    },
    async show(asked) {
      const mine = ++turn;
      const opening = !begun;
      begun ||= asked !== null || store.get().trace !== null;
      if (!asked) return clear();
      element.hidden = false;
      if (asked.key !== written) await arrive(asked, mine);
      else trail.show(shortCell(asked.context, asked.hop.cell));
      if (mine !== turn) return;
      stand.settle();
      if (opening) peek.open();
    },
    key(event) {
      const types = event.target instanceof Element && event.target.closest("input:not([type=checkbox], [type=range]), textarea, select") !== null;
      if (event.key !== "Backspace" || types || event.ctrlKey || event.metaKey || event.altKey || store.get().trail.length === 0) return;
      event.preventDefault();
      stand.hold({ keyboard: true }, () => store.get().cell);
      back();
    },
  };
}

/** @param {Context} context @param {Explanation} explanation */
function headingOf(context, explanation) {
  return [
    el("div", { class: "ex-cell" },
      el("p", { class: "ex-place" }, el("b", { text: titleOf(context) }), ...axisWords(cellInWords(context, explanation.cell))),
      el("output", { class: "ex-value", text: valueText(context, explanation) })),
    el("p", { class: "ex-says", text: explanation.says }),
    explanation.rule && !explanation.leaf && el("p", { class: "ex-rule" }, math(explanation.rule)),
  ];
}

/** @param {Context} context @param {Explanation} explanation */
function valueText({ scale }, { value, text }) {
  return inFull(value, { words: maskWords(scale), text });
}
