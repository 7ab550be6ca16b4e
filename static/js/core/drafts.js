/** What was typed and not run outlives errors, reloads and going back: it is kept by the trace it was typed beside. */

import { recall, retain } from "./kept.js";

/** @typedef {import("./types.js").Recipe} Recipe */

const STORED = "glassformer.drafts";
const KEPT = 20;

/** The place of what is typed before any trace is on screen. */
export const NOWHERE = "";

/**
 * @param {string} trace
 * @returns {Recipe | null}
 */
export function draftAt(trace) {
  return read().find(([place]) => place === trace)?.[1] ?? null;
}

/**
 * @param {string} trace
 * @param {Recipe | null} input null forgets it
 */
export function keepDraft(trace, input) {
  const others = read().filter(([place]) => place !== trace).slice(1 - KEPT);
  write(input ? [...others, [trace, input]] : others);
}

/** @returns {[string, Recipe][]} oldest first; what is no draft, from an older page or a broken disk, is left out */
function read() {
  try {
    return JSON.parse(recall(STORED) ?? "[]").filter(isDraft);
  } catch {
    return [];
  }
}

/** @param {any} entry */
function isDraft(entry) {
  const texts = (/** @type {any} */ all) => Array.isArray(all) && all.every((text) => typeof text === "string");
  const [place, input] = Array.isArray(entry) ? entry : [];
  return typeof place === "string" && typeof input?.model === "string" && texts(input.src) && texts(input.tgt ?? []);
}

/** @param {[string, Recipe][]} drafts */
function write(drafts) {
  retain(STORED, JSON.stringify(drafts));
}
