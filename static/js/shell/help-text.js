/** What the help says: the keys of each part of the page, and the words that a reader may meet for the first time. */

/** @type {{where: string, keys: [string, string][]}[]} */
export const KEYS = [
  { where: "everywhere", keys: [["?", "this list"], ["Shift+← Shift+→", "one decoding step back, forward"]] },
  { where: "sentences", keys: [["Enter", "run"]] },
  { where: "diagram", keys: [["← ↑ → ↓", "walk from block to block"], ["Enter", "go into a block, open a tensor"], ["Escape", "go out again"], ["+ − 0", "zoom in, out, fit"]] },
  { where: "tensor", keys: [["← ↑ → ↓", "walk from cell to cell"], ["Enter", "choose the cell: where it comes from"], ["Backspace", "back to the cell one came from"]] }, { where: "where a number comes from", keys: [["← ↑ → ↓", "from link to link"], ["Enter", "go to that number"]] },
  { where: "playing a product", keys: [["← →", "one term back, on"], ["↑ ↓", "the cell before, the next cell"], ["Escape", "stop"]] },
  { where: "decoding", keys: [["← →", "one step back, forward"], ["Space", "play, pause"], ["Home End", "first step, last step seen"]] },
  { where: "tree of hypotheses", keys: [["← →", "the hypothesis before, the best one after"], ["↑ ↓", "the others of the same step"], ["Enter", "open its tensors"]] },
  { where: "parameters", keys: [["↑ ↓", "from row to row"], ["→ ←", "open what is inside, close it"], ["Enter", "open this weight"]] },
  { where: "loss", keys: [["← →", "with the slider: a smaller, a larger logit"], ["Enter", "move this token’s logit"]] },
  { where: "gradients", keys: [["Tab", "from gradient to gradient"], ["Enter", "open it on its tensor's axes"]] },
  { where: "alignment", keys: [["← →", "from token to token"], ["↑ ↓", "to the source, to what was written"], ["Enter", "keep the weights in view"]] },
];

/** @type {[string, string][]} */
export const WORDS = [
  ["token", "A piece of text with a number, its id. A model knows only the tokens of its vocabulary."],
  ["source, target", "What the encoder reads, and what the decoder is to write."],
  ["decoder input, labels", "The target without its last token, and without its first: at every position the label is the token that comes next."],
  ["memory", "The encoder's output. Every decoder layer reads the same one."],
  ["query, key, value", "Attention compares each query with all keys, and mixes the values by how well they fit."],
  ["scores, weights", "How well query and key fit, as any number; and the same after softmax, as shares that sum to 1."],
  ["allowed, blocked", "What a mask says of a cell: a blocked cell gets the weight 0."],
  ["head", "One of several attentions side by side, each on its own part of the numbers."],
  ["residual", "The path around a block: what went in is added to what came out."],
  ["logits", "One number for each token of the vocabulary; softmax turns them into probabilities."],
  ["log-probability", "The logarithm of a probability: 0 is certain, −0.004 is 99.6 %, −2.3 is 10 %."],
  ["surprisal, loss", "Minus the log-probability of the label; the loss is its mean over all labels that are no padding."],
  ["gradient", "How much the loss grows for a little more in one number, all else as it is. Training moves every weight against it."],
  ["norm", "The length of many numbers together: the root of the sum of their squares."],
  ["label smoothing", "The label is worth a little less than 1, and other tokens share the rest: the loss has a floor above 0, the entropy of that target."],
  ["checkpoint", "The weights of a model at one step of its training. Each is a model of its own, and its links never change."],
  ["held-out sentences", "Sentences kept apart from the training, to see what was learned and not just remembered."],
  ["hypothesis", "A beginning of a sentence that decoding keeps, with the log-probability of all its tokens. A beam keeps several side by side."],
  ["teacher forcing", "Feeding the decoder the right tokens, whatever it said itself, as in training."],
  ["kept keys and values", "The causal mask lets no new token change an earlier one's keys and values, so a step can take them over: a cache."],
  ["trace", "Every number of one run. Its address holds all it was made from, so a link shows the same numbers anywhere."],
  ["recomputed", "The tensor worked out a second time, from what it was made of, by another formula in double precision."],
];
