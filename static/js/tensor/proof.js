/** The proof badge: the tensor recomputed by a second formula, and the largest difference; it opens what was compared. */

import { json } from "../core/api.js";
import { dress, el, fill } from "../core/dom.js";
import { tiny } from "../proof/words.js";

/** @typedef {import("../proof/words.js").Proof} Proof @typedef {import("./context.js").Context} Context */

/** @type {Map<string, Proof>} what a trace holds never changes, so neither does its proof */
const kept = new Map();

/** @type {Record<string, {word: string, says: string}>} */
const LEAVES = {
  given: { word: "given", says: "Not computed: it is what the model is given." },
  parameter: { word: "learned", says: "Not computed: it is a parameter of the model." },
  drawn: { word: "drawn", says: "Not computed: it is drawn at random in training." },
};

/**
 * @param {Context} context
 * @param {import("../core/store.js").Store} store
 * @returns {{badge: HTMLElement, panel: HTMLElement}}
 */
export function createProof(context, store) {
  const { trace, record, tensor } = context;
  const address = `/api/traces/${trace.id}/proofs/${record.name}`;
  const panel = el("section", { class: "card proof-panel", id: "proof-panel", "aria-label": "How this tensor is checked", hidden: true });
  const badge = el("button", { type: "button", class: "proof", "aria-expanded": "false", "aria-controls": panel.id, on: { click: () => void toggle() } });

  /** @param {boolean} open */
  function unfold(open) {
    panel.hidden = !open;
    badge.setAttribute("aria-expanded", String(open));
  }

  async function toggle() {
    unfold(panel.hidden === true);
    if (panel.hidden || panel.childElementCount > 0) return;
    fill(panel, el("p", { class: "soft", text: "recomputing …" }));
    const parts = Promise.all([ask(address), import("../proof/panel.js")]).then(([proof, { panelParts }]) => panelParts(proof, context, store));
    fill(panel, ...await parts.catch(() => [el("p", { text: "The server gave no proof just now." })]));
  }

  // the cell that a link leads to stands below, in the heatmap
  panel.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest(".proof-place")) return;
    unfold(false);
    badge.focus();
  });

  const leaf = tensor && LEAVES[tensor.kind];
  const known = kept.get(address);
  const empty = record.summary.finite === 0 && record.summary.nan > 0;
  if (leaf) dressed(badge, "given", leaf.word, leaf.says);
  else if (known) write(badge, known, empty);
  else {
    dressed(badge, "waiting", "recomputing …", "Computed again in double precision from its recorded operands.");
    const missed = () => dressed(badge, "waiting", "not recomputed", "The server gave no proof just now.");
    void afterPaint().then(() => ask(address)).then((proof) => write(badge, proof, empty), missed);
  }
  return { badge, panel };
}

/** So that the picture never waits. */
async function afterPaint() {
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go, 60)));
}

/** @param {string} address @returns {Promise<Proof>} */
async function ask(address) {
  const proof = kept.get(address) ?? await json(address, { quiet: true });
  kept.set(address, proof);
  if (kept.size > 500) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return proof;
}

/** @param {HTMLElement} badge @param {Proof} proof @param {boolean} empty there is no number in it */
function write(badge, proof, empty) {
  if (proof.leaf) return dressed(badge, "given", "given", proof.says);
  const { passes, max_abs: most, max_rel: relative, tolerance } = proof;
  if (empty && passes) return dressed(badge, "waiting", "recomputed: NaN as well", "Computed again in double precision, it is not a number either.");
  const says = `Computed again in double precision from its recorded operands. Largest difference ${tiny(most)}, relative ${tiny(relative)}; allowed ${tiny(tolerance)}.`;
  return dressed(badge, passes ? "passes" : "fails", `${passes ? "✓ recomputed" : "✗ differs"} · max Δ ${tiny(most)}`, says);
}

/** @param {HTMLElement} badge @param {string} state @param {string} text @param {string} says */
function dressed(badge, state, text, says) {
  dress(badge, { data: { state }, text, title: says });
}
