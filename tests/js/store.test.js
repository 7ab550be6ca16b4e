import assert from "node:assert/strict";
import test from "node:test";

import { createAnswers } from "../../static/js/core/answers.js";
import { createStore, initialState } from "../../static/js/core/store.js";

test("a listener hears of its fields and of no others", () => {
  const store = createStore(initialState());
  /** @type {string[][]} */
  const heard = [];
  store.subscribe(["at", "tensor"], (_, changed) => heard.push([...changed]));
  store.set({ step: 1 });
  store.set({ at: "encoder", step: 2 });
  assert.deepEqual(heard, [["at", "step"]]);
});

test("setting what is already so tells nobody", () => {
  const store = createStore(initialState());
  let calls = 0;
  store.subscribe(["at"], () => { calls += 1; });
  store.set({ at: "" });
  assert.equal(calls, 0);
});

test("who left hears nothing more", () => {
  const store = createStore(initialState());
  let calls = 0;
  store.subscribe(["at"], () => { calls += 1; })();
  store.set({ at: "decoder" });
  assert.equal(calls, 0);
});

test("an answer is asked for once, and a failed one again", async () => {
  let asked = 0;
  const { once, hold } = createAnswers(async () => {
    asked += 1;
    if (asked === 1) throw new Error("busy");
    return asked;
  });
  await assert.rejects(once("/a"));
  assert.equal(await once("/a"), 2);
  assert.equal(await once("/a"), 2);
  hold("/b", "known");
  assert.equal(await once("/b"), "known");
});
