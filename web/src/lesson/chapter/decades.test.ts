import assert from "node:assert/strict";
import { test } from "node:test";

import { decadesOf, logScale, place, shareScale } from "./decades.js";

test("values stand by their logarithms, 0 a step to the left of the smallest, and each place reads as its value", () => {
  const all = [0, 0.001, 0.01, 1];
  const axis = decadesOf(all, (v) => `= ${v}`);
  assert.deepEqual(axis.ticks, [-3.4, -3, -2, 0]);
  assert.deepEqual(axis.ticks.map(axis.value), all);
  assert.deepEqual(axis.ticks.map(axis.format), ["= 0", "= 0.001", "= 0.01", "= 1"]);
  assert.ok((axis.domain[0] ?? 0) < -3.4 && (axis.domain[1] ?? 0) > 0, "none stands at the edge");
  assert.equal(axis.value(-2.4), 0.01, "what lies between two is the nearer");
  assert.deepEqual(decadesOf([0], String).ticks, [-0.4]);
  assert.equal(place(0.0005, [0, 0.001, 1]), -3.2);
});

test("a logarithmic axis has whole decades around what is above 0, and one of shares goes to 1 or to a round number", () => {
  const of = (...how: readonly [readonly number[], Parameters<typeof logScale>[2]?]): unknown => logScale("", ...how)?.domain.map(Math.log10);
  assert.deepEqual([of([0.02, 5, 0, Number.NaN]), of([0.02], { top: 1 }), of([3]), of([1e-9, 1], { deepest: 4 }), of([0.5], { bottom: -3 })], [[-2, 1], [-2, 1], [0, 1], [-4, 0], [-3, 0]]);
  assert.equal(logScale("", [0, -1, Number.POSITIVE_INFINITY]), null);
  const shares = (...y: readonly number[]) => shareScale("", [{ name: "", colour: "", dash: "", symbol: "circle", x: [], y }, { name: "", colour: "", dash: "", symbol: "", x: [], y: [99] }]);
  assert.deepEqual([shares(0.3, 1), shares(1.2)].map((axis) => [axis?.domain, axis?.ticks]), [[[0, 1], [0, 0.2, 0.4, 0.6, 0.8, 1]], [[0, 2], [0, 0.5, 1, 1.5, 2]]]);
  assert.equal(shareScale("", []), null);
});
