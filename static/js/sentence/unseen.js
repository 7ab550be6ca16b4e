/** What a field holds and does not show: letters without a picture, and those that turn the line. Pure. */

import { seen, unseenIn } from "../core/seen.js";

const NAMES = /** @type {Record<string, string>} */ ({
  "00AD": "soft hyphen", "061C": "Arabic letter mark", "200B": "zero-width space", "200C": "zero-width non-joiner", "200D": "zero-width joiner", "200E": "left-to-right mark", "200F": "right-to-left mark",
  "2028": "line separator", "2029": "paragraph separator", "202A": "left-to-right embedding", "202B": "right-to-left embedding", "202C": "end of an embedding", "202D": "left-to-right override", "202E": "right-to-left override",
  "2060": "word joiner", "2066": "left-to-right isolate", "2067": "right-to-left isolate", "2068": "first-strong isolate", "2069": "end of an isolate", FEFF: "byte order mark",
});
const TURNING = /^(061C|200[EF]|202[A-E]|206[6-9])$/;
const CONTROL = /^00[0189]|^007F/;
const NAMED = 3;
const TAIL = 8;

/**
 * "Holds a letter that cannot be seen: right-to-left override (U+202E) after “abc”."
 * @param {string} text
 * @returns {string} nothing where all can be seen
 */
export function unseenSays(text) {
  const found = unseenIn(text);
  if (found.length === 0) return "";
  const named = found.slice(0, NAMED).map(({ code, before }) => `${nameOf(code)} (U+${code}) ${placeOf(before)}`).join(", ");
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : "";
  const turned = found.some(({ code }) => TURNING.test(code)) ? " The field may show the text in another order than it is read in; its tokens stand in theirs." : "";
  const many = found.length === 1 ? "a letter" : `${found.length} letters`;
  return `Holds ${many} that cannot be seen: ${named}${more}.${turned}`;
}

/** @param {string} code */
function nameOf(code) {
  return NAMES[code] ?? (CONTROL.test(code) ? "control" : "letter without a picture");
}

/** @param {string} before */
function placeOf(before) {
  const all = [...before];
  return all.length === 0 ? "at the start" : `after “${all.length > TAIL ? "…" : ""}${seen(all.slice(-TAIL).join(""))}”`;
}
