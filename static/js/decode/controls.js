/** The buttons of the timeline: back, play, forward, to the end, and how fast. */

import { el, fill } from "../core/dom.js";
import { icon } from "./icons.js";
import { SPEEDS } from "./player.js";

/**
 * @param {import("./player.js").Player} player
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/actions.js").Actions} actions
 * @returns {HTMLElement}
 */
export function createControls(player, store, actions) {
  const press = (/** @type {string} */ name, /** @type {import("./icons.js").Sign} */ sign, /** @type {() => void} */ act) => el("button", { type: "button", class: `button icon ${sign}`, "aria-label": name, title: name, on: { click: act } }, icon(sign));
  const reset = press("First step (Home)", "first", () => void player.to(0));
  const back = press("One step back (←)", "back", () => void player.move(-1));
  const play = press("Play (Space)", "play", () => player.toggle());
  const forward = press("One step forward (→)", "forward", () => void player.move(1));
  const end = press("To the end (End)", "last", () => void toEnd());
  const speed = el("select", { class: "button speed", "aria-label": "speed", on: { change: () => player.pace(SPEEDS[speed.selectedIndex].wait) } },
    ...SPEEDS.map(({ title, wait }) => el("option", { text: title, selected: wait === player.get().wait })));
  const says = el("span", { class: "step-says" });
  const leave = el("button", { type: "button", class: "button leave", text: "Leave", title: "Back to the whole target", on: { click: () => void actions.leaveDecoding() } });

  async function toEnd() {
    end.setAttribute("aria-busy", "true");
    await player.end();
    end.setAttribute("aria-busy", "false");
  }

  function render() {
    const { step: shown, playing } = player.get();
    const { step } = store.get();
    if (step === null) return;
    const finished = shown?.step === step && shown.finished;
    says.textContent = `step ${step + 1}${finished ? ", the last" : ""}`;
    able(back, step > 0);
    able(reset, step > 0);
    able(forward, !finished);
    able(end, !finished);
    fill(play, icon(playing ? "pause" : "play"));
    const does = playing ? "Pause (Space)" : "Play (Space)";
    play.setAttribute("aria-label", does);
    play.title = does;
  }

  player.subscribe(render);
  store.subscribe(["step"], render);
  return el("div", { class: "controls", role: "group", "aria-label": "steps" }, reset, back, play, forward, end, says, speed, leave);
}

/** A button that keeps the focus when there is nothing further to do. @param {HTMLElement} button @param {boolean} can */
function able(button, can) {
  button.setAttribute("aria-disabled", String(!can));
}
