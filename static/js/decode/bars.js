/** The next-token probabilities as bars, best first. */

import { el } from "../core/dom.js";
import { logarithm, percent, short } from "../core/format.js";
import { visible } from "../core/tokens.js";

/**
 * @param {import("../core/types.js").Row} row
 * @returns {HTMLElement}
 */
export function bars({ top, chosen, done }) {
  return el("ol", { class: `bars${done ? " ended" : ""}`, tabindex: 0, "aria-label": "probabilities of the next token" }, ...top.map(({ token, probability, log_prob, logit }) => {
    const share = Number(probability);
    return el("li", { class: token.id === chosen?.id && !done ? "bar chosen" : "bar", title: `${visible(token.text)} (id ${token.id}): ${percent(share)}, log p ${logarithm(Number(log_prob))}, logit ${short(Number(logit))}` },
      el("span", { class: "bar-share", text: percent(share).replaceAll(" ", "\u2009") }),
      el("span", { class: "bar-room", "aria-hidden": "true" }, el("span", { class: "bar-fill", vars: { "--share": share } })),
      el("bdi", { class: `bar-token${token.special ? " special" : ""}`, text: visible(token.text) }));
  }));
}
