/** The loss in words, and where numbers stand on its scale. Pure. */

import { fixed } from "../core/format.js";

/** @typedef {import("./sheet.js").Sheet} Sheet */

/** The conventions of label smoothing: what ε is shared by. @type {{name: string, title: string, says: string}[]} */
export const CONVENTIONS = [
  { name: "all", title: "all", says: "ε is shared by all V tokens, the label too: q(label) = 1 − ε + ε / V. PyTorch’s." },
  { name: "others", title: "others", says: "ε is shared by the V − 1 other tokens: q(label) = 1 − ε exactly. Tensor2Tensor’s." },
  { name: "real", title: "real", says: "ε is shared by the V − 2 others that are no padding. The Annotated Transformer’s." },
];

/**
 * How the terms of a batch become one number, three ways.
 * @param {Sheet} sheet
 * @returns {{role: "total" | "mean" | "mean_of_means", title: string, value: number | string, how: string, says: string}[]}
 */
export function ways({ total, count, mean, sentence_means: means, mean_of_means: meanOfMeans }) {
  const sums = means.length > 4 ? [...means.slice(0, 3).map(rounded), "…"] : means.map(rounded);
  return [
    { role: "total", title: "sum", value: total, how: "all terms, added", says: "Grows with the batch: twice the sentences, twice the step." },
    { role: "mean", title: "mean per token", value: mean, how: `${rounded(total)} ÷ ${count} ${count === 1 ? "token" : "tokens"}`, says: "Each counted token weighs the same. This is what is trained on." },
    { role: "mean_of_means", title: "mean per sentence", value: meanOfMeans, how: `(${sums.join(" + ")}) ÷ ${means.length}`, says: means.length === 1 ? "With one sentence it is the same." : "Each sentence weighs the same, so a token of a short one weighs more." },
  ];
}

/**
 * Where the loss stands between its floor and that of a model that knows nothing.
 * @param {Sheet} sheet
 */
export function levelWords({ mean, untrained, floor }) {
  const [loss, least] = [Number(mean), Number(floor)];
  const where = loss > untrained * 1.02 ? "above the untrained level: it is more wrong than if it held every token equally likely" : loss - least < 0.05 ? "close to the least it can be" : "between the least it can be and the untrained level";
  const why = least > 0 ? `The floor is ${fixed(least, 3)} and not 0: with smoothing the target itself is uncertain, and its entropy stays.` : "Without smoothing the floor is 0: every label certain.";
  return `The loss is ${where}. ${why}`;
}

/**
 * Where the marks of the scale stand, from 0 to 1.
 * @param {Sheet} sheet
 */
export function marks({ mean, untrained, floor }) {
  const values = { floor: Number(floor), now: Number(mean), untrained };
  const finite = Object.values(values).filter(Number.isFinite);
  const most = Math.max(...finite, 0.1) * 1.06;
  return { most, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number.isFinite(value) ? value / most : null])) };
}

/**
 * Which tokens of a row are drawn: all of a small vocabulary in the order of their ids, else those that must be there and then the likeliest.
 * @param {{tokens: number[], likely: number[], must: number[], most: number}} row
 * @returns {number[]} places in `tokens`
 */
export function drawn({ tokens, likely, must, most }) {
  const places = tokens.map((_, i) => i);
  if (places.length <= most) return places;
  const wanted = new Set(must.map((id) => tokens.indexOf(id)).filter((place) => place >= 0));
  for (const place of [...places].sort((a, b) => likely[b] - likely[a])) {
    if (wanted.size >= most) break;
    wanted.add(place);
  }
  return [...wanted];
}

/**
 * How long a probability's bar is: as it is, or on a scale of powers of ten down to 10⁻⁶.
 * @param {number} share
 * @param {boolean} log
 */
export function length(share, log) {
  return log ? (share > 0 ? Math.max(0, 1 + Math.log10(share) / 6) : 0) : share;
}

/** @param {number | string} value */
function rounded(value) {
  return fixed(Number(value), 3);
}
