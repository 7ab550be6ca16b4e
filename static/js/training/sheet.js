/** The training sheet: a batch laid open, position by position. Asked for only while the panel is open. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { sentenceAxis, sentenceOf } from "../core/sentences.js";
import { tokenChip } from "../core/tokens.js";
import { alarm, leaks } from "./sheet-leak.js";
import { numberLink } from "./sheet-link.js";
import { namesOf } from "./sheet-places.js";
import { createSwitches, rerun } from "./sheet-switches.js";
import { table } from "./sheet-table.js";
import { lead, paddingWords, rightWords } from "./sheet-words.js";

/**
 * @typedef {import("../core/types.js").Token} Token @typedef {number | string} Number_
 * @typedef {{fed: Token, sees: number[], label: Token, counted: boolean, predicted: Token, right: boolean, probability: Number_, log_prob: Number_, surprisal: Number_, term: Number_,
 *   share: Number_, leak: {name: string, cell: number[], weight: Number_} | null}} Place
 * @typedef {{src: Token[][], sentences: Place[][], total: Number_, count: number, mean: Number_, sentence_means: Number_[], mean_of_means: Number_, untrained: number, floor: Number_,
 *   unshifted: boolean}} Sheet
 */

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions) {
  const { once } = createAnswers();
  const switches = createSwitches(store, actions);
  const says = el("p", { class: "sheet-lead", "aria-live": "polite" });
  const warning = el("div", { class: "sheet-warning" });
  const tabs = el("div", { class: "row-tabs", role: "group", "aria-label": "sentence" });
  const source = el("div", { class: "sheet-source" });
  const scroll = el("div", { class: "sheet-scroll", tabindex: 0, role: "group", "aria-label": "positions" });
  const sum = el("p", { class: "sheet-sum" });
  const content = el("div", { class: "sheet-content", hidden: true }, warning, el("div", { class: "sheet-head" }, tabs, source), scroll, sum);
  const element = el("div", { class: "sheet" }, says, switches.element, content);
  let asked = "";

  async function show() {
    const { trace } = store.get();
    if (!trace) return;
    switches.show();
    const address = `/api/traces/${trace.id}/sheet`;
    if (content.hidden) says.textContent = "Laying the batch open …";
    asked = address;
    const sheet = await once(address).catch((/** @type {unknown} */ error) => refuse(error, address));
    if (sheet && address === asked && store.get().trace?.id === trace.id) write(sheet);
  }

  /** @param {unknown} error @param {string} address @returns {null} */
  function refuse(error, address) {
    if (!(error instanceof ServerError)) throw error;
    if (address !== asked) return null;
    content.hidden = true;
    const { message } = error.problem;
    says.textContent = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, ".");
    return null;
  }

  /** @param {Sheet} sheet */
  function write(sheet) {
    const { trace, model, index } = store.get();
    if (!trace || !model) return;
    const sentence = Math.min(sentenceOf(trace, index[sentenceAxis(trace)[0]] ?? 0), sheet.sentences.length - 1);
    const names = namesOf(trace, model);
    const places = sheet.sentences[sentence];
    const words = lead(sheet, sentence);
    if (says.textContent !== words) says.textContent = words;
    content.hidden = false;
    fill(warning, alarm(sheet, trace.notices, () => void rerun(store, actions, { shift: undefined })), leaks(sheet, store, model));
    fill(tabs, ...(sheet.sentences.length > 1 ? sheet.sentences.map((_, place) => tab(place, sentence)) : []));
    fill(source, el("span", { class: "sheet-side", text: "source" }), ...sheet.src[sentence].map((token) => tokenChip(token, "src", { id: false })), el("span", { class: "soft small", text: rightWords(places) }));
    fill(scroll, table(places, { store, names, sentence, length: places.length }, element.clientWidth || 800));
    fill(sum, "All terms ", link(names.total, sheet.total, "sum of the terms"), " ÷ ", link(names.count, sheet.count, "labels that count"), " = loss ", link(names.mean, sheet.mean, "loss of the batch", "sheet-loss"), el("span", { class: "soft", text: ` ${paddingWords(sheet)}` }));
    element.dataset.trace = trace.id;
  }

  /** @param {number} place @param {number} chosen */
  function tab(place, chosen) {
    const { index, trace } = store.get();
    return el("button", { type: "button", class: "sentence-tab", "aria-pressed": String(place === chosen), "aria-label": `sentence ${place + 1}`, text: place + 1, on: { click: () => choose({ ...index, [sentenceAxis(trace)[0]]: place }, place) } });
  }

  /** @param {Record<string, number>} index @param {number} place */
  function choose(index, place) {
    store.set({ index });
    /** @type {HTMLElement | undefined} */ (tabs.children[place])?.focus();
  }

  /** @param {string | undefined} name @param {Number_} value @param {string} what @param {string} [kind] */
  function link(name, value, what, kind = "") {
    return numberLink(store, name, [], Number.isInteger(value) ? String(value) : fixed(Number(value), 3), { says: what, value, class: kind });
  }

  return { element, show: () => void show() };
}
