import assert from "node:assert/strict";
import { test } from "node:test";

import { lessonPlace, rate, readLink, unguessed, writeLink } from "./view.js";

// Go's tests hold addresses as the page reads and writes them to core/spec/testdata/addresses.json.

test("a sweep, which the figure cannot show, is left out, and its notice names the chapter that shows one", () => {
  const { spec, view, notices } = readLink("sweep=rank&seed=3&speed=instant");
  assert.equal(writeLink(spec, view), "?seed=3&speed=instant");
  assert.match(notices[0]?.message ?? "", /How many samples/);
});

test("a chapter's settings begin without its name, and a guess, but not what only begins like one, is left out of them", () => {
  assert.deepEqual(readLink("?samples.d=12&samples.ratios=2,4").parts, { samples: "d=12&ratios=2,4" });
  assert.equal(unguessed("d=40&guess=all&then=few&guess&thenceforth=1&guesses=2&n=9"), "d=40&thenceforth=1&guesses=2&n=9");
});

test("the pace is three times as fast on a table, and instant is instant", () => {
  assert.deepEqual([rate("slow", "synthetic"), rate("normal", "synthetic"), rate("normal", "table"), rate("instant", "table")], [15, 75, 225, Number.POSITIVE_INFINITY]);
});

test("a fragment names a chapter, the homework or a hand-in, and nothing else of the lesson", () => {
  assert.deepEqual(["#psd", "#homework", "#handin=x", "#figure", "#psdx", ""].map(lessonPlace), ["#psd", "#homework", "#homework", undefined, undefined, undefined]);
});
