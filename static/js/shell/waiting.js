/** Something is on its way: a line along the bar after a moment, and words beside it after another. The page stays as it is meanwhile. */

import { el } from "../core/dom.js";
import { onReach, reached } from "../core/reach.js";
import { onTraffic } from "../core/traffic.js";

const MOMENT = 300;
const LONG = 600;

/** @param {import("../core/store.js").Store} store */
export function keepWaiting(store) {
  const bar = /** @type {HTMLElement} */ (document.getElementById("sentences"));
  const words = el("p", { class: "waiting small", role: "status" });
  /** @type {HTMLElement} */ (bar.querySelector(".bar-gap")).append(words);
  /** @type {(() => void) | null} */
  let hush = null;
  let timers = /** @type {number[]} */ ([]);
  let waits = false;
  /** @type {Set<import("../core/traffic.js").Asking>} */
  let asked = new Set();

  function stop() {
    for (const timer of timers) clearTimeout(timer);
    bar.classList.remove("waits");
    hush?.();
    hush = null;
    words.textContent = "";
  }

  async function speak() {
    const { sayPlace } = await import("./queue.js");
    if (waits && !hush) hush = sayPlace(() => asked, (text) => { if (words.textContent !== text) words.textContent = text; });
  }

  function look() {
    const now = asked.size > 0 && reached() && (store.get().phase === "running" || [...asked].some(({ quiet }) => !quiet));
    if (now === waits) return;
    waits = now;
    stop();
    if (waits) timers = [window.setTimeout(() => bar.classList.add("waits"), MOMENT), window.setTimeout(() => void speak().catch(() => null), LONG)];
  }

  onTraffic((all) => {
    asked = all;
    look();
  });
  onReach(look);
  store.subscribe(["phase"], look);
}
