/** The panels of a training step: while a whole target is on screen, and no decoding. */

/** @type {import("./frame.js").Registry} */
export const TRAINING = {
  serves: ({ decoding, trace }) => trace !== null && decoding === null,
  kinds: [
    { id: "sheet", title: "Sheet", name: "Training sheet", says: "What goes in, what may be seen, what is to be said, and what it costs", load: () => import("../training/sheet.js") },
    { id: "loss", title: "Loss", name: "Loss", says: "How the terms become the loss, and what another logit would do", load: () => import("../training/loss.js") },
    { id: "gradients", title: "Gradients", name: "Gradients", says: "How the loss reaches back into every tensor", load: () => import("../training/gradients.js") },
    { id: "parameters", title: "Parameters", name: "Parameters", says: "What is learned, and how much of it there is", load: () => import("../training/parameters.js") },
    { id: "train", title: "Train", name: "Train a model", says: "Watch a model learn", load: () => import("../training/train.js") },
  ],
};
