/** The panels of a training step: while a whole target is on screen, and no decoding. */

import { create as gradients } from "../training/gradients.js";
import { create as loss } from "../training/loss.js";
import { create as parameters } from "../training/parameters.js";
import { create as sheet } from "../training/sheet.js";
import { create as train } from "../training/train.js";

/** @type {import("./frame.js").Registry} */
export const TRAINING = {
  serves: ({ decoding, trace }) => trace !== null && decoding === null,
  kinds: [
    { id: "sheet", title: "Sheet", name: "Training sheet", says: "What goes in, what may be seen, what is to be said, and what it costs", create: sheet },
    { id: "loss", title: "Loss", name: "Loss", says: "How the terms become the loss, and what another logit would do", create: loss },
    { id: "gradients", title: "Gradients", name: "Gradients", says: "How the loss reaches back into every tensor", create: gradients },
    { id: "parameters", title: "Parameters", name: "Parameters", says: "What is learned, and how much of it there is", create: parameters },
    { id: "train", title: "Train", name: "Train a model", says: "Watch a model learn", create: train },
  ],
};
