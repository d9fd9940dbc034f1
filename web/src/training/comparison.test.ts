import assert from "node:assert/strict";
import { test } from "node:test";

import { difference, tells } from "./comparison.js";
import type { Training } from "./training.js";

const n = 80;
const actual = Float64Array.from({ length: n }, (_, i) => Math.sin(i));
const off = (by: (i: number) => number): Float64Array<ArrayBuffer> => actual.map((y, i) => y + by(i));
const rmse = (p: Float64Array): number => Math.sqrt(actual.reduce((sum, y, i) => sum + (y - (p[i] ?? 0)) ** 2, 0) / n);

/** A training of FM beside ridge on one split. */
function training(fm: Float64Array, ridge: Float64Array): Training {
  const predictions = { line: [], actual, weight: new Float64Array(), predicted: fm, ridge, additive: new Float64Array(), error: rmse(fm) };
  return { planned: 1, trials: [], started: { measure: "rmse" }, predictions: new Map([["fm", predictions]]), quadratic: null, trees: { answers: new Map() } } as unknown as Training;
}

test("the interval of a paired difference lies around the difference, above minus the error itself, and holds 0 exactly where the two are level", () => {
  const best = off((i) => 0.5 * Math.cos(3 * i));
  const outcomes = new Set<string | null>();
  for (let step = 0; step < 200; step++) {
    const other = off((i) => (0.4 + step / 400) * Math.cos(5 * i + step));
    const t = training(best, other);
    const found = difference(t, { whose: "fm", error: rmse(best) }, "ridge");
    assert.ok(found);
    const by = rmse(other) - rmse(best);
    assert.ok(-rmse(best) < found.low && found.low < by && by < found.high, `step ${step}`);
    assert.equal(found.low <= 0 && found.high >= 0, tells(t, "fm", "ridge") === "level", `step ${step}`);
    outcomes.add(tells(t, "fm", "ridge"));
  }
  assert.deepEqual([...outcomes].sort(), ["better", "level", "worse"]);
  assert.deepEqual(difference(training(best, best.slice()), { whose: "fm", error: 0.3 }, "ridge"), { low: 0, high: 0 }, "of the same predictions");
});
