import assert from "node:assert/strict";
import { test } from "node:test";

import { powerLaw } from "./fit.js";

test("a power law is found from its points, and points that there are none of are left out", () => {
  const x = [10, 100, 1000, 10000];
  const law = powerLaw(x, x.map((v, i) => (i === 2 ? Number.NaN : 3 * v ** -0.5)));
  assert.ok(Math.abs(law.slope + 0.5) < 1e-12);
  assert.ok(Math.abs(law.at(400) - 0.15) < 1e-12);
});

test("a line of another slope goes through the middle of the points", () => {
  const law = powerLaw([10, 1000], [1, 1e-2]);
  assert.ok(Math.abs(law.slope + 1) < 1e-12);
  assert.ok(Math.abs(law.at(100, 2) - 0.1) < 1e-12);
});

test("one point has no slope", () => {
  assert.ok(Number.isNaN(powerLaw([10], [1]).slope));
});
