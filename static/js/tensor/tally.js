/** What a comparison comes to: how many cells are the same bits, how large the largest difference is, and the scale that shows it. */

import { boundOf } from "../core/scale.js";
import { NEW, OTHER, SAME } from "./difference.js";
import { slabsOf } from "./picture.js";

/**
 * @typedef {import("./picture.js").Picture} Picture @typedef {import("./slab.js").Slab} Slab
 * @typedef {{tiles: number, same: number, other: number, fresh: number, largest: number, scale: import("../core/scale.js").Scale}} Tally
 */

/**
 * The cells of one matrix: how much they changed, of which kind they are, and what they were.
 * @param {Picture} picture
 * @param {number} panel
 * @param {0 | 1 | 2} which
 */
export function differenceSlabs({ context, against }, panel, which) {
  return against ? slabsOf({ context, tiles: against.tiles }, panel, which) : [];
}

/**
 * Count what is drawn, once for all that has come.
 * @param {Picture} picture
 * @returns {Tally | null}
 */
export function tallyOf(picture) {
  const { against, panels, context } = picture;
  if (!against) return null;
  if (against.tally?.tiles === against.tiles.size) return against.tally;
  const counts = [0, 0, 0];
  let largest = 0;
  for (const panel of panels) {
    const [changes, kinds] = [differenceSlabs(picture, panel, 0), differenceSlabs(picture, panel, 1)];
    const finest = kinds.at(-1);
    kinds.forEach((slab, i) => {
      if (slab.rowStep !== finest?.rowStep || slab.columnStep !== finest.columnStep) return;
      largest = Math.max(largest, count(slab, changes[i], counts));
    });
  }
  against.tally = { tiles: against.tiles.size, same: counts[SAME], other: counts[OTHER], fresh: counts[NEW], largest, scale: scaleOf(context, largest) };
  return against.tally;
}

/** Count the kinds in one part; returns its largest finite change. @param {Slab} kinds @param {Slab} changes @param {number[]} counts */
function count({ data, base, rows, columns, rowStride, columnStride }, changes, counts) {
  let largest = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const at = base + i * rowStride + j * columnStride;
      counts[Number(data[at])]++;
      const size = Math.abs(Number(changes.data[at]));
      if (size > largest && size < Infinity) largest = size;
    }
  }
  return largest;
}

/** Symmetric about zero; what a mask's cell became stays in words. @param {import("./context.js").Context} context @param {number} largest @returns {import("../core/scale.js").Scale} */
function scaleOf({ scale }, largest) {
  return { kind: "signed", bound: scale.kind === "mask" || scale.kind === "id" ? 1 : boundOf([-largest, largest]), blocked: false };
}
