/** What one tab keeps over a reload. A browser that stores nothing, or is full, keeps it until the reload. */

/** @type {Map<string, string | null>} */
const memory = new Map();

/**
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return memory.has(name) ? memory.get(name) ?? null : sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string | null} text null forgets it
 */
export function retain(name, text) {
  memory.delete(name);
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    memory.set(name, text);
  }
}
