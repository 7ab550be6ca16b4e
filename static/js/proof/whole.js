/** The proof of the whole run: a quiet mark that opens what was compared. */

import { createAnswers } from "../core/answers.js";
import { dress, el, fill } from "../core/dom.js";
import { wholeParts } from "./whole-parts.js";
import { verdictWords } from "./words.js";

/** @typedef {import("../core/types.js").Trace} Trace @typedef {import("./words.js").Verdict} Verdict */

/** How long a run is looked at before it is proved, so that one who steps through a decoding is not slowed down. */
const CALM = 700;

/** Traces of more bytes than this take seconds: they are proved when asked for. */
const LARGE = 24 * 2 ** 20;

const answers = createAnswers();

/**
 * @param {import("../core/store.js").Store} store
 * @returns {{element: HTMLElement, tell: (trace: Trace) => void}}
 */
export function createWhole(store) {
  const details = el("div", { class: "proof-whole-parts", id: "proof-whole-parts", hidden: true });
  const mark = el("button", { type: "button", class: "proof-mark", "aria-expanded": "false", "aria-controls": details.id, on: { click: () => void toggle() } });
  const element = el("section", { class: "card proof-whole", "aria-label": "Proof of this run" }, el("div", { class: "proof-whole-head" }, el("h2", { text: "Proof of this run" }), mark), details);
  /** @type {Trace | null} */
  let told = null;
  let waiting = 0;
  const seen = new IntersectionObserver((entries) => { if (entries.some(({ isIntersecting }) => isIntersecting)) soon(); });
  seen.observe(element);

  /** @param {Trace} trace */
  function tell(trace) {
    if (trace === told) return;
    told = trace;
    dressed("waiting", trace.bytes > LARGE ? "prove this run" : "each number is computed again …");
    if (details.hidden) fill(details);
    else void ask(trace);
    seen.unobserve(element);
    seen.observe(element);
  }

  function soon() {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => { if (told && told.bytes <= LARGE && element.checkVisibility()) void ask(told); }, CALM);
  }

  async function toggle() {
    details.hidden = !details.hidden;
    mark.setAttribute("aria-expanded", String(!details.hidden));
    if (!details.hidden && told) await ask(told);
  }

  /** @param {Trace} trace */
  async function ask(trace) {
    if (trace.bytes > LARGE) dressed("waiting", "each number is computed again …");
    /** @type {Verdict | null} */
    const verdict = await answers.once(`/api/traces/${trace.id}/proof`, details.hidden === true).catch(() => null);
    if (trace !== told) return;
    if (!verdict) return dressed("waiting", "not proved: the server is busy");
    dressed(verdict.passes ? "passes" : "fails", verdictWords(verdict));
    fill(details, ...wholeParts(verdict, trace, store));
  }

  /** @param {string} state @param {string} text */
  function dressed(state, text) {
    dress(mark, { data: { state }, text });
  }

  return { element, tell };
}
