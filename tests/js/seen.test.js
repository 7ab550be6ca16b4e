import assert from "node:assert/strict";
import test from "node:test";

import { seen } from "../../static/js/core/seen.js";
import { visible } from "../../static/js/core/tokens.js";
import { unseenSays } from "../../static/js/sentence/unseen.js";

test("what turns the line, has no width or is a control is written out", () => {
  assert.equal(seen("a\u202eb\u2066c\u200bd\ufeffe\u0000f\u0085g\u2028h"), "a\\u202eb\\u2066c\\u200bd\\ufeffe\\u0000f\\u0085g\\u2028h");
  assert.equal(visible("\u200d"), "\\u200d");
  assert.equal(visible("\u0007"), "\\u0007");
});

test("letters and emoji that are made with joiners stay whole", () => {
  for (const text of ["👩‍👩‍👧", "می‌خواهم", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "cafe\u0301", "line\nbreak\ttab", "שלום", ""]) assert.equal(seen(text), text);
});

test("tags are written out, but for those of a flag", () => {
  assert.equal(seen("a\u{e0041}b"), "a\\u{e0041}b");
  assert.equal(seen("\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"), "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}");
  assert.equal(seen("\u3164"), "\\u3164");
});

test("what cannot be seen in a field is said: which letters, and where", () => {
  assert.equal(unseenSays("plain, größer, \u05d0\u05d1, \u{1f468}\u200d\u{1f469}"), "");
  assert.equal(unseenSays("a\u200bb"), "Holds a letter that cannot be seen: zero-width space (U+200B) after “a”.");
  assert.equal(unseenSays("abc\u202edef"), "Holds a letter that cannot be seen: right-to-left override (U+202E) after “abc”. The field may show the text in another order than it is read in; its tokens stand in theirs.");
  assert.match(unseenSays("\u2066a long sentence\u0007\u{1f600}\u00ad\u0001"), /^Holds 4 letters .*: left-to-right isolate \(U\+2066\) at the start, control \(U\+0007\) after “…sentence”, soft hyphen \(U\+00AD\) after “…ntence\\u0007\u{1f600}”, and 1 more\. The field/u);
});
