import assert from "node:assert/strict";
import { test } from "node:test";

import { pairs } from "./strings.js";

test("the test of pairs says how it ended, and of pairs that it did not test that nothing is known", () => {
  assert.equal(pairs.ended(0, 0, 0), "There is no pair of columns to test.");
  assert.equal(pairs.ended(0, 0, 1), "The one pair there is was not tested: nothing is known of it.");
  assert.equal(pairs.ended(0, 0, 44850), "None of 44,850 pairs was tested: nothing is known of them.");
  assert.equal(pairs.ended(0, 9, 21), "No pair stands out among 9. 12 more were not tested.");
  assert.equal(pairs.ended(1, 2, 3), "1 of 2 pairs stands out. 1 more was not tested.");
  assert.equal(pairs.ended(0, 6, 6), "No pair stands out among 6.");
  assert.equal(pairs.ended(0, 6, 6, 1), "No pair stands out among 6. Of 1 pair no test can tell: rows of one group, or rows that follow each other, are alike, so that too few are independent.");
});
