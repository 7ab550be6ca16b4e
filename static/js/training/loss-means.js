/** The terms become one number: their sum, their mean over tokens, the mean of the sentences' means; and where the loss stands on its scale. */

import { el, fill } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { levelWords, marks, ways } from "./loss-words.js";
import { numberLink } from "./sheet-link.js";

/** @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("../core/store.js").Store} Store */

/**
 * @param {HTMLElement} root
 * @param {Sheet} sheet
 * @param {Store} store
 * @param {ReturnType<typeof import("./sheet-places.js").namesOf>} names
 */
export function showMeans(root, sheet, store, names) {
  fill(root, el("h3", { text: "From terms to the loss" }), el("div", { class: "loss-ways" }, ...ways(sheet).map(({ role, title, value, how, says }) => el("div", { class: role === "mean" ? "loss-way trained" : "loss-way" },
    el("h4", {}, title, role === "mean" && el("span", { class: "loss-badge", text: "trained on" })), numberLink(store, names[role], [], fixed(Number(value), 4), { says: title, value, class: "loss-value" }),
    el("span", { class: "mono small", text: how }), el("span", { class: "soft small", text: says })))),
  scale(sheet), el("p", { class: "small", text: levelWords(sheet) }));
}

/** @param {Sheet} sheet */
function scale(sheet) {
  const { untrained, floor, mean } = sheet;
  const at = /** @type {Record<string, number | null>} */ (marks(sheet));
  const mark = (/** @type {string} */ name, /** @type {string} */ text) => at[name] !== null && el("span", { class: `loss-mark ${name}`, vars: { "--at": at[name] } }, el("span", { class: "loss-mark-says", text }));
  return el("div", { class: "loss-scale", role: "img", "aria-label": `floor ${fixed(Number(floor), 3)}, loss ${fixed(Number(mean), 3)}, untrained ln V ${fixed(untrained, 3)}` },
    el("span", { class: "loss-line", "aria-hidden": "true" }, el("span", { class: "loss-filled", vars: { "--at": at.now ?? 1 } })), mark("now", `loss ${fixed(Number(mean), 3)}`), mark("floor", `floor ${fixed(Number(floor), 3)}`), mark("untrained", `untrained, ln V ${fixed(untrained, 3)}`));
}
