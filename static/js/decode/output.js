/** What a decoding wrote in the end, token by token; beside what another way would have written; and where each token comes from. */

import { ServerError } from "../core/api.js";
import { isSentences } from "../core/axes.js";
import { el, fill } from "../core/dom.js";
import { createAlignment } from "./alignment.js";
import { compare, otherWay, resultOf } from "./output-ask.js";
import { drawTokens, markToken } from "./output-tokens.js";
import { partsAt, sameOrNot, totals } from "./output-words.js";

/** @typedef {import("../core/types.js").Result} Result @typedef {import("../core/types.js").Decoding} Decoding */

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions) {
  const alignment = createAlignment(store, actions);
  /** @type {{decoding: Decoding, result: Result, sentence: number} | null} */
  let shown = null;
  const sentence = { chosen: 0, ofRow: 0 };
  /** The decoding whose output stands beside the other way's. @type {string | null} */
  let compared = null;

  const picker = el("select", { class: "button", "aria-label": "sentence", hidden: true, on: { change: () => { sentence.chosen = picker.selectedIndex; void show(); } } });
  const says = el("p", { class: "small soft", role: "status" });
  const written = el("div", { class: "output-written" });
  const beside = el("div", { class: "output-beside" });
  const pair = el("div", { class: "output-pair" }, written, beside);
  const element = el("div", { class: "output" }, says, pair, alignment.element);

  async function show() {
    const { decoding, step } = store.get();
    if (!decoding) return;
    if (shown?.decoding.id !== decoding.id) blank();
    try {
      const [result, at] = await Promise.all([resultOf(decoding.id), actions.stepAt(step ?? 0)]);
      if (store.get().decoding?.id !== decoding.id) return;
      says.textContent = "";
      const ofRow = at.rows[Math.min(row(), at.rows.length - 1)].sentence;
      if (ofRow !== sentence.ofRow || !result.sentences[sentence.chosen]) Object.assign(sentence, { chosen: ofRow, ofRow });
      if (shown?.result === result && shown.sentence === sentence.chosen) return markToken(written, step);
      shown = { decoding, result, sentence: sentence.chosen };
      render(shown);
    } catch (error) {
      says.textContent = error instanceof ServerError ? error.problem.message : "The output cannot be shown.";
    }
  }

  function blank() {
    shown = null;
    compared = null;
    sentence.ofRow = -1;
    says.textContent = "Decoding to the end …";
    for (const each of [written, beside]) fill(each);
    alignment.show(null);
  }

  const row = () => {
    const { trace, index } = store.get();
    return index[Object.keys(trace?.sizes ?? {}).find(isSentences) ?? ""] ?? 0;
  };

  /** @param {{decoding: Decoding, result: Result, sentence: number}} now */
  function render({ decoding, result, sentence: place }) {
    const { sentences } = result;
    const mine = sentences[place];
    picker.hidden = sentences.length < 2;
    fill(picker, ...sentences.map((_, i) => el("option", { value: i, text: `sentence ${i + 1}`, selected: i === place })));
    fill(written, el("p", { class: "output-text" }, el("bdi", { text: mine.text || "nothing" })), el("p", { class: "small soft", text: totals(mine, decoding.strategy.kind === "beam") }),
      drawTokens(mine.written, { step: store.get().step, go: (step) => void actions.goToStep(step) }));
    if (compared === decoding.id) void setBeside(decoding);
    else offer(decoding);
    alignment.show(mine.trace ? { trace: mine.trace, row: mine.row, written: mine.written.map(({ token }) => token) } : null);
  }

  /** @param {Decoding} decoding @param {string} [problem] */
  function offer(decoding, problem = "") {
    pair.classList.remove("two");
    const press = el("button", { type: "button", class: "button", text: `Compare with ${otherWay(decoding).title}`, on: { click: () => void setBeside(decoding, press) } });
    fill(beside, press, problem && el("p", { class: "small output-problem", role: "alert", text: problem }));
  }

  /** @param {Decoding} decoding @param {HTMLButtonElement} [press] */
  async function setBeside(decoding, press) {
    if (press) Object.assign(press, { disabled: true, textContent: `Decoding with ${otherWay(decoding).title} …` });
    try {
      const other = await compare(decoding);
      if (shown?.decoding.id !== decoding.id) return;
      compared = decoding.id;
      drawBeside(shown, other);
    } catch (error) {
      if (shown?.decoding.id === decoding.id) offer(decoding, error instanceof ServerError ? error.problem.message : "It could not be compared.");
    }
  }

  /** @param {{decoding: Decoding, result: Result, sentence: number}} now @param {import("./output-ask.js").Other} other */
  function drawBeside({ decoding, result, sentence: place }, other) {
    const [mine, its] = [result.sentences[place], other.result.sentences[place]];
    const { title } = otherWay(decoding);
    const from = partsAt(mine, its);
    pair.classList.toggle("two", from >= 0);
    fill(beside, el("p", { class: "output-same", text: sameOrNot(mine, its, title) }), from >= 0 && el("p", { class: "output-text" }, el("bdi", { text: its.text || "nothing" })),
      el("p", { class: "small soft" }, el("b", { text: `${capital(title)}: ` }), totals(its, other.decoding.strategy.kind === "beam")),
      from >= 0 && drawTokens(its.written, { step: null, from }),
      its.written.length > 0 && el("a", { class: "link small", href: `/t/${its.written[0].trace}?decoding=${other.decoding.id}&step=0&panel=output`, text: `Open ${title}` }));
  }

  return { element, tools: [picker], show: () => void show() };
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
