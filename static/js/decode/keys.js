/** The keys of a decoding: arrows step, Space plays. Shift with an arrow steps from anywhere but a text field. */

/**
 * @param {HTMLElement} root the timeline
 * @param {import("./player.js").Player} player
 * @param {() => boolean} decodes
 */
export function listenToKeys(root, player, decodes) {
  document.addEventListener("keydown", (event) => {
    if (!decodes() || !event.shiftKey || plain(event) || typing(event.target) || !steps(event)) return;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });

  document.addEventListener("keydown", (event) => {
    const free = root.contains(/** @type {Node} */ (event.target)) || event.target === document.body;
    if (!decodes() || event.defaultPrevented || event.shiftKey || plain(event) || !free || typing(event.target)) return;
    if (steps(event) || others(event)) event.preventDefault();
  });

  /** @param {KeyboardEvent} event */
  function steps({ key, repeat }) {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
    void player.move(key === "ArrowRight" ? 1 : -1, repeat);
    return true;
  }

  /** @param {KeyboardEvent} event */
  function others({ key, target }) {
    if (key === "Home") void player.to(0);
    else if (key === "End") void player.end();
    else if (key === " " && !(target instanceof Element && target.closest("button, a, summary, select"))) player.toggle();
    else return false;
    return true;
  }
}

/** @param {KeyboardEvent} event */
function plain({ ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey;
}

/** @param {EventTarget | null} target */
function typing(target) {
  return target instanceof Element && target.closest("input:not([type=checkbox], [type=range]), textarea, select, dialog, [contenteditable]") !== null;
}
