/** Letters that cannot be seen, or that turn what stands around them, written out: what a text holds can be read. Pure. */

/** Controls, marks that turn the line, and what has no width; joiners only where they join nothing, for letters and emoji are made with them. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u200c\u200d](?!\S)|(?<!\S)[\u200c\u200d]/g;

/** @param {string} text */
export function seen(text) {
  return text.replace(UNSEEN, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
