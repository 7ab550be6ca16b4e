/** The buttons that play a product: on and off, a term or a cell at a time, how fast. */

import { el } from "../core/dom.js";
import { still } from "../core/motion.js";

/** How many cells a second. */
export const RATES = [{ name: "slow", cells: 0.25 }, { name: "normal", cells: 1 }, { name: "fast", cells: 4 }];

/**
 * @typedef {{moving: boolean, begun: boolean}} Situation
 *
 * @param {object} on
 * @param {() => void} on.toggle
 * @param {(by: number) => void} on.step   a term on or back
 * @param {(by: number) => void} on.cell   a cell on or back
 * @param {() => void} on.stop
 */
export function createPlayControls({ toggle, step, cell, stop }) {
  let rate = 1;
  const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ click) => el("button", { type: "button", class: "pick", "aria-label": label, title: label, text, on: { click } });
  const play = el("button", { type: "button", class: "pick play-toggle", on: { click: toggle } });
  const rates = RATES.map(({ name, cells }, i) => el("button", { type: "button", class: "pick", text: name, title: `${cells === 0.25 ? "¼" : cells} ${cells === 4 ? "cells" : "cell"} a second`, on: { click: () => { rate = i; mark(); } } }));
  const speed = el("span", { class: "picks", role: "group", "aria-label": "speed" }, ...rates);
  const end = button("■", "stop (Escape)", stop);
  const note = el("p", { class: "small soft", hidden: true, text: "Your system asks for less motion: step through with the arrows." });
  const buttons = el("div", { class: "play-buttons", role: "group", "aria-label": "Play row times column", on: { keydown } },
    play, el("span", { class: "picks" }, button("«", "the cell before (↑)", () => cell(-1)), button("‹", "one term back (←)", () => step(-1)), button("›", "one term on (→)", () => step(1)), button("»", "the next cell (↓)", () => cell(1)), end), speed);
  mark();
  tell({ moving: false, begun: false });

  function mark() {
    rates.forEach((one, i) => one.setAttribute("aria-pressed", String(i === rate)));
  }

  /** @param {KeyboardEvent} event */
  function keydown(event) {
    const act = /** @type {Record<string, (() => void) | undefined>} */ ({ ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => cell(-1), ArrowDown: () => cell(1), Escape: end.disabled ? undefined : stop })[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {Situation} situation */
  function tell({ moving, begun: on }) {
    const text = moving ? "❚❚ pause" : "▶ play";
    if (play.textContent !== text) play.textContent = text;
    play.title = moving ? "pause" : "row times column, one cell after the other";
    end.disabled = !on;
    [play.hidden, speed.hidden, note.hidden] = [still(), still(), !still()];
  }

  return { element: el("div", { class: "maps-play" }, buttons, note), rate: () => rate, tell };
}
