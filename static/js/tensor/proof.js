/** The proof badge: the tensor recomputed by a second formula, and the largest difference. */

import { json } from "../core/api.js";
import { dress, el } from "../core/dom.js";

/** @typedef {{leaf?: boolean, max_abs?: number | string, max_rel?: number | string, cell?: number[] | null, tolerance?: number, passes?: boolean}} Proof */

/** @type {Map<string, Proof>} what a trace holds never changes, so neither does its proof */
const kept = new Map();

/**
 * @param {import("./context.js").Context} context
 * @returns {HTMLElement}
 */
export function createProof({ trace, record, tensor }) {
  const badge = el("span", { class: "proof" });
  if (tensor && LEAVES[tensor.kind]) return dressed(badge, "given", LEAVES[tensor.kind].word, LEAVES[tensor.kind].says);
  const address = `/api/traces/${trace.id}/proofs/${record.name}`;
  const known = kept.get(address);
  const empty = record.summary.finite === 0 && record.summary.nan > 0;
  if (known) return write(badge, known, empty);
  dressed(badge, "waiting", "recomputing …", "Computed again in double precision from its recorded operands.");
  void ask(address).then((proof) => write(badge, proof, empty), () => dressed(badge, "waiting", "not recomputed", "The server gave no proof just now."));
  return badge;
}

/** @type {Record<string, {word: string, says: string}>} */
const LEAVES = {
  given: { word: "given", says: "Not computed: it is what the model is given." },
  parameter: { word: "learned", says: "Not computed: it is a parameter of the model." },
  drawn: { word: "drawn", says: "Not computed: it is drawn at random in training." },
};

/** After the picture is painted, so that it never waits. @param {string} address @returns {Promise<Proof>} */
async function ask(address) {
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go, 60)));
  const proof = await json(address);
  kept.set(address, proof);
  if (kept.size > 500) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return proof;
}

/** @param {HTMLElement} badge @param {Proof} proof @param {boolean} empty there is no number in it */
function write(badge, { leaf, passes, max_abs: most, max_rel: relative, tolerance, cell }, empty) {
  if (empty && passes) return dressed(badge, "waiting", "recomputed: NaN as well", "Computed again in double precision, it is not a number either.");
  if (leaf) return dressed(badge, "given", "given", "Not computed from other tensors.");
  const at = cell?.length ? ` at (${cell.join(", ")})` : "";
  const says = `Computed again in double precision from its recorded operands. Largest difference ${tiny(most)}${at}, relative ${tiny(relative)}; allowed ${tiny(tolerance)}.`;
  return dressed(badge, passes ? "passes" : "fails", `${passes ? "✓ recomputed" : "✗ differs"} · max Δ ${tiny(most)}`, says);
}

/** @param {HTMLElement} badge @param {string} state @param {string} text @param {string} says */
function dressed(badge, state, text, says) {
  dress(badge, { data: { state }, text, title: says });
  return badge;
}

/** 3.1e−8 @param {number | string | undefined} value */
export function tiny(value) {
  const number = Number(value ?? 0);
  if (!Number.isFinite(number)) return String(value);
  return number === 0 ? "0" : number.toExponential(1).replace("e-", "e−").replace("e+", "e");
}
