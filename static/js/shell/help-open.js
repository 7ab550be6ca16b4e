/** `?`, or its button, opens the keys and the words, which are fetched then. */

/** @typedef {ReturnType<typeof import("./help.js").createHelp>} Help */

/** @param {import("../core/store.js").Store} store */
export function keepHelp(store) {
  /** @type {Promise<Help> | null} */
  let made = null;

  const help = () => (made ??= import("./help.js").then(({ createHelp }) => {
    const found = createHelp(store);
    document.body.append(found.dialog);
    return found;
  }));

  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    event.preventDefault();
    void help().then(({ toggle }) => toggle());
  });
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-opens=help]")) void help().then(({ open }) => open());
  });
}

/** @param {EventTarget | null} target */
function typing(target) {
  return target instanceof Element && target.closest("input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]") !== null;
}
