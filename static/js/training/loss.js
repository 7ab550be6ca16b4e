/** The loss: how the terms become one number, what smoothing does to it, and what another logit would do. Asked for only while the panel is open. */

import { createAnswers } from "../core/answers.js";
import { ServerError, tensors } from "../core/api.js";
import { el } from "../core/dom.js";
import { sentenceAxis, sentenceOf } from "../core/sentences.js";
import { showMeans } from "./loss-means.js";
import { createSmoothing } from "./loss-smoothing.js";
import { createWhatIf } from "./loss-whatif.js";
import { namesOf } from "./sheet-places.js";

/** @typedef {import("./sheet.js").Sheet} Sheet */

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {import("../panels/frame.js").Panel}
 */
export function create(store, actions) {
  const answers = createAnswers();
  const says = el("p", {});
  const means = el("section", { class: "loss-means", "aria-label": "from terms to the loss" });
  const smoothing = createSmoothing(store, actions, answers);
  const whatIf = createWhatIf(store);
  const content = el("div", { class: "loss-content", hidden: true }, means, whatIf.element, smoothing.element);
  const element = el("div", { class: "loss" }, says, content);
  let asked = "";

  async function show() {
    const { trace, model } = store.get();
    if (!trace || !model) return;
    asked = `/api/traces/${trace.id}/sheet`;
    const address = asked;
    if (content.hidden) says.textContent = "Adding the terms …";
    try {
      const { entropy: name } = namesOf(trace, model);
      const [sheet, [entropy]] = await Promise.all([answers.once(address), name ? tensors(trace.id, [name]) : Promise.resolve([null])]);
      if (address === asked && store.get().trace === trace) write(sheet, entropy);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (address === asked) refuse(error.problem.message);
    }
  }

  /** @param {string} message */
  function refuse(message) {
    content.hidden = true;
    says.textContent = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, ".");
  }

  /** @param {Sheet} sheet @param {import("../core/types.js").Values | null} entropy */
  function write(sheet, entropy) {
    const { trace, model, index } = store.get();
    if (!trace || !model) return;
    const sentence = Math.min(sentenceOf(trace, index[sentenceAxis(trace)[0]] ?? 0), sheet.sentences.length - 1);
    const places = sheet.sentences[sentence];
    const names = namesOf(trace, model);
    content.hidden = false;
    says.textContent = "How surprised the model is by the right answers. Each position adds its cross-entropy; padding adds nothing.";
    showMeans(means, sheet, store, names);
    smoothing.show();
    const width = entropy?.shape[1] ?? 0;
    whatIf.show({ trace: trace.id, sentence, places, names, entropy: entropy ? Float64Array.from({ length: places.length }, (_, i) => Number(entropy.values[sentence * width + i])) : [] });
    element.dataset.trace = trace.id;
  }

  return { element, show: () => void show() };
}
