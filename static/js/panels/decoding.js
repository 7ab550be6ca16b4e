/** The panels above the steps of a decoding. */

/** @type {import("./frame.js").Registry} */
export const DECODING = {
  serves: ({ decoding }) => decoding !== null,
  kinds: [
    { id: "attention", title: "Attention", name: "Cross-attention so far", region: "cross-attention of the steps so far", says: "Which source tokens each written token looked at", load: () => import("../decode/attention.js") },
    { id: "tree", title: "Tree", name: "Tree of hypotheses", says: "Every hypothesis that lived or died", load: () => import("../decode/tree.js") },
    { id: "output", title: "Output", name: "Output and alignment", says: "What was written, token by token, and where each token comes from", load: () => import("../decode/output.js") },
    { id: "target", title: "Target", name: "Target beside what is written", says: "Fed the target beside fed its own tokens", load: () => import("../decode/target.js") },
    { id: "cache", title: "Cache", name: "Kept keys and values", says: "What keeping keys and values saves", load: () => import("../decode/cache.js") },
  ],
};
