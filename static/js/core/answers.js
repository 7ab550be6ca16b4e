/** Answers that cannot change (models, traces, steps) are asked for once and kept. */

import { json } from "./api.js";

const KEPT = 300;

/** @typedef {{once: (address: string, quiet?: boolean) => Promise<any>, hold: (address: string, answer: any) => void}} Answers */

/**
 * @param {(address: string, quiet: boolean) => Promise<any>} [ask] `quiet`: nobody waits for it yet
 * @returns {Answers}
 */
export function createAnswers(ask = (address, quiet) => json(address, { quiet })) {
  /** @type {Map<string, Promise<any>>} */
  const kept = new Map();

  /** @param {string} address @param {Promise<any>} answer */
  function keep(address, answer) {
    kept.delete(address);
    kept.set(address, answer);
    if (kept.size > KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
  }

  return {
    once(address, quiet = false) {
      const asked = kept.get(address) ?? ask(address, quiet).catch((error) => {
        kept.delete(address);
        throw error;
      });
      keep(address, asked);
      return asked;
    },
    hold: (address, answer) => keep(address, Promise.resolve(answer)),
  };
}
