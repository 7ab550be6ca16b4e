/** In place of all that is drawn: why a link cannot be opened, and what it asked for. */

import { el, fill } from "../core/dom.js";
import { blanksSeen } from "../core/tokens.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions
 * @typedef {import("../core/unopened.js").Unopened} Unopened @typedef {import("../core/unopened.js").Asked} Asked
 */

/**
 * @param {HTMLElement} stage
 * @param {Store} store
 * @param {Actions} actions
 */
export function keepUnopened(stage, store, actions) {
  const element = el("section", { class: "unopened", "aria-label": "Link that cannot be opened", hidden: true });
  stage.append(element);

  store.subscribe(["unopened"], ({ unopened }) => {
    const held = element.contains(document.activeElement) ? document.activeElement?.textContent : null;
    stage.classList.toggle("closed", unopened !== null);
    element.hidden = unopened === null;
    fill(element, unopened && card(unopened, actions));
    const next = unopened ? [...element.querySelectorAll("button")].find(({ textContent }) => textContent === held) : stage.querySelector("#diagram");
    if (held) /** @type {HTMLElement | undefined} */ (next)?.focus();
  });
}

/** @param {Unopened} unopened @param {Actions} actions */
function card({ problem, asked }, actions) {
  return el("div", { class: "unopened-inside" },
    el("h1", { text: "This link cannot be opened here." }),
    el("p", { class: "problem", role: "alert", text: sentence(problem.message) }),
    asked ? whatItAsks(asked) : el("p", { text: "Nothing of it can be read: perhaps it was not copied whole." }),
    el("p", { text: asked ? `Nothing is drawn, for it would not be what the link asks for. Its sentences stand above${asked.options || asked.seed !== undefined ? ", without its settings" : ""}: choose a model for them, or press Run.` : "Nothing is drawn, for it would not be what the link asks for." }),
    el("p", { class: "unopened-ways" },
      el("button", { type: "button", class: "button primary", text: "Open the worked example", on: { click: () => void actions.example() } }),
      el("button", { type: "button", class: "button", text: "Try again", on: { click: () => void actions.open() } })));
}

/** @param {Asked} asked */
function whatItAsks({ model, options, seed, src, tgt, whole }) {
  const settings = [...Object.entries(options ?? {}).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`), ...(seed === undefined ? [] : [`seed ${seed}`])].join(", ");
  const number = (/** @type {number} */ place) => (src.length > 1 ? ` ${place + 1}` : "");
  return el("div", {}, el("h2", { text: whole ? "What it asks for" : "What is left of it; it was cut off" }),
    el("dl", { class: "unopened-asked" },
      ...(model === undefined ? [] : line("model", model)), ...(settings ? line("settings", settings) : []),
      ...src.flatMap((text, place) => [...line(`source${number(place)}`, text, "of-src"), ...(tgt[place] === undefined ? [] : line(`target${number(place)}`, tgt[place], "of-tgt"))])));
}

/** @param {string} name @param {string} text @param {string} [kind] */
function line(name, text, kind) {
  return [el("dt", { text: name }), el("dd", {}, el("bdi", { class: kind, text: blanksSeen(text) || "∅" }))];
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.;]?$/, ".")}`;
}
