import assert from "node:assert/strict";
import test from "node:test";

import { readAddress, writeAddress } from "../../static/js/core/address.js";

const state = { trace: { id: "eyJ-_x" }, at: "decoder.layers.0.cross_attn", tensor: "decoder.layers.0.cross_attn.weights", cell: [0, 1, 1, 2], trail: [], of: "value", index: { batch: 0, head: 1 }, decoding: { id: "abc" }, step: 3, compare: 2, panel: "tree", ancestry: true, sizesOf: "paper" };

/** @param {string} address */
const read = (address) => readAddress(new URL(address, "http://here"));

test("what is written is read back", () => {
  const { trace, decoding, ...view } = state;
  assert.deepEqual(read(writeAddress(state)), { ...view, trace: trace.id, decoding: decoding.id });
});

test("an address says only what differs from the plain view", () => {
  assert.equal(writeAddress({ ...state, at: "", tensor: null, cell: null, index: {}, decoding: null, step: null, panel: "sheet", sizesOf: null }), "/t/eyJ-_x?panel=sheet");
  assert.equal(writeAddress({ ...state, trace: null, at: "", tensor: null, cell: null, index: {}, decoding: null, step: null, panel: null, sizesOf: null }), "/");
});

test("commas and colons stay readable", () => {
  assert.match(writeAddress(state), /cell=0,1,1,2&index=batch:0,head:1/);
});

test("nonsense in an address is left out, never guessed", () => {
  const place = read("/t/eyJx?cell=1,a&index=head:-1,batch:1,:3&step=x&sizes=big");
  assert.deepEqual(place, { trace: "eyJx", at: "", tensor: null, cell: null, trail: [], of: "value", index: { batch: 1 }, decoding: null, step: null, compare: null, panel: null, ancestry: false, sizesOf: null });
  assert.equal(read("/t/<script>").trace, null);
  assert.equal(read("/elsewhere").trace, null);
});

test("a gradient is a view of its own, and a trail tells which cells were of gradients", () => {
  const trace = { id: "eyJ", records: [{ name: "a", shape: [2] }, { name: "b", shape: [2, 3] }] };
  const written = writeAddress({ ...state, trace, of: "gradient", trail: [{ name: "b", cell: [1, 2], of: "gradient" }, { name: "a", cell: [0] }] });
  assert.match(written, /trail=g1:1\.2,0:0&of=gradient/);
  const { of, trail } = read(written);
  assert.deepEqual([of, trail], ["gradient", [{ at: 1, cell: [1, 2], of: "gradient" }, { at: 0, cell: [0] }]]);
  assert.equal(read("/t/eyJ?of=anything").of, "value");
});
