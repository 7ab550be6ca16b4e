/** Colours of values: read from the page's custom properties, blended evenly to the eye, looked up by value. */

/** @typedef {[number, number, number]} Rgb @typedef {import("./scale.js").Scale} Scale */

/** Numbers as they stand in memory, row by row. @typedef {{data: import("./types.js").Values["values"], base: number, rows: number, columns: number, rowStride: number, columnStride: number}} Cells */

/**
 * @typedef {object} Palette
 * @property {(name: string) => string} css   the text of a custom property
 * @property {Rgb[]} signed   511 colours from −bound to bound
 * @property {Rgb[]} share    256 colours from 0 to bound
 * @property {Uint32Array} signedPixels   the same as pixels
 * @property {Uint32Array} sharePixels
 * @property {Rgb} zero
 * @property {Rgb} blocked
 * @property {Rgb} nan
 * @property {Rgb} allowed
 * @property {Rgb} id
 * @property {boolean} dark
 */

const HALF = 255;

/**
 * @param {(name: string) => string} css reads a custom property, such as `--value-zero`
 * @returns {Palette}
 */
export function makePalette(css) {
  const read = (/** @type {string} */ name) => parseColour(css(name));
  const zero = read("--value-zero");
  const below = ramp(zero, read("--value-negative"), HALF + 1);
  const above = ramp(zero, read("--value-positive"), HALF + 1);
  const share = ramp(read("--value-low"), read("--value-high"), HALF + 1);
  const signed = [...below.slice(1).reverse(), ...above];
  return {
    css, zero, share, signed, signedPixels: Uint32Array.from(signed, packed), sharePixels: Uint32Array.from(share, packed), blocked: read("--value-blocked"), nan: read("--value-nan"),
    allowed: share[Math.round(HALF * 0.55)], id: read("--sunk"), dark: luminance(zero) < 0.2,
  };
}

/**
 * The colour of one value.
 * @param {number} value
 * @param {Scale} scale
 * @param {Palette} palette
 * @returns {Rgb}
 */
export function colourOf(value, scale, palette) {
  if (Number.isNaN(value)) return palette.nan;
  if (scale.kind === "mask") return value ? palette.allowed : palette.blocked;
  if (scale.kind === "id") return palette.id;
  if (scale.blocked && value === -Infinity) return palette.blocked;
  const share = Math.max(-1, Math.min(1, value / scale.bound));
  return scale.kind === "share" ? palette.share[Math.round(Math.max(0, share) * HALF)] : palette.signed[HALF + Math.round(share * HALF)];
}

/**
 * The colours of cells, one 32-bit pixel a cell (as ImageData holds them on every machine a browser runs on).
 * @param {Cells} cells
 * @param {Scale} scale
 * @param {Palette} palette
 * @returns {Uint32Array<ArrayBuffer>}
 */
export function pixelsOf({ data, base, rows, columns, rowStride, columnStride }, scale, palette) {
  const pixels = new Uint32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const run = { from: base + i * rowStride, stride: columnStride, at: i * columns, count: columns };
    if (data instanceof Float32Array) paintFloats(pixels, data, run, scale, palette);
    else for (let j = 0; j < columns; j++) pixels[run.at + j] = packed(colourOf(Number(data[run.from + j * columnStride]), scale, palette));
  }
  return pixels;
}

/**
 * One row of numbers, looked up in a table: this loop runs once a cell.
 * @param {Uint32Array} pixels
 * @param {Float32Array} data
 * @param {{from: number, stride: number, at: number, count: number}} run
 * @param {Scale} scale
 * @param {Palette} palette
 */
function paintFloats(pixels, data, { from, stride, at, count }, { kind, bound, blocked }, palette) {
  const share = kind === "share";
  const table = share ? palette.sharePixels : palette.signedPixels;
  const [nanPixel, blockedPixel] = [packed(palette.nan), packed(palette.blocked)];
  const [factor, middle, top] = [HALF / bound, (share ? 0 : HALF) + 0.5, table.length - 1];
  for (let j = 0; j < count; j++, from += stride) {
    const value = data[from];
    const place = value * factor + middle;
    if (place >= 0 && place <= top) pixels[at + j] = table[place | 0];
    else if (value !== value) pixels[at + j] = nanPixel;
    else if (blocked && value === -Infinity) pixels[at + j] = blockedPixel;
    else pixels[at + j] = table[place < 0 ? 0 : top];
  }
}

/**
 * Black or white text, whichever stands out more.
 * @param {Rgb} ground
 * @returns {"dark" | "light"}
 */
export function textOn(ground) {
  const light = luminance(ground);
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "dark" : "light";
}

/**
 * Read `#rgb`, `#rrggbb` or `rgb(…)`.
 * @param {string} text
 * @returns {Rgb}
 */
export function parseColour(text) {
  const trimmed = text.trim();
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(trimmed)?.[1];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : [hex.slice(0, 2), hex.slice(2, 4), hex.slice(4)];
    return /** @type {Rgb} */ (digits.map((pair) => parseInt(pair, 16)));
  }
  const parts = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(trimmed);
  if (!parts) throw new Error(`“${text}” is no colour that a heatmap can read`);
  return [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

/**
 * Colours from one to another, in steps that look even (OKLab, Ottosson 2020).
 * @param {Rgb} from
 * @param {Rgb} to
 * @param {number} count
 * @returns {Rgb[]}
 */
export function ramp(from, to, count) {
  const [a, b] = [toLab(from), toLab(to)];
  return Array.from({ length: count }, (_, i) => toRgb(/** @type {Rgb} */ (a.map((part, axis) => part + ((b[axis] - part) * i) / (count - 1)))));
}

/** @param {Rgb} rgb */
export function luminance([r, g, b]) {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** @param {Rgb} rgb */
export function cssOf([r, g, b]) {
  return `rgb(${r} ${g} ${b})`;
}

/** @param {Rgb} rgb */
function packed([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** @param {number} channel 0 to 255 */
function linear(channel) {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** @param {number} share */
function channel(share) {
  const curved = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
  return Math.round(Math.max(0, Math.min(1, curved)) * 255);
}

/** @param {Rgb} rgb @returns {Rgb} */
function toLab(rgb) {
  const [r, g, b] = rgb.map(linear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {Rgb} lab @returns {Rgb} */
function toRgb([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s), channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
