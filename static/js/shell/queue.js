/** One's place in the server's queue, in words, while something waits. */

import { ordinal } from "../core/format.js";
import { visitor } from "../core/visitor.js";

/** @typedef {import("../core/traffic.js").Asking} Asking @typedef {{waiting: number, yours: {place: number}[], seconds: number}} Queue */

const EVERY = 1000;

/**
 * @param {() => Set<Asking>} asked
 * @param {(text: string) => void} say
 * @returns {() => void} stop
 */
export function sayPlace(asked, say) {
  let timer = 0;
  let over = false;

  async function look() {
    const found = await askQueue();
    if (over) return;
    say(inWords(found, [...asked()]));
    timer = window.setTimeout(look, EVERY);
  }

  void look();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

/** @returns {Promise<Queue | null>} */
async function askQueue() {
  try {
    const answer = await fetch("/api/queue", { headers: visitor(), cache: "no-store" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Pure.
 * @param {Queue | null} queue
 * @param {Asking[]} asked
 */
export function inWords(queue, asked) {
  if (asked.some(({ again }) => again)) return "the server is busy, trying again soon";
  const places = queue?.yours.map(({ place }) => place) ?? [];
  if (!queue || places.length === 0) return "waiting for the answer …";
  const first = Math.min(...places);
  if (first === 0) return "being computed";
  const place = first === 1 ? "next in the queue" : `${ordinal(first)} in the queue`;
  return queue.seconds > 0 ? `${place}, about ${Math.ceil(queue.seconds)} s` : place;
}
