/** The sum of a product as it grows: the term that is being added, and what there is so far. */

import { el, fill } from "../core/dom.js";
import { fixed } from "../core/format.js";
import { ownName } from "../tensor/naming.js";

/**
 * @param {() => void} open   explain the cell that the walk is at
 * @returns {{element: HTMLElement, write: (sum: import("./product-walk.js").Sum, added: number) => void}} `added` is how many terms are added
 */
export function createPlaySum(open) {
  const [counted, term, total] = [el("span", { class: "play-count soft" }), el("span"), el("span")];
  const here = el("button", { type: "button", class: "link small play-here", text: "explain it", title: "explain this cell", on: { click: open } });
  return {
    element: el("div", { class: "play-sum mono", hidden: true }, counted, term, here, total),
    write(sum, added) {
      const i = Math.max(added, 1) - 1;
      const whole = added >= sum.left.length;
      counted.textContent = `${i + 1} of ${sum.size}`;
      counted.style.setProperty("--letters", `${2 * String(sum.size).length + 4}ch`);
      fill(term, `${written(sum.left[i])} · ${bracketed(sum.above[i])} = `, el("span", { class: "strong", text: written(sum.left[i] * sum.above[i]) }));
      fill(total, "sum ", el("span", { class: whole ? "strong" : "play-growing", text: written(sum.sums[i]) }), ...(whole ? ending(sum) : []));
    },
  };
}

/** What is added to the products, and what comes out. @param {import("./product-walk.js").Sum} sum */
function ending({ rest, others, value }) {
  const parts = [...(rest ? [` + ${bracketed(rest)} of the rest`] : []), ...others.map((other) => ` + ${bracketed(other.value)} of ${ownName(other.name)}`)];
  return parts.length ? [...parts, " = ", el("span", { class: "strong", text: written(value) })] : [];
}

/** As many decimals for every number, so that they can be added up by eye. @param {number} value */
function written(value) {
  return fixed(value, 4);
}

/** @param {number} value */
function bracketed(value) {
  return value < 0 ? `(${written(value)})` : written(value);
}
