/** From a value to how its cell looks: a mix of two custom properties, or a mark for what is no ordinary number. Pure: no DOM. */

/** @typedef {import("../core/types.js").Record_} Record_ */

/**
 * `fill` is a CSS colour, "" where a mark stands instead; `share` is how strong the colour is, 0 to 1.
 * @typedef {{fill: string, mark: "" | "blocked" | "nan" | "infinite", share: number}} Look
 */

/**
 * One scale for a whole tensor: signed values about zero, probabilities from 0 to 1, masks allowed or blocked.
 * @param {string} kind of the tensor
 * @param {Pick<Record_, "dtype" | "summary">} record
 * @returns {(value: number) => Look}
 */
export function looks(kind, { dtype, summary }) {
  if (dtype === "bool") return (value) => (value ? mix("--value-high", "--value-low", 0.22) : marked("blocked"));
  const probability = kind === "softmax" || kind === "exp";
  const reach = probability ? 1 : Math.max(Math.abs(Number(summary.min ?? 0)), Math.abs(Number(summary.max ?? 0))) || 1;
  return (value) => {
    if (Number.isNaN(value)) return marked("nan");
    if (!Number.isFinite(value)) return marked(value < 0 ? "blocked" : "infinite");
    if (probability) return mix("--value-high", "--value-low", value);
    return mix(value < 0 ? "--value-negative" : "--value-positive", "--value-zero", Math.abs(value) / reach);
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
