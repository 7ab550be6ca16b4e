/** Whole ancestry: what each token, position, constant and head adds to the selected cell; asked for only while it is open. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { axisWords } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { headGrids } from "./ancestry-heads.js";
import { agreement, partsTable } from "./ancestry-table.js";
import { contextAt, shortCell } from "./labels.js";
import { cellLink } from "./links.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/store.js").State} State
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("./ancestry-rows.js").Ancestry} Ancestry
 */

const PATIENCE = 150;
const answers = createAnswers();

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (explanation: Explanation | null) => void}}
 */
export function createAncestry(store) {
  const body = el("div", { class: "an-body", id: "whole-ancestry", hidden: true });
  const voice = el("p", { class: "visually-hidden", role: "status" });
  const toggle = el("button", {
    type: "button", class: "an-toggle", "aria-expanded": "false", "aria-controls": "whole-ancestry", on: { click: () => store.set({ ancestry: !store.get().ancestry }) },
  }, el("span", {}, "Whole ancestry", el("span", { class: "soft", text: " · what each token and each head adds" })));
  const element = el("div", { class: "ancestry", hidden: true }, toggle, body, voice);
  /** @type {Explanation | null} */
  let shown = null;
  let turn = 0;

  function open() {
    const { ancestry: wanted } = store.get();
    toggle.setAttribute("aria-expanded", String(wanted));
    body.hidden = !wanted;
  }

  /** @param {{aloud?: boolean}} [how] `aloud` tells a screen reader what came */
  async function arrive({ aloud = false } = {}) {
    const [mine, explanation, { trace }] = [++turn, shown, store.get()];
    if (!explanation || !trace) return;
    const late = setTimeout(() => mine === turn && waiting(body), PATIENCE);
    const answer = await ancestryOf(trace.id, explanation).catch((error) => {
      if (!(error instanceof ServerError)) throw error;
      return error;
    });
    clearTimeout(late);
    if (mine !== turn) return;
    body.classList.remove("late");
    if (answer instanceof ServerError) return fill(body, el("p", { class: "notice", text: answer.problem.message }));
    fill(body, ...written(answer, store.get()));
    Object.assign(body.dataset, { of: `${answer.name}[${answer.cell.join(",")}]` });
    if (aloud) voice.textContent = answer.why_not ? answer.says : `${answer.tokens.reduce((sum, { values }) => sum + values.length, 0)} tokens and ${answer.heads.length} attention blocks.`;
  }

  store.subscribe(["ancestry"], () => {
    open();
    if (!body.hidden) void arrive({ aloud: true });
    else turn++;
  });
  return {
    element,
    show(explanation) {
      shown = explanation;
      open();
      element.hidden = !explanation || explanation.leaf;
      if (!element.hidden && !body.hidden) void arrive();
      else turn++;
    },
  };
}

/** @param {string} trace @param {Explanation} explanation @returns {Promise<Ancestry>} */
function ancestryOf(trace, { name, cell }) {
  return answers.once(`/api/traces/${trace}/ancestry/${name}?cell=${cell.join(",")}`);
}

/** @param {HTMLElement} body */
function waiting(body) {
  body.classList.add("late");
  if (!body.firstChild) fill(body, el("p", { class: "soft", text: "Going back through the network…" }));
}

/** @param {Ancestry} ancestry @param {State} state */
function written(ancestry, state) {
  if (ancestry.why_not) return [el("p", { class: "an-says", text: ancestry.says }), el("p", { class: "soft small", text: "Its operands above lead on." })];
  const { name, cell } = ancestry.start;
  const context = contextAt(state, name, cell);
  const label = context ? shortCell(context, cell) : [{ text: name }];
  const other = name !== ancestry.name && el("p", { class: "an-says" }, "This is another form of ", cellLink(ancestry.start, label), ", and that number is shared out here.");
  const same = name === ancestry.name && el("p", { class: "an-says" }, el("b", {}, ...axisWords(label)), " shared out:");
  return [
    other || same,
    partsTable(ancestry, state),
    agreement(ancestry),
    el("p", { class: "soft small", text: `${ancestry.says} With these, all the rest is a weighted sum, so the parts add up exactly.` }),
    headGrids(ancestry, state),
  ];
}
