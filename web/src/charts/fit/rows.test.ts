import assert from "node:assert/strict";
import { test } from "node:test";

import type { Predictions } from "../../engine/protocol.js";
import type { Model } from "../../training/series.js";
import { largestOf, rowsOf, type Predictor, type Rows } from "./rows.js";

/** Draws in [0, 1), the same every time. */
function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

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

test("the rows of each model are measured one after the other", () => {
  const both = [["fm", of(fm)], ["ifm", of(ifm)]] as const;
  assert.deepEqual(measure([[both], [both], [both], [both]]), ["ridge 0.82 …", "ridge 0.82, fm 0.58 …", "ridge 0.82, fm 0.58, ifm 0.00", "ridge 0.82, fm 0.58, ifm 0.00"]);
});

test("what comes, changes or goes meanwhile is what is measured", () => {
  const [one, changed] = [[["fm", of(fm)]], [["fm", of(other)]]] as const;
  assert.deepEqual(measure([[one], [changed], [one], [[]], [one, ifm], [one, ifm], [one, ifm]]), ["ridge 0.82 …", "ridge 0.82, fm 1.15", "ridge 0.82, fm 0.58", "", "ridge 0.82 …", "ridge 0.82, trees 0.00 …", "ridge 0.82, trees 0.00, fm 0.58"]);
});
