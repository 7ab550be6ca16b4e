/** Written tokens as chips, each with its probability as a bar and its log-probability. */

import { el } from "../core/dom.js";
import { logarithm, percent } from "../core/format.js";
import { tokenSays, visible } from "../core/tokens.js";

/**
 * @param {import("../core/types.js").Written[]} written
 * @param {{step: number | null, go?: (step: number) => void, from?: number}} about   the step on screen; without `go` they lead nowhere; from which place on they differ from others
 * @returns {HTMLElement}
 */
export function drawTokens(written, { step, go, from = Infinity }) {
  return el("ol", { class: "written" }, ...written.map(({ token, probability, log_prob }, place) => {
    const share = Number(probability);
    const inside = [el("bdi", { class: "written-text", text: visible(token.text) }), el("span", { class: "written-room", "aria-hidden": "true" }, el("span", { class: "written-fill", vars: { "--share": share } })),
      el("span", { class: "written-share", text: percent(share) }), el("span", { class: "written-log", text: logarithm(log_prob) })];
    const about = { class: `written-token${token.special ? " special" : ""}${place === from ? " parts" : ""}`, title: `${tokenSays(token)}: probability ${percent(share)}, log-probability ${logarithm(log_prob)}` };
    return el("li", {}, go ? el("button", { type: "button", ...about, "aria-label": `step ${place + 1}: ${visible(token.text)}, ${percent(share)}, log-probability ${logarithm(log_prob)}`, "aria-current": place === step ? "step" : null, data: { step: place }, on: { click: () => go(place) } }, ...inside)
      : el("span", about, ...inside));
  }));
}

/** Mark the token of the step on screen. @param {HTMLElement} list @param {number | null} step */
export function markToken(list, step) {
  for (const token of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-step]"))) {
    if (Number(token.dataset.step) === step) token.setAttribute("aria-current", "step");
    else token.removeAttribute("aria-current");
  }
}
