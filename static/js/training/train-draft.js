/** What is typed of a training that has not begun: it outlives errors and reloads. */

const STORED = "glassformer.training";

/**
 * The chosen task, and what was typed for each, by the field's name.
 * @typedef {{task: string, typed: Record<string, Record<string, string>>}} Draft
 */

/** @returns {Draft} */
export function readDraft() {
  try {
    const { task, typed } = JSON.parse(sessionStorage.getItem(STORED) ?? "{}");
    return { task: typeof task === "string" ? task : "", typed: typed && typeof typed === "object" ? typed : {} };
  } catch {
    return { task: "", typed: {} };
  }
}

/** @param {Draft} draft */
export function keepDraft(draft) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(draft));
  } catch {
    // a browser that stores nothing, or not so much: the page still has it
  }
}
