import assert from "node:assert/strict";
import { test } from "node:test";

import { pairs } from "./strings.js";

test("the test of pairs says how it ended, and whether it tested any pair", () => {
  assert.equal(pairs.ended([], 0, 0), "There are no pairs of columns to test.");
  assert.equal(pairs.ended([], 0, 1), "The only pair was not tested.");
  assert.equal(pairs.ended([], 0, 44850), "None of 44,850 pairs was tested.");
  assert.equal(pairs.ended([], 9, 21), "None of 9 pairs is by itself clearly more than chance. 12 more were not tested.");
  assert.equal(pairs.ended(["a × b"], 2, 3), "1 of 2 pairs stands out: a × b. 1 more was not tested.");
  assert.equal(pairs.ended([], 6, 6), "None of 6 pairs is by itself clearly more than chance.");
  assert.equal(pairs.ended([], 6, 6, 6), "6 pairs could not be tested: in their columns, rows that belong together (neighbours in the file, or a group) are alike.");
  assert.equal(pairs.ended([], 6, 6, 1), "None of 5 pairs is by itself clearly more than chance. 1 more could not be tested: in its columns, rows that belong together (neighbours in the file, or a group) are alike.");
});
