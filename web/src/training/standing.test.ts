import assert from "node:assert/strict";
import { test } from "node:test";

import { floor } from "./standing.js";

test("noise alone makes its share of what the mean is off by, which holds it too", () => {
  assert.equal(floor(5, 0.75), 3); // a truth of deviation 4, and noise of 3
  assert.equal(floor(5, 0), 0);
});
