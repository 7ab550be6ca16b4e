/** Numbers and sizes as the page writes them. Minus is −, and what is not finite has a sign of its own. */

/** The words for what is not an ordinary number. */
export const MARKS = { nan: "NaN", positive: "+∞", negative: "−∞", blocked: "blocked" };

/**
 * A number for a cell: two decimals, or fewer digits where it is large or small.
 * @param {number} value
 * @returns {string}
 */
export function short(value) {
  if (Number.isNaN(value)) return MARKS.nan;
  if (!Number.isFinite(value)) return value > 0 ? MARKS.positive : MARKS.negative;
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.005 || size >= 10000)) return exponent(value, 0);
  return sign(size >= 1000 ? value.toFixed(0) : size >= 100 ? value.toFixed(1) : value.toFixed(2));
}

/**
 * A number with as many decimals as asked for: −0.340.
 * @param {number} value
 * @param {number} decimals
 * @returns {string}
 */
export function fixed(value, decimals) {
  if (!Number.isFinite(value)) return short(value);
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : sign(text);
}

/**
 * All digits that the number has: the shortest text that reads back as the same float32.
 * @param {number | string | null} value non-finite numbers may come as the strings of docs/http-api.md
 * @returns {string}
 */
export function full(value) {
  if (value === null) return "—";
  const number = Number(value);
  if (Number.isNaN(number)) return MARKS.nan;
  if (!Number.isFinite(number)) return number > 0 ? MARKS.positive : MARKS.negative;
  for (let digits = 1; digits <= 9; digits++) {
    const text = number.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(number)) return sign(String(Number(text)));
  }
  return sign(String(number));
}

/**
 * A share as a percentage: 0.9961 is 99.6 %.
 * @param {number} share
 */
export function percent(share) {
  const hundredths = share * 100;
  if (share > 0 && hundredths < 0.05) return "< 0.1 %";
  if (share < 1 && hundredths >= 99.95) return "> 99.9 %";
  return `${hundredths.toFixed(1)} %`;
}

/**
 * A log-probability: two decimals, or the first digit that is not 0 where it is nearly certain: −0.004.
 * @param {number} value
 */
export function logarithm(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0 || size >= 0.01) return short(value);
  return size < 1e-6 ? exponent(value, 0) : sign(value.toFixed(-Math.floor(Math.log10(size))));
}

/**
 * A count with thin spaces between thousands: 63 082 000.
 * @param {number} count
 */
export function count(count) {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}

/**
 * Bytes in the largest unit that keeps at least one digit.
 * @param {number} bytes
 */
export function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${power ? (bytes / 1024 ** power).toFixed(1) : bytes} ${units[power]}`;
}

/**
 * A place in a line: 1st, 2nd, 3rd, 11th.
 * @param {number} place
 */
export function ordinal(place) {
  const [tens, ones] = [place % 100, place % 10];
  const end = tens > 10 && tens < 14 ? "th" : ["th", "st", "nd", "rd"][ones] ?? "th";
  return `${place}${end}`;
}

/** @param {number} value @param {number} digits */
function exponent(value, digits) {
  return sign(value.toExponential(digits).replace("e+", "e").replace("e-", "e−"));
}

/** @param {string} text */
function sign(text) {
  const shown = text.replace("e-", "e−").replace("e+", "e");
  return shown.startsWith("-") ? `−${shown.slice(1)}` : shown;
}
