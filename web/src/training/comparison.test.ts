import assert from "node:assert/strict";
import { test } from "node:test";

import { differenceOf } from "./comparison.js";
import { gain, logLoss, squared } from "./error.js";
import { outcome } from "./standing.js";

const n = 80;
const actual = Float64Array.from({ length: n }, (_, i) => Math.sin(i));
const off = (by: (i: number) => number): Float64Array<ArrayBuffer> => actual.map((y, i) => y + by(i));
const rmse = (p: Float64Array): number => Math.sqrt(actual.reduce((sum, y, i) => sum + (y - (p[i] ?? 0)) ** 2, 0) / n);
const best = off((i) => 0.5 * Math.cos(3 * i));

test("the interval of a paired difference lies around the difference of the errors, and is that of two standard errors of squares", () => {
  const other = off((i) => 0.7 * Math.cos(5 * i + 1));
  const found = gain(actual, best, other, squared);
  const { low, high } = differenceOf("rmse", rmse(best) ** 2, found, n);
  const difference = rmse(other) - rmse(best);
  assert.ok(low < difference && difference < high, `${low} ${difference} ${high}`);
  const squares = (end: number): number => (rmse(best) + end) ** 2 - rmse(best) ** 2;
  const b = (squares(high) - squares(low)) / (2 * found.error);
  assert.ok(Math.abs((squares(high) + squares(low)) / 2 - found.mean) < 1e-12);
  assert.ok(b > 2 && b < 2.04, "of two standard errors, on 80 rows");
});

test("it holds 0 exactly where no test tells the two apart", () => {
  for (let step = 0; step < 200; step++) {
    const other = off((i) => (0.5 + step / 400) * Math.cos(5 * i + step));
    const found = gain(actual, best, other, squared);
    const { low, high } = differenceOf("rmse", rmse(best) ** 2, found, n);
    assert.equal(low <= 0 && high >= 0, outcome(found.mean / found.error, n) === "level", `step ${step}`);
  }
});

test("of the same rows a difference is nothing, and of log-loss it is one of means", () => {
  assert.deepEqual(differenceOf("rmse", 0.25, gain(actual, best, best, squared), n), { low: 0, high: 0 });
  const y = Float64Array.from({ length: n }, (_, i) => i % 2);
  const p = (value: number): Float64Array<ArrayBuffer> => y.map((one, i) => (one > 0 ? value : 1 - value) + (i % 5) / 100);
  const found = gain(y, p(0.9), p(0.8), logLoss);
  const { low, high } = differenceOf("log-loss", 0.1, found, n);
  assert.ok(Math.abs((low + high) / 2 - found.mean) < 1e-12 && low > 0);
});
