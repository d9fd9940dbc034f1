import assert from "node:assert/strict";
import { test } from "node:test";

import type { Predictions } from "../../engine/protocol.js";
import { draws } from "../../training/results.test.js";
import type { Model } from "../../training/series.js";
import { bin, edges, largestOf, nice, rowsOf, type Predictor, type Rows } from "./rows.js";

test("the rows with the largest errors are those that sorting them all brings to the front", () => {
  const draw = draws(7);
  for (const [many, of] of [[1, 1], [2, 1], [50, 100], [100, 7], [1000, 400]] as const) {
    for (const write of [(v: number) => v, (v: number) => Math.round(4 * v), () => 1]) { // ties, too
      const residual = Array.from({ length: many }, () => write(draw() - 0.5));
      const sorted = residual.map((_, row) => row).sort((i, j) => Math.abs(residual[j] ?? 0) - Math.abs(residual[i] ?? 0) || i - j);
      assert.deepEqual(largestOf(Float64Array.from(residual), of), sorted.slice(0, of), `${of} of ${many}`);
    }
  }
  assert.deepEqual(largestOf(Float64Array.from([1, Number.NaN, -3, 2]), 2), [1, 2], "what is no number is the worst");
  assert.deepEqual(largestOf(new Float64Array(100_000).fill(Number.NaN), 3), [0, 1, 2], "and so are all, where a model has diverged");
  assert.deepEqual(largestOf(Float64Array.from([]), 3), []);
});

const line = Int32Array.of(2, 3, 4);
const actual = Float64Array.of(1, 2, 3);
const [ridge, fm, ifm, other] = [[2, 2, 2], [1, 2, 4], [1, 2, 3], [1, 4, 3]].map((values) => Float64Array.from(values)) as [Float64Array, Float64Array, Float64Array, Float64Array];
const of = (predicted: Float64Array): Predictions => ({ line, actual, predicted, ridge }) as unknown as Predictions;

/** Measures what each step has come to, and tells whose rows there are after it, with their RMSE. */
function measure(steps: readonly (readonly [predictions: readonly (readonly [Model, Predictions])[], trees?: Float64Array])[]): string[] {
  let seen: Map<Predictor, Rows> = new Map();
  return steps.map(([predictions, trees]) => {
    const { rows: next, whole } = rowsOf(new Map(predictions), seen, trees);
    for (const [whose, own] of seen) if (next.get(whose)?.predicted === own.predicted) assert.equal(next.get(whose), own, "what has stayed is taken as it is");
    seen = next;
    return `${[...seen].map(([whose, { spread }]) => `${whose} ${spread.rmse.toFixed(2)}`).join(", ")}${whole ? "" : " …"}`;
  });
}

test("the rows of each model are measured one after the other, also where one comes, changes or goes meanwhile", () => {
  const both = [["fm", of(fm)], ["ifm", of(ifm)]] as const;
  assert.deepEqual(measure([[both], [both], [both], [both]]), ["ridge 0.82 …", "ridge 0.82, fm 0.58 …", "ridge 0.82, fm 0.58, ifm 0.00", "ridge 0.82, fm 0.58, ifm 0.00"]);
  const [one, changed] = [[["fm", of(fm)]], [["fm", of(other)]]] as const;
  assert.deepEqual(measure([[one], [changed], [one], [[]], [one, ifm], [one, ifm], [one, ifm]]), ["ridge 0.82 …", "ridge 0.82, fm 1.15", "ridge 0.82, fm 0.58", "", "ridge 0.82 …", "ridge 0.82, trees 0.00 …", "ridge 0.82, trees 0.00, fm 0.58"]);
});

/** Rows that ridge and iFM have been measured on, of these residuals. */
function residuals(ridge: readonly number[], ifm: readonly number[], isMany = false): ReadonlyMap<Predictor, Rows> {
  const actual = Float64Array.from(ridge, (_, i) => i);
  const [own, other] = [ifm, ridge].map((all) => Float64Array.from(all, (r, i) => r + i));
  const predictions = new Map([["ifm", { line: Int32Array.from(actual), actual, predicted: own, ridge: other }]]) as unknown as ReadonlyMap<Model, Predictions>;
  return rowsOf(predictions, rowsOf(predictions, new Map(), null, isMany).rows, null, isMany).rows;
}

test("the spread of the rows is that of a slow and obvious sum", () => {
  const errors = [3, -5, 1, 1, 0.5];
  const { spread, residual } = residuals(errors, errors).get("ifm") ?? assert.fail();
  const mean = 0.1;
  const sd = Math.sqrt(errors.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 5);
  const [x, y] = [[0, 1, 2, 3, 4], errors.map((r, i) => r + i)];
  const covariance = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, i) => sum + v * (b[i] ?? 0), 0) / 5 - (a.reduce((s, v) => s + v) * b.reduce((s, v) => s + v)) / 25;
  const want = { rmse: Math.sqrt(36.25 / 5), bias: mean, sd, within: 0.6, worst: 1, reach: 5, correlation: covariance(x, y) / Math.sqrt(covariance(x, x) * covariance(y, y)), low: 0, high: 4 };
  assert.deepEqual([...residual], errors);
  for (const [key, value] of Object.entries(want)) assert.ok(Math.abs(spread[key as keyof typeof want] - value) < 1e-12, key);
  const lost = residuals([1, 1, 1], [2, Number.NaN, 7]).get("ifm")?.spread;
  assert.deepEqual([lost?.worst, lost?.reach, lost?.rmse], [1, 7, Number.NaN], "what is no number is the worst, and has no reach");
  assert.deepEqual([...(residuals([0, 0], [0, 0], true).get("ifm")?.residual ?? [])], [-1, 0], "of many classes the prediction is a probability");
});

test("bins are common, around 0, as far as ridge's residuals or the closest model's, and a single row presses none together", () => {
  const thousand = Array.from({ length: 1000 }, (_, i) => (i % 201) / 10 - 10); // evenly from -10 to 10
  const { width, half, counts } = bin(residuals(thousand, thousand.map((r) => 2 * r)));
  assert.deepEqual([width, half], [2, 10], "40 in 25 bins, of the next round width");
  const slow = (all: readonly number[]): number[] => Array.from({ length: 21 }, (_, at) => all.filter((r) => r >= edges({ width, half }, at)[0] && r < edges({ width, half }, at)[1]).length);
  const off = thousand.map((r) => r + 1e-9); // off the edges, which rounding would decide
  assert.deepEqual(bin(residuals(off, off.map((r) => 2 * r))).counts.get("ifm"), slow(off.map((r) => 2 * r)), "the outermost hold what lies beyond");
  assert.equal(counts.get("ridge")?.reduce((sum, n) => sum + n), 1000);
  const far = [...thousand.slice(1), 500];
  const { rmse } = residuals(far, far).get("ridge")?.spread ?? assert.fail();
  assert.ok(Math.abs(bin(residuals(far, far)).half * bin(residuals(far, far)).width - 3.5 * rmse) < 5);
  const sizes = [residuals([10, -10], [9, 9]), residuals([0, 0], [2, Number.NaN]), residuals([0], [0])].map(bin);
  assert.deepEqual(sizes.map((bins) => [bins.width, bins.half]), [[2, 5], [0.4, 5], [1, 1]]);
  assert.deepEqual([0.011, 1, 1.2, 2.1, 2.6, 7, 9, 1000.0000001].map(nice), [0.015, 1, 1.5, 2.5, 3, 8, 10, 1000]);
});
