/** What is typed of a training that has not begun: it outlives errors and reloads. */

import { recall, retain } from "../core/kept.js";

const STORED = "glassformer.training";

/**
 * The chosen task, and what was typed for each, by the field's name.
 * @typedef {{task: string, typed: Record<string, Record<string, string>>}} Draft
 */

/** @returns {Draft} what is of another form, from an older page or a broken disk, is left out */
export function readDraft() {
  try {
    const { task, typed } = JSON.parse(recall(STORED) ?? "{}");
    const texts = (/** @type {any} */ all) => Object.fromEntries(Object.entries(all ?? {}).filter(([, text]) => typeof text === "string"));
    return { task: typeof task === "string" ? task : "", typed: Object.fromEntries(Object.entries(typed ?? {}).map(([name, all]) => [name, texts(all)])) };
  } catch {
    return { task: "", typed: {} };
  }
}

/** @param {Draft} draft */
export function keepDraft(draft) {
  retain(STORED, JSON.stringify(draft));
}
