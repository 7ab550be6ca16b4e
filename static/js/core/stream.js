/**
 * Server-sent events that last as long as they are wanted: resumed after the last that came when the connection breaks, the server
 * restarts or the page was asleep. A tab has one open at a time, the one that was asked for last, and none while it is hidden.
 */

import { waitOf } from "./ask.js";
import { problemOf } from "./problems.js";
import { probe, reached, whenBack } from "./reach.js";
import { slot } from "./slots.js";
import { eventsIn } from "./sse.js";
import { visitor } from "./visitor.js";

/**
 * @typedef {import("./types.js").Problem} Problem
 * @typedef {{hear: (name: string, data: any) => void, over: (problem: Problem | null) => void}} Listener   `over`: no more will come, and why
 * @typedef {{go: () => void, rest: () => void}} Stream
 */

const WAITS = [0.5, 1, 2, 4, 8, 15, 30];
/** The server sends something at least every 15 s. */
const SILENCE = 50_000;
/** How long a hidden page keeps its stream. */
const HIDDEN = 5_000;

/** Other tabs have taken all streams. @type {Problem} */
const FULL = { code: "full", message: "Other tabs listen already.", where: "", status: 0 };

/** @type {Stream[]} all that are wanted, the newest last */
const wanted = [];
let asleep = globalThis.document?.hidden ?? false;
let falling = 0;

/**
 * @param {string} address
 * @param {Listener} on
 * @returns {() => void} close it
 */
export function openStream(address, on) {
  const stream = createStream(address, { ...on, over: (problem) => { close(); on.over(problem); } });

  function close() {
    stream.rest();
    if (wanted.includes(stream)) wanted.splice(wanted.indexOf(stream), 1);
    arrange();
  }

  wanted.push(stream);
  arrange();
  return close;
}

function arrange() {
  const top = asleep ? undefined : wanted[wanted.length - 1];
  for (const stream of wanted) if (stream !== top) stream.rest();
  top?.go();
}

/** @param {string} address @param {Listener} on @returns {Stream} */
function createStream(address, { hear, over }) {
  let last = "";
  let tries = 0;
  /** @type {AbortController | null} */
  let running = null;

  /** @param {AbortSignal} signal @returns {Promise<boolean>} whether it is over */
  async function connect(signal) {
    const answer = await fetch(address, { headers: { Accept: "text/event-stream", ...visitor(), ...(last ? { "Last-Event-ID": last } : {}) }, cache: "no-store", signal });
    if (answer.status === 204) return done(null);
    if (!answer.ok) return refused(answer, signal);
    for await (const { name, id, data } of eventsOf(/** @type {ReadableStream<Uint8Array>} */ (answer.body), signal)) {
      tries = 0;
      if (id !== null) last = id;
      if (name === "bye") return false;
      if (name === "end") return done(null);
      if (name === "error") return done({ ...JSON.parse(data).error, status: answer.status });
      if (name === "ended") return done({ code: "ended", message: JSON.parse(data).reason ?? "", where: "", status: 0 });
      hear(name, JSON.parse(data));
    }
    return false;
  }

  /** @param {Problem | null} problem */
  function done(problem) {
    over(problem);
    return true;
  }

  /** @param {Response} answer @param {AbortSignal} signal */
  async function refused(answer, signal) {
    const wait = waitOf(answer);
    const problem = await problemOf(answer);
    if (problem.code === "bad_cursor" && last) {
      last = "";
      return false;
    }
    if (wait === null && answer.status < 500) return done(problem);
    await pause(wait ?? 0, signal);
    return false;
  }

  /** @param {AbortController} controller */
  async function run({ signal }) {
    if (!(await slot(signal).catch(() => true)) && !signal.aborted) return void done(FULL);
    while (!signal.aborted) {
      try {
        if (await connect(signal)) return;
      } catch {
        if (!signal.aborted && !(await probe())) await whenBack(signal).catch(() => null);
      }
      if (!reached()) await whenBack(signal).catch(() => null);
      await pause(WAITS[Math.min(tries++, WAITS.length - 1)] * (1 + Math.random()) * 500, signal);
    }
  }

  return {
    go() {
      if (running) return;
      running = new AbortController();
      void run(running);
    },
    rest() {
      running?.abort();
      running = null;
    },
  };
}

/** @param {ReadableStream<Uint8Array>} body @param {AbortSignal} signal */
async function* eventsOf(body, signal) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await within(SILENCE, reader.read());
      if (done || signal.aborted) return;
      const { events, rest } = eventsIn(text + value);
      text = rest;
      yield* events;
    }
  } finally {
    void reader.cancel().catch(() => null);
  }
}

/** @template T @param {number} most @param {Promise<T>} work @returns {Promise<T>} */
function within(most, work) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("silence")), most);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** @param {number} wait @param {AbortSignal} signal @returns {Promise<void>} also when it is not wanted any more */
function pause(wait, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, wait);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); });
  });
}

/** @param {boolean} sleeps */
function sleep(sleeps) {
  clearTimeout(falling);
  asleep = sleeps;
  arrange();
}

globalThis.document?.addEventListener("visibilitychange", () => {
  if (!document.hidden) return sleep(false);
  falling = window.setTimeout(() => sleep(true), HIDDEN);
});
globalThis.addEventListener?.("pagehide", () => sleep(true));
globalThis.addEventListener?.("pageshow", () => sleep(false));
globalThis.document?.addEventListener("freeze", () => sleep(true));
globalThis.document?.addEventListener("resume", () => sleep(false));
