/** Where both ways of feeding the decoder part, in words. Pure. */

import { visible } from "../core/tokens.js";

/** @typedef {import("./target.js").Beside} Beside */

/**
 * "They part at position 6: the target feeds “o”, the decoder has written “e”."
 * @param {Beside} beside
 */
export function partingWords({ positions, parts, differs }) {
  if (parts === null) return "They never part: what the decoder writes is the target.";
  const { forced, free } = positions[parts];
  const first = differs !== null && differs < parts ? ` Their predictions differ from position ${differs} on.` : "";
  if (forced && free) return `They part at position ${parts}: the target feeds “${visible(forced.fed.text)}”, the decoder has written “${visible(free.fed.text)}”.${first}`;
  const last = positions[parts - 1]?.label;
  if (free && last && last.id !== free.fed.id) return `They part at position ${parts}: the target ends with “${visible(last.text)}”, the decoder has written “${visible(free.fed.text)}”.${first}`;
  return `They part at position ${parts}, where ${forced ? "the decoder has ended and the target goes on" : "the target has ended and the decoder goes on"}.${first}`;
}

/**
 * Whether a prediction is the label; nothing where there is no label.
 * @param {import("./target.js").Position} position
 * @param {"forced" | "free"} way
 * @returns {"right" | "wrong" | null}
 */
export function judged({ label, ...ways }, way) {
  const fed = ways[way];
  return fed && label ? (fed.predicted.id === label.id ? "right" : "wrong") : null;
}
