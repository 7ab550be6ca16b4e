/** Letters that cannot be seen, or that turn what stands around them, written out: what a text holds can be read. Pure. */

/**
 * Controls, marks that turn the line, and what has no width. Joiners only where they join nothing, for letters and emoji are made with them; tags only where they make no flag.
 */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u200c\u200d](?!\S)|(?<!\S)[\u200c\u200d]|[\u{e0000}-\u{e007f}](?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)/gu;

/** @param {string} text */
export function seen(text) {
  return text.replace(UNSEEN, (letter) => {
    const code = hexOf(letter);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}

/**
 * The letters of a text that cannot be seen: which they are, and how many letters stand before each.
 * @param {string} text
 * @returns {{code: string, before: string}[]}   `code` as Unicode writes it: 202E
 */
export function unseenIn(text) {
  return [...text.matchAll(UNSEEN)].map((found) => ({ code: hexOf(found[0]).toUpperCase(), before: text.slice(0, found.index) }));
}

/** @param {string} letter */
function hexOf(letter) {
  return /** @type {number} */ (letter.codePointAt(0)).toString(16).padStart(4, "0");
}
