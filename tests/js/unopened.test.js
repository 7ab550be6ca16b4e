import assert from "node:assert/strict";
import test from "node:test";

import { askedBy, unopened } from "../../static/js/core/unopened.js";

const idOf = (text) => Buffer.from(typeof text === "string" ? text : JSON.stringify(text)).toString("base64url");
const problem = { code: "not_found", message: "no model is named 'nope'", where: "model", status: 404 };
const models = [{ id: "tiny", too_large: null }, { id: "copy", too_large: null }, { id: "paper-base", too_large: "it is too large here" }];

test("an id says what it asks for", () => {
  const recipe = { model: "nope", options: { norm: "pre" }, seed: 3, src: ["größer “als”", "b"], tgt: ["c", "d"] };
  assert.deepEqual(askedBy(idOf(recipe)), { ...recipe, whole: true });
  assert.deepEqual(askedBy(idOf({ model: "copy", prefix: [[1, 2]], src: ["a"] })), { model: "copy", src: ["a"], tgt: [], whole: true });
});

test("an id that was cut off anywhere still holds the sentences before the cut", () => {
  const recipe = { model: "copy", src: ["ab \"src\":[\"x\"]", "ü \\ é"], tgt: ["cd", "e"] };
  const id = idOf(recipe);
  const cuts = Array.from({ length: id.length }, (_, length) => askedBy(id.slice(0, length)));
  for (const asked of cuts) {
    if (!asked) continue;
    assert.equal(asked.whole, false);
    asked.src.forEach((text, place) => assert.ok(recipe.src[place].startsWith(text), `${text} of ${recipe.src[place]}`));
    asked.tgt.forEach((text, place) => assert.ok(recipe.tgt[place].startsWith(text)));
  }
  const last = cuts[cuts.length - 2];
  assert.deepEqual([last.model, last.src, last.tgt], ["copy", recipe.src, ["cd", "e"]]);
  assert.ok(cuts.filter((asked) => asked?.src.length === 2).length > 20);
});

test("what holds no sentence asks for nothing", () => {
  for (const id of ["BROKEN", "x", "", "____", idOf("[]"), idOf("null"), idOf("{}"), idOf({ src: "a" }), idOf({ src: [1, null] }), "!".repeat(9)]) assert.equal(askedBy(id), null, id);
});

test("the bar holds the sentences of the link, for a model that there is", () => {
  const bar = (recipe) => unopened(idOf(recipe), problem, models).input;
  assert.deepEqual(bar({ model: "nope", src: ["a", "b"], tgt: ["c"] }), { model: "tiny", src: ["a", "b"], tgt: ["c", ""] });
  assert.equal(bar({ model: "copy", src: ["a"], tgt: ["c"] }).model, "copy");
  assert.equal(bar({ model: "paper-base", src: ["a"], tgt: ["c"] }).model, "tiny");
  assert.deepEqual(unopened("BROKEN", problem, models).input, { model: "tiny", src: [""], tgt: [""] });
});
