/** The bar above the diagram: where one is, what sizes are written in, whose sizes they are, how near one looks. */

import { el, fill } from "../core/dom.js";
import { placesTo } from "./legend.js";
import { placeTitle } from "./words.js";

/**
 * @typedef {object} Bar
 * @property {HTMLElement} element
 * @property {HTMLElement} zooms  the buttons that stand in the corner of the diagram
 * @property {(legend: import("./legend.js").Legend, at: string) => void} showPlace
 * @property {(text: string, paper: boolean) => void} showChoices
 */

const TEXTS = /** @type {const} */ (["numbers", "names", "both"]);

/**
 * @param {{go: (at: string) => void, text: (text: "numbers" | "names" | "both") => void, paper: (on: boolean) => void, zoom: (factor: number | null) => void}} on
 * @returns {Bar}
 */
export function createBar(on) {
  const crumbs = el("ol", { class: "dg-crumbs" });
  const hint = el("span", { class: "dg-hint", text: "Esc to go out" });
  const texts = TEXTS.map((text) => el("button", { type: "button", class: "dg-choice", text, title: `write sizes in ${text === "both" ? "numbers and names" : text}`, on: { click: () => on.text(text) } }));
  const paper = el("button", { type: "button", class: "dg-choice", text: "paper’s base sizes", title: "the sizes of the paper’s base model on the same diagram", on: { click: () => on.paper(paper.getAttribute("aria-pressed") !== "true") } });
  const zooms = /** @type {const} */ ([["−", 1 / 1.25, "zoom out"], ["⤢", null, "fit the whole"], ["+", 1.25, "zoom in"]]).map(([text, factor, label]) =>
    el("button", { type: "button", class: "dg-choice dg-zoom", text, "aria-label": label, title: label, on: { click: () => on.zoom(factor) } }));
  const element = el("div", { class: "dg-bar" },
    el("nav", { class: "dg-where", "aria-label": "Where you are in the model" }, crumbs, hint),
    el("div", { class: "dg-tools" }, el("div", { class: "dg-group", role: "group", "aria-label": "Sizes in" }, ...texts), el("div", { class: "dg-group" }, paper)));

  return {
    element,
    zooms: el("div", { class: "dg-group dg-zooms", role: "group", "aria-label": "Zoom" }, ...zooms),
    showPlace(legend, at) {
      const places = placesTo(legend, at);
      hint.hidden = places.length < 2;
      fill(crumbs, ...places.map((place, i) => el("li", {}, i === places.length - 1
        ? el("span", { class: "dg-here", "aria-current": "location", text: placeTitle(legend, place) })
        : el("button", { type: "button", class: "dg-crumb", text: placeTitle(legend, place), on: { click: () => on.go(place) } }))));
    },
    showChoices(text, isPaper) {
      texts.forEach((button) => button.setAttribute("aria-pressed", String(button.textContent === text)));
      paper.setAttribute("aria-pressed", String(isPaper));
    },
  };
}
