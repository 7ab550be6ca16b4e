/** The lines under the sentences: what the server says about them, else what they are for. */

import { dress, el } from "../core/dom.js";
import { onReach, reached } from "../core/reach.js";
import { fieldOf, said } from "./said.js";
import { unseenSays } from "./unseen.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions @typedef {import("./said.js").Said} Said */

const CLASSES = { problem: "is-problem", notice: "is-notice", plain: "soft" };

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {{root: HTMLElement, show: (earlier: boolean, texts: Record<"src" | "tgt", string>) => void}} `show` is told whether the target on screen is that of another source, and what stands in the fields
 */
export function createStatus(store, actions) {
  const lines = { src: el("p", { class: "field-note small", id: "src-note" }), tgt: el("p", { class: "field-note small", id: "tgt-note" }) };
  const unseen = { src: el("p", { class: "field-unseen small", id: "src-unseen" }), tgt: el("p", { class: "field-unseen small", id: "tgt-unseen" }) };
  const alert = el("div", { class: "visually-hidden", role: "alert" });
  const again = el("button", { type: "button", class: "button try-again", text: "Try again", hidden: true, on: { click: () => void actions.run() } });
  let isEarlier = false;

  function render() {
    const state = store.get();
    const both = { src: said("src", state, isEarlier, !reached()), tgt: said("tgt", state, isEarlier, !reached()) };
    say(lines.src, both.src);
    say(lines.tgt, both.tgt);
    again.hidden = state.problem === null || state.trace !== null;
    const wrong = fieldOf(state.problem);
    const spoken = wrong ? both[wrong.side].text : "";
    if (alert.textContent !== spoken) alert.textContent = spoken;
  }

  store.subscribe(["problem", "trace", "model", "decoding", "input", "sent", "unopened"], render);
  onReach(render);
  render();
  return {
    root: el("div", { class: "notes" }, el("div", {}, lines.src, unseen.src, again), el("div", {}, lines.tgt, unseen.tgt), alert),
    show(earlier, texts) {
      for (const side of /** @type {const} */ (["src", "tgt"])) {
        const says = unseenSays(texts[side]);
        if (unseen[side].textContent !== says) unseen[side].textContent = says;
      }
      if (earlier === isEarlier) return;
      isEarlier = earlier;
      render();
    },
  };
}

/** @param {HTMLElement} line @param {Said} what */
function say(line, { kind, text }) {
  dress(line, { class: `field-note small ${CLASSES[kind]}`, text, title: text });
}
