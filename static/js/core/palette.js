/** The palette of the page's present colour scheme, read once and again when the scheme changes. */

import { makePalette } from "./colour.js";

/** @type {import("./colour.js").Palette | null} */
let made = null;

export function palette() {
  if (made) return made;
  const style = getComputedStyle(document.documentElement);
  /** @type {Map<string, string>} */
  const read = new Map();
  made = makePalette((name) => {
    if (!read.has(name)) read.set(name, style.getPropertyValue(name).trim());
    return /** @type {string} */ (read.get(name));
  });
  return made;
}

/** @param {() => void} listener called with the new scheme in force */
export function whenThemeChanges(listener) {
  const changed = () => {
    made = null;
    listener();
  };
  new MutationObserver(changed).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
}
