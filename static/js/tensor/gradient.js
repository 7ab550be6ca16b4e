/** Value or gradient: the switch above the heatmap, and what is to be said of a gradient before its cells. */

import { el, fill } from "../core/dom.js";
import { full, short } from "../core/format.js";
import { GRADIENT_MARKS, whyNone } from "../core/gradients.js";

/** @typedef {import("./context.js").Context} Context @typedef {import("../core/store.js").Store} Store */

/**
 * @param {Store} store
 * @returns {{element: HTMLElement, show: (context: Context) => void}}
 */
export function createValueOrGradient(store) {
  const button = (/** @type {"value" | "gradient"} */ of, /** @type {string} */ title) => el("button", {
    type: "button", class: "pick", text: of, title, data: { of }, on: { click: () => store.set({ of }) },
  });
  const buttons = [button("value", "what the cells are"), button("gradient", "how much the loss moves with each cell")];
  const figures = el("span", { class: "of-figures" });
  const says = el("p", { class: "of-says small" });
  const element = el("div", { class: "of" }, el("div", { class: "of-line" }, el("div", { class: "picks", role: "group", "aria-label": "value or gradient" }, ...buttons), figures), says);

  return {
    element,
    show(context) {
      const { trace, record, of, gradient } = context;
      const wanted = store.get().of;
      element.hidden = trace.tokens.labels === null && wanted === "value";
      const none = whyNone(trace, record);
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.of === of));
      buttons[1].disabled = none !== "";
      buttons[1].title = none || "how much the loss moves with each cell";
      fill(figures, ...(gradient ? [figure("norm", gradient.norm, "the root of the sum of the squares of its cells"), figure("root mean square", gradient.rms, "the norm over the root of the number of cells")] : []));
      const mark = gradient?.mark;
      element.dataset.mark = mark ?? "";
      if (of === "gradient") fill(says, ...(mark ? [el("b", { text: GRADIENT_MARKS[mark].word }), ` ${GRADIENT_MARKS[mark].says}`] : [reading()]));
      else fill(says, wanted === "gradient" && none ? `${none} Its values are shown.` : "");
      says.hidden = says.textContent === "";
    },
  };
}

function reading() {
  return "Each cell says how much the loss of this batch grows for a little more in this cell of the tensor, all else as it is.";
}

/** @param {string} name @param {number} value @param {string} says */
function figure(name, value, says) {
  return el("span", { class: "of-figure", title: `${says}: ${full(value)}` }, el("span", { class: "soft small", text: `${name} ` }), el("span", { class: "mono", text: short(value) }));
}
