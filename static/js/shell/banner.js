/** The server does not answer: said calmly, and tried again by itself. Everything on screen and everything typed stays. */

import { el } from "../core/dom.js";

/** @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions */

const WAITS = [1, 2, 4, 8, 15, 30];

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
export function createBanner(store, actions) {
  const wait = el("span", { class: "soft" });
  const button = el("button", { type: "button", class: "button", text: "Try now", on: { click: () => void again() } });
  const banner = el("div", { class: "banner", hidden: true },
    el("p", { role: "status", text: "The server does not answer. What is on screen and what you typed is kept." }), wait, button);
  let tries = 0;
  let left = 0;
  let timer = 0;

  function count() {
    clearTimeout(timer);
    wait.textContent = left > 0 ? `Trying again in ${left} s.` : "Trying …";
    if (left <= 0) return void again();
    left -= 1;
    timer = window.setTimeout(count, 1000);
  }

  async function again() {
    clearTimeout(timer);
    wait.textContent = "Trying …";
    await actions.retry();
  }

  store.subscribe(["phase"], ({ phase }) => {
    if (phase === "running") return;
    banner.hidden = phase !== "offline";
    clearTimeout(timer);
    if (phase !== "offline") {
      tries = 0;
      return;
    }
    left = WAITS[Math.min(tries, WAITS.length - 1)];
    tries += 1;
    count();
  });
  return banner;
}
