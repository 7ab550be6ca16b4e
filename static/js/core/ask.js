/**
 * One request. While the server is away it waits for it, and while the server is busy it waits as long as it was told: what may be
 * asked twice is asked again by itself, and nobody who asks needs to know.
 */

import { ServerError, offline, problemOf } from "./problems.js";
import { found, lost, probe, whenBack } from "./reach.js";
import { begin, end, postpone } from "./traffic.js";
import { visitor } from "./visitor.js";

/** How often what was refused is tried again, by the error's code. */
const TRIES = /** @type {Record<string, number>} */ ({ deadline: 0, out_of_memory: 1 });
const MOST = 6;
const JITTER = 0.5;
const LONGEST = 60;

/** What a server in front of ours answers when ours is away. */
const AWAY = [502, 503];

/**
 * `again`: it may be asked twice, since asking changes nothing. `quiet`: nobody waits for it.
 * @typedef {{again?: boolean, quiet?: boolean}} Manner
 */

/**
 * @param {string} address
 * @param {RequestInit} request
 * @param {Manner} [manner]
 * @returns {Promise<Response>} one that is good
 * @throws {ServerError}
 */
export async function ask(address, request, { again = true, quiet = false } = {}) {
  const asking = begin(quiet);
  try {
    for (let tries = 0; ; ) {
      const answer = await send(address, request);
      if (answer?.ok) return answer;
      const problem = answer && await problemOf(answer);
      if (!answer || !problem) {
        lost();
        if (!again) throw new ServerError(offline());
        if (request.signal?.aborted) throw request.signal.reason;
        await whenBack(request.signal);
        continue;
      }
      const wait = tries++ < (TRIES[problem.code] ?? MOST) ? waitOf(answer) : null;
      if (wait === null) throw new ServerError(problem);
      postpone(asking, true);
      await pause(wait, request.signal);
      postpone(asking, false);
    }
  } finally {
    end(asking);
  }
}

/** @param {string} address @param {RequestInit} request @returns {Promise<Response | null>} null where nobody answers */
async function send(address, request) {
  try {
    const answer = await fetch(address, { ...request, headers: { ...request.headers, ...visitor() } });
    if (AWAY.includes(answer.status) && !isOurs(answer)) return null;
    found();
    return answer;
  } catch (cause) {
    if (/** @type {Error} */ (cause).name === "AbortError") throw cause;
    return null;
  }
}

/** @param {Response} answer */
function isOurs(answer) {
  return answer.headers.get("Content-Type")?.startsWith("application/json") ?? false;
}

/**
 * How long to wait before asking again, in milliseconds; null: not at all. Never sooner than the server wants it.
 * @param {Response} answer
 */
export function waitOf({ status, headers }) {
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  if ((status !== 503 && status !== 429) || !(seconds >= 0)) return null;
  return Math.min(Math.max(seconds, 0.5), LONGEST) * (1 + Math.random() * JITTER) * 1000;
}

/** @param {number} wait @param {AbortSignal | null} [signal] @returns {Promise<void>} */
function pause(wait, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, wait);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

globalThis.addEventListener?.("online", () => void probe());
globalThis.addEventListener?.("offline", () => void probe());
