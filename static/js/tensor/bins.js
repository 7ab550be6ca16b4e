/** Counting values into bins of equal width with round edges. */

/** `edges` has one more entry than `counts`; `marks` counts what is not finite. @typedef {{edges: number[], counts: number[], finite: number, other: number}} Bins */

/**
 * @param {ArrayLike<number | bigint>} values
 * @param {number} [about] how many bins, about
 * @returns {Bins}
 */
export function binned(values, about = 40) {
  let low = Infinity;
  let high = -Infinity;
  let finite = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    if (!Number.isFinite(value)) continue;
    finite++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (finite === 0) return { edges: [], counts: [], finite, other: values.length };
  const width = roundWidth((high - low) / about || Math.abs(high) / about || 1 / about);
  const first = Math.floor(low / width);
  const length = Math.max(1, Math.floor(high / width) - first + 1);
  const counts = new Array(length).fill(0);
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    if (Number.isFinite(value)) counts[Math.min(length - 1, Math.max(0, Math.floor(value / width) - first))]++;
  }
  return { edges: Array.from({ length: length + 1 }, (_, i) => (first + i) * width), counts, finite, other: values.length - finite };
}

/** The nearest of 1, 2, 2.5 and 5 times a power of ten that is not smaller. @param {number} width */
function roundWidth(width) {
  const power = 10 ** Math.floor(Math.log10(width));
  return ([1, 2, 2.5, 5, 10].find((times) => times * power >= width * 0.999) ?? 10) * power;
}
