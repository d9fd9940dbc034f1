import assert from "node:assert/strict";
import { test } from "node:test";

import { decadesOf, place } from "./decades.js";

test("values stand by their logarithms, 0 a step to the left of the smallest, and each place reads as its value", () => {
  const all = [0, 0.001, 0.01, 1];
  const axis = decadesOf(all, (v) => `= ${v}`);
  assert.deepEqual(axis.ticks, [-3.4, -3, -2, 0]);
  assert.deepEqual(axis.ticks.map(axis.value), all);
  assert.deepEqual(axis.ticks.map(axis.format), ["= 0", "= 0.001", "= 0.01", "= 1"]);
  assert.ok((axis.domain[0] ?? 0) < -3.4 && (axis.domain[1] ?? 0) > 0, "none stands at the edge");
  assert.equal(axis.value(-2.4), 0.01, "what lies between two is the nearer");
});

test("without a value above 0 there is one place, and what lies between 0 and the smallest stands in proportion", () => {
  assert.deepEqual(decadesOf([0], String).ticks, [-0.4]);
  assert.equal(place(0.0005, [0, 0.001, 1]), -3.2);
});
