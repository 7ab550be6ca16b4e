import assert from "node:assert/strict";
import test from "node:test";

import { seen } from "../../static/js/core/seen.js";
import { visible } from "../../static/js/core/tokens.js";

test("what turns the line, has no width or is a control is written out", () => {
  assert.equal(seen("a\u202eb\u2066c\u200bd\ufeffe\u0000f\u0085g\u2028h"), "a\\u202eb\\u2066c\\u200bd\\ufeffe\\u0000f\\u0085g\\u2028h");
  assert.equal(visible("\u200d"), "\\u200d");
  assert.equal(visible("\u0007"), "\\u0007");
});

test("letters and emoji that are made with joiners stay whole", () => {
  for (const text of ["👩‍👩‍👧", "می‌خواهم", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "cafe\u0301", "line\nbreak\ttab", "שלום", ""]) assert.equal(seen(text), text);
});
