/** The training sheet in words. Pure. */

import { visible } from "../core/tokens.js";

/**
 * @typedef {import("./sheet.js").Sheet} Sheet @typedef {import("./sheet.js").Place} Place
 * @typedef {{sentence: number, position: number, place: Place, leak: NonNullable<Place["leak"]>}} Reading
 */

/**
 * What goes in, why that is no cheating, and that all positions are predicted at once.
 * @param {Sheet} sheet
 * @param {number} sentence
 */
export function lead(sheet, sentence) {
  const { length } = sheet.sentences[sentence];
  const all = length === 1 ? "the one position is predicted" : `all ${length} positions are predicted`;
  const fed = sheet.unshifted ? "The decoder is fed the target itself" : "The decoder is fed the target one place late, and has to say the token that comes next";
  const reads = readings(sheet).length;
  const fair = sheet.unshifted ? "so the answer stands at the very position that is asked" : reads ? "but the mask hides nothing that comes later, so the answer can be read" : "the mask hides every later position, so no position can read its answer";
  return `${fed}; ${fair}; ${all} in one pass.`;
}

/**
 * Every position that may look at its own label, the strongest look first.
 * @param {Sheet} sheet
 * @returns {Reading[]}
 */
export function readings({ sentences }) {
  const found = sentences.flatMap((places, sentence) => places.flatMap((place, position) => (place.leak && place.counted ? [{ sentence, position, place, leak: place.leak }] : [])));
  return found.sort((a, b) => Number(b.leak.weight) - Number(a.leak.weight));
}

/**
 * "Position 0 looks at its own label “dog”, fed at position 1"
 * @param {Reading} reading
 * @param {boolean} many whether the batch has several sentences
 */
export function readingWords({ sentence, position, place, leak }, many) {
  const where = leak.cell[3] === position ? "fed to it" : `fed at position ${leak.cell[3]}`;
  const who = many ? `Sentence ${sentence + 1}, position ${position}` : `Position ${position}`;
  return `${who} looks at its own label “${visible(place.label.text)}”, ${where}`;
}

/**
 * What padding does to the loss of this batch.
 * @param {Sheet} sheet
 */
export function paddingWords({ sentences, count }) {
  const left = sentences.flat().filter(({ counted }) => !counted).length;
  const counts = count === 1 ? "1 label counts" : `${count} labels count`;
  if (!left) return `${counts}; nothing is padding.`;
  const adds = left === 1 ? "1 is padding and adds" : `${left} are padding and add`;
  return `${counts}; ${adds} 0 to the sum, and nothing to the count.`;
}

/** @param {Place[]} places */
export function rightWords(places) {
  const counted = places.filter((place) => place.counted);
  return `${counted.filter(({ right }) => right).length} of ${counted.length} right`;
}
