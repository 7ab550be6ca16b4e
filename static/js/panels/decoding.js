/** The panels above the steps of a decoding. */

import { create as attention } from "../decode/attention.js";
import { create as cache } from "../decode/cache.js";
import { create as output } from "../decode/output.js";
import { create as target } from "../decode/target.js";
import { create as tree } from "../decode/tree.js";

/** @type {import("./frame.js").Registry} */
export const DECODING = {
  serves: ({ decoding }) => decoding !== null,
  kinds: [
    { id: "attention", title: "Attention", name: "Cross-attention so far", region: "cross-attention of the steps so far", says: "Which source tokens each written token looked at", create: attention },
    { id: "tree", title: "Tree", name: "Tree of hypotheses", says: "Every hypothesis that lived or died", create: tree },
    { id: "output", title: "Output", name: "Output and alignment", says: "What was written, token by token, and where each token comes from", create: output },
    { id: "target", title: "Target", name: "Target beside what is written", says: "Fed the target beside fed its own tokens", create: target },
    { id: "cache", title: "Cache", name: "Kept keys and values", says: "What keeping keys and values saves", create: cache },
  ],
};
