/** A sentence's positions as one table: side by side where they fit, else one under the other. */

import { el } from "../core/dom.js";
import { ASPECTS } from "./sheet-aspects.js";

/** @typedef {import("./sheet.js").Place} Place @typedef {import("./sheet-aspects.js").Around} Around */

const HEAD = 108;
const COLUMN = 104;
/** In a room so narrow the table moves sideways under its fixed first column. */
const NARROW = 620;

/**
 * @param {Place[]} places
 * @param {Around} around
 * @param {number} room   the width there is, in pixels
 * @returns {HTMLElement}
 */
export function table(places, around, room) {
  const across = room < NARROW || HEAD + COLUMN * places.length <= room;
  const caption = el("caption", { class: "visually-hidden", text: `sentence ${around.sentence + 1}, position by position` });
  return el("table", { class: `sheet-table ${across ? "across" : "down"}` }, caption, ...(across ? sideBySide(places, around) : oneUnderOther(places, around)));
}

/** @param {Place[]} places @param {Around} around */
function sideBySide(places, around) {
  return [
    el("thead", {}, el("tr", {}, el("th", { scope: "row", text: "position" }), ...places.map((place, position) => el("th", { scope: "col", class: kind(place), text: position })))),
    el("tbody", {}, ...ASPECTS.map(({ title, says, cell }) => el("tr", {}, el("th", { scope: "row", title: says, text: title }), ...places.map((place, position) => el("td", { class: kind(place) }, cell(place, position, around)))))),
  ];
}

/** @param {Place[]} places @param {Around} around */
function oneUnderOther(places, around) {
  return [
    el("thead", {}, el("tr", {}, el("th", { scope: "col", "aria-label": "position", text: "#" }), ...ASPECTS.map(({ title, says }) => el("th", { scope: "col", title: says, text: title })))),
    el("tbody", {}, ...places.map((place, position) => el("tr", { class: kind(place) }, el("th", { scope: "row", text: position }), ...ASPECTS.map(({ title, cell }) => el("td", { data: { title } }, cell(place, position, around)))))),
  ];
}

/** @param {Place} place */
function kind({ counted, leak }) {
  return [!counted && "out", leak && "leaks"].filter(Boolean).join(" ") || null;
}
