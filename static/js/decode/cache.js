/** What keeping keys and values saves at a step, what is kept, and why it may be kept. Asked for only while the panel is open. */

import { createAnswers } from "../core/answers.js";
import { ServerError } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { bars } from "./cache-bars.js";
import { createKept } from "./cache-kept.js";
import { allowed, apart } from "./cache-words.js";

/**
 * @typedef {{name: string, shape: number[], reused: number, new: number, bytes: number}} LayerCache
 * @typedef {{step: number, layers: LayerCache[], bytes: number, full: number, cached: number, full_total: number, cached_total: number, max_abs: number | string,
 *   cell: number[], positions: number, changed: number}} Saving
 */

/**
 * @param {import("../core/store.js").Store} store
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store) {
  const { once } = createAnswers();
  const says = el("p", { class: "cache-says" });
  const counted = el("div", { class: "cache-counted" });
  const difference = el("p", { class: "cache-apart" });
  const kept = createKept(store);
  const why = el("div", { class: "cache-why" });
  const content = el("div", { class: "cache-content", hidden: true }, counted, difference, kept.element, why);
  const element = el("div", { class: "cache" }, says, content);
  let asked = "";

  async function show() {
    const { decoding, step } = store.get();
    if (!decoding || step === null) return;
    const address = `/api/decodings/${decoding.id}/steps/${step}/cache`;
    if (asked === address) return write(await once(address).catch(() => null));
    asked = address;
    if (content.hidden) says.textContent = "Counting with and without …";
    const saving = await once(address).catch((/** @type {unknown} */ error) => refuse(error, address));
    if (saving && address === asked) write(saving);
  }

  /** @param {unknown} error @param {string} address @returns {null} */
  function refuse(error, address) {
    if (!(error instanceof ServerError)) throw error;
    if (address !== asked) return null;
    asked = "";
    content.hidden = true;
    const { message } = error.problem;
    says.textContent = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, ".");
    return null;
  }

  /** @param {Saving | null} saving */
  function write(saving) {
    const { trace, model, decoding, step } = store.get();
    if (!saving || !trace || !model || !decoding || saving.step !== step) return;
    content.hidden = false;
    fill(says, "A step needs only the newest token: the keys and values of the others are there from the steps before. ",
      el("span", { class: "soft", text: decoding.cache ? "This decoding keeps them." : "This decoding computes every step in full; here both are run and compared." }));
    fill(counted, ...bars(saving));
    fill(difference, ...apart(saving, store));
    kept.show(saving);
    fill(why, ...allowed(saving, store));
    element.dataset.step = String(saving.step);
  }

  return { element, show: () => void show() };
}
