/** Every view is a link; this copies it. */

import { el } from "../core/dom.js";

const SHOWN = 1800;

/** @returns {HTMLElement} */
export function createLink() {
  const said = el("span", { class: "copied", role: "status" });
  const button = el("button", { type: "button", class: "button", text: "Copy link", title: "Copy a link to exactly this view", on: { click: copy } });
  let timer = 0;

  async function copy() {
    clearTimeout(timer);
    said.textContent = await toClipboard(location.href) ? "copied" : "the address bar has it";
    timer = window.setTimeout(() => { said.textContent = ""; }, SHOWN);
  }

  return el("span", { class: "link-copy" }, button, said);
}

/** @param {string} text */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
