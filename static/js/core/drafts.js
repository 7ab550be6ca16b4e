/** What was typed and not run outlives errors, reloads and going back: it is kept by the trace it was typed beside. */

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

/** @returns {[string, Recipe][]} oldest first */
function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {[string, Recipe][]} drafts */
function write(drafts) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(drafts));
  } catch {
    // a browser that stores nothing still has the address
  }
}
