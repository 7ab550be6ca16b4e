/** The target beside what is written: fed the right tokens, fed its own, position by position. Asked for only while the panel is open. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el } from "../core/dom.js";
import { sentenceAxis, sentenceOf } from "../core/sentences.js";
import { createOpening } from "./target-open.js";
import { createTable } from "./target-table.js";
import { partingWords } from "./target-words.js";

/**
 * @typedef {import("../core/types.js").Token} Token @typedef {{fed: Token, predicted: Token, log_prob: number, probability: number}} Fed
 * @typedef {{forced: Fed | null, free: Fed | null, label: Token | null}} Position
 * @typedef {{positions: Position[], parts: number | null, differs: number | null}} Beside
 * @typedef {{trace: string, sentences: Beside[]}} Forced
 */

const PAUSE = 350;

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions) {
  const { once } = createAnswers();
  const input = el("input", { id: "target-beside", type: "text", class: "target-input", dir: "auto", autocomplete: "off", autocapitalize: "off", spellcheck: "false", on: { input: type } });
  const label = el("label", { for: "target-beside", class: "small" });
  const parting = el("p", { class: "target-parting", role: "status" });
  const opening = createOpening(store, actions);
  const table = createTable(opening);
  const element = el("div", { class: "target" },
    el("p", {}, el("b", { text: "Teacher forcing" }), " feeds the decoder the right tokens, whatever it said itself, as in training; ", el("b", { text: "free running" }), " feeds it what it has written."),
    el("div", { class: "target-field" }, label, input), parting, table.element);
  let asked = "";
  let timer = 0;

  function sentence() {
    const { trace, index } = store.get();
    return sentenceOf(trace, index[sentenceAxis(trace)[0]] ?? 0);
  }

  /** One target for each sentence of the decoding. */
  function targets() {
    const { decoding, input: typed } = store.get();
    return (decoding?.tokens.src ?? []).map((_, place) => typed.tgt?.[place] ?? "");
  }

  function type() {
    const { input: typed } = store.get();
    const tgt = targets();
    tgt[sentence()] = input.value;
    store.set({ input: { ...typed, tgt }, problem: null });
  }

  async function show() {
    const { decoding } = store.get();
    if (!decoding) return;
    const tgt = targets();
    const place = sentence();
    const name = tgt.length > 1 ? `target of sentence ${place + 1}` : "target";
    if (label.textContent !== name) label.textContent = name;
    if (input.value !== tgt[place]) input.value = tgt[place];
    const address = `/api/decodings/${decoding.id}/forced?${new URLSearchParams(tgt.map((text) => ["tgt", text]))}`;
    if (asked !== address && table.element.hidden) parting.textContent = "Decoding to the end, and running the target …";
    asked = address;
    const forced = await once(address).catch((/** @type {unknown} */ error) => refuse(error, address));
    if (forced && address === asked) write(forced, sentence());
  }

  /** @param {unknown} error @param {string} address @returns {null} */
  function refuse(error, address) {
    if (!(error instanceof ServerError)) throw error;
    if (address !== asked) return null;
    table.element.hidden = true;
    parting.textContent = error.problem.message;
    return null;
  }

  /** @param {Forced} forced @param {number} place */
  function write(forced, place) {
    const { step } = store.get();
    const beside = forced.sentences[place];
    if (!beside) return;
    const words = partingWords(beside);
    if (parting.textContent !== words) parting.textContent = words;
    table.element.hidden = false;
    table.show(beside, { place, step, targets: targets() });
  }

  store.subscribe(["input"], () => {
    if (store.get().panel !== "target" || !element.isConnected) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void show(), PAUSE);
  });
  return { element, show: () => void show() };
}
