/** Light, dark, or as the system has it. */

import { el } from "../core/dom.js";

const STORED = "glassformer.theme";
const SCHEMES = [{ name: "system", sign: "◐" }, { name: "light", sign: "☀" }, { name: "dark", sign: "☾" }];

/** @returns {HTMLElement} */
export function createTheme() {
  const button = el("button", { type: "button", class: "button icon", on: { click: next } });
  const current = () => Math.max(SCHEMES.findIndex(({ name }) => name === document.documentElement.dataset.scheme), 0);

  function next() {
    const { name } = SCHEMES[(current() + 1) % SCHEMES.length];
    document.documentElement.dataset.scheme = name;
    try {
      localStorage.setItem(STORED, name);
    } catch {
      // it holds for this page only
    }
    render();
  }

  function render() {
    const { name, sign } = SCHEMES[current()];
    button.textContent = sign;
    const says = `Colours: ${name}. Press for ${SCHEMES[(current() + 1) % SCHEMES.length].name}.`;
    button.title = says;
    button.setAttribute("aria-label", says);
  }

  render();
  return button;
}
