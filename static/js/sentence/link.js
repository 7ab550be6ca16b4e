/** Every view is a link; this copies it. */

import { el } from "../core/dom.js";

const SHOWN = 1800;

/** @returns {HTMLElement} */
export function createLink() {
  const said = el("span", { class: "copied", role: "status" });
  const address = el("input", { type: "text", class: "copy-by-hand", readonly: true, hidden: true, "aria-label": "the link to this view", on: { blur: hide, keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") button.focus(); } } });
  const button = el("button", { type: "button", class: "button", text: "Copy link", title: "Copy a link to exactly this view", on: { click: copy } });
  let timer = 0;

  async function copy() {
    clearTimeout(timer);
    const copied = await toClipboard(location.href) || byCommand(location.href);
    said.textContent = copied ? "copied" : "copy this link:";
    address.hidden = copied;
    if (copied) timer = window.setTimeout(hide, SHOWN);
    else {
      address.value = location.href;
      address.focus();
      address.select();
    }
  }

  function hide() {
    said.textContent = "";
    address.hidden = true;
  }

  return el("span", { class: "link-copy" }, button, el("span", { class: "copy-said" }, said, address));
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

/** The way that is left where a page did not come over https. @param {string} text */
function byCommand(text) {
  const held = document.activeElement;
  const area = el("textarea", { class: "visually-hidden", readonly: true, "aria-hidden": "true", tabindex: -1 });
  area.value = text;
  document.body.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (held instanceof HTMLElement) held.focus();
  }
}
