/** From a value to how a cell of the arithmetic looks: a mix of two custom properties, or a mark for what is no ordinary number. Pure: no DOM. */

/** @typedef {import("../core/scale.js").Scale} Scale */

/**
 * `fill` is a CSS colour, "" where a mark stands instead; `share` is how strong the colour is, 0 to 1.
 * @typedef {{fill: string, mark: "" | "blocked" | "nan" | "infinite", share: number}} Look
 */

/**
 * @param {Scale} scale of the whole tensor
 * @returns {(value: number) => Look}
 */
export function looks({ kind, bound, blocked }) {
  if (kind === "mask") return (value) => (value ? mix("--value-high", "--value-low", 0.55) : marked("blocked"));
  return (value) => {
    if (Number.isNaN(value)) return marked("nan");
    if (!Number.isFinite(value)) return marked(blocked && value < 0 ? "blocked" : "infinite");
    if (kind === "share") return mix("--value-high", "--value-low", value / bound);
    return mix(value < 0 ? "--value-negative" : "--value-positive", "--value-zero", Math.abs(value) / bound);
  };
}

/** @param {string} strong @param {string} weak @param {number} share @returns {Look} */
function mix(strong, weak, share) {
  const part = Math.min(Math.max(share, 0), 1);
  return { fill: `color-mix(in oklab, var(${strong}) ${Math.round(part * 100)}%, var(${weak}))`, mark: "", share: part };
}

/** @param {"blocked" | "nan" | "infinite"} mark @returns {Look} */
function marked(mark) {
  return { fill: "", mark, share: 0 };
}
