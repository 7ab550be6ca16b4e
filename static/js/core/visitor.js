/** Who asks: a random id for each tab, so that a queue can take turns between them. It says nothing else. */

import { recall, retain } from "./kept.js";

const STORED = "glassformer.visitor";
const BYTES = 16;

/** @returns {{"X-Visitor": string}} the header that every request carries */
export function visitor() {
  const known = recall(STORED);
  const id = known && /^\w{8,32}$/.test(known) ? known : random();
  if (id !== known) retain(STORED, id);
  return { "X-Visitor": id };
}

function random() {
  return [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
