/** From attention weights to lines between source and written tokens. Pure. */

/**
 * @typedef {{row: number, column: number, weight: number}} Line
 * @typedef {{text: string, x: number, w: number}} Spot
 */

const LETTER = 7.6;
const PAD = 14;
const NEAR = 0.5;
const MOST = 3;
const LEAST = 0.01;

/**
 * For each written token the source tokens that it looked at most: the first, and those with at least half as much.
 * @param {Float64Array} map   written times source
 * @param {number} columns
 * @returns {Line[]}
 */
export function strongest(map, columns) {
  /** @type {Line[]} */
  const lines = [];
  for (let row = 0; row * columns < map.length; row++) {
    const ranked = rowOf(map, columns, row).sort((a, b) => b.weight - a.weight);
    lines.push(...ranked.filter(({ weight }, i) => i < MOST && weight > 0 && weight >= ranked[0].weight * NEAR));
  }
  return lines;
}

/**
 * All lines of one token that say something.
 * @param {Float64Array} map
 * @param {number} columns
 * @param {{side: "written" | "source", place: number}} token
 * @returns {Line[]} the heaviest first
 */
export function linesOf(map, columns, { side, place }) {
  const rows = map.length / columns;
  const lines = side === "written" ? rowOf(map, columns, place) : Array.from({ length: rows }, (_, row) => ({ row, column: place, weight: map[row * columns + place] }));
  return lines.filter(({ weight }) => weight >= LEAST).sort((a, b) => b.weight - a.weight);
}

/**
 * Where the tokens of one side stand, spread over the whole width.
 * @param {string[]} texts
 * @param {number} width
 * @returns {Spot[]}
 */
export function spread(texts, width) {
  const widths = texts.map(widthOf);
  const gap = (width - widths.reduce((sum, w) => sum + w, 0)) / Math.max(texts.length, 1);
  let x = gap / 2;
  return texts.map((text, i) => {
    const spot = { text, x, w: widths[i] };
    x += widths[i] + gap;
    return spot;
  });
}

/** The least width that a side needs. @param {string[]} texts */
export function roomFor(texts) {
  return texts.reduce((sum, text) => sum + widthOf(text) + 3, 0);
}

/** @param {string} text */
function widthOf(text) {
  return Math.max(22, Math.round(text.length * LETTER) + PAD);
}

/** @param {Float64Array} map @param {number} columns @param {number} row @returns {Line[]} */
function rowOf(map, columns, row) {
  return Array.from({ length: columns }, (_, column) => ({ row, column, weight: map[row * columns + column] }));
}
