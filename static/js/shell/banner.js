/** The server does not answer, or another version of it does: said calmly, in a row above all others that covers none of them. Everything on screen and everything typed stays. */

import { el } from "../core/dom.js";
import { onReach, probe } from "../core/reach.js";

/** Seconds between one try and the next. */
const WAITS = [1, 2, 4, 8, 15, 30];
const JITTER = 0.3;
/** After being away for so long, the page asks whether all is as it was. */
const AWAY = 60_000;

const SAYS = {
  down: "The server does not answer. What is on screen and what you typed is kept.",
  offline: "This device is offline. What is on screen and what you typed is kept.",
  changed: "Glassformer was updated while this page was open. Reload it to go on; what you typed is kept.",
};

/** @returns {HTMLElement} */
export function createBanner() {
  const says = el("p", { role: "status" });
  const wait = el("span", { class: "soft banner-wait" });
  const button = el("button", { type: "button", class: "button", on: { click: press } });
  const banner = el("div", { class: "banner", hidden: true }, el("div", { class: "banner-says" }, says, wait), button);
  new ResizeObserver(() => document.documentElement.style.setProperty("--banner", `${banner.offsetHeight}px`)).observe(banner);
  /** @type {import("../core/reach.js").Reach} */
  let reach = "up";
  let tries = 0;
  let left = 0;
  let timer = 0;
  let since = 0;

  function press() {
    if (reach === "changed") location.reload();
    else void again();
  }

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
    await probe();
    if (reach === "down") later();
  }

  function later() {
    says.textContent = navigator.onLine ? SAYS.down : SAYS.offline;
    left = Math.round(WAITS[Math.min(tries, WAITS.length - 1)] * (1 + Math.random() * JITTER));
    tries += 1;
    count();
  }

  onReach((now) => {
    reach = now;
    banner.hidden = now === "up";
    clearTimeout(timer);
    tries = 0;
    button.textContent = now === "changed" ? "Reload" : "Try now";
    wait.textContent = "";
    if (now === "down") later();
    if (now === "changed") says.textContent = SAYS.changed;
  });

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) since = Date.now();
    else if (reach === "down" || Date.now() - since > AWAY) void probe();
  });
  globalThis.addEventListener("pageshow", ({ persisted }) => { if (persisted) void probe(); });
  return banner;
}
