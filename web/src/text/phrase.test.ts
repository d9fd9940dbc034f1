import assert from "node:assert/strict";
import { test } from "node:test";

import { plain, quantity, say } from "./phrase.js";
import { list } from "./strings.js";

test("a sentence keeps its quantities apart from its words, those of the phrases in it too", () => {
  const fm = quantity("fm", 0.0315);
  const inner = say`${fm} against ${"iFM’s"}`;
  assert.deepEqual(say`FM is ahead: ${inner}.`.filter((piece) => piece !== ""), ["FM is ahead: ", fm, " against ", "iFM’s", "."]);
});

test("a sentence without its marks is what a reader reads", () => {
  assert.equal(plain(say`FM ends at ${quantity("fm", 0.03149)}, ${quantity("none", 0.5, "half")} of it chance.`), "FM ends at 0.0315, half of it chance.");
  const row = (...names: string[]): string => plain(list(names.map((name) => [name])));
  assert.deepEqual([row(), row("a"), row("a", "b"), row("a", "b", "c")], ["", "a", "a and b", "a, b and c"]);
});
