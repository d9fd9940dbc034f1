import assert from "node:assert/strict";
import { test } from "node:test";

import { rowsOf, worst, type Predictor, type Rows } from "./rows.js";

/** Draws in [0, 1), the same every time. */
function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

const rows = (residual: readonly number[]): Rows => ({ residual: Float64Array.from(residual) }) as unknown as Rows;

test("the rows with the largest errors are those that sorting them all brings to the front", () => {
  const draw = draws(7);
  for (const [many, of] of [[1, 1], [2, 1], [50, 100], [100, 7], [1000, 400]] as const) {
    for (const write of [(v: number) => v, (v: number) => Math.round(4 * v), () => 1]) { // ties, too
      const residual = Array.from({ length: many }, () => write(draw() - 0.5));
      const sorted = residual.map((_, row) => row).sort((i, j) => Math.abs(residual[j] ?? 0) - Math.abs(residual[i] ?? 0) || i - j);
      assert.deepEqual(worst(rows(residual), of), sorted.slice(0, of), `${of} of ${many}`);
    }
  }
  assert.deepEqual(worst(rows([1, Number.NaN, -3, 2]), 2), [1, 2], "what is no number is the worst");
  assert.deepEqual(worst(rows([]), 3), []);
});

test("the rows of each model are measured one after the other, and what has stayed is taken as it is", () => {
  const line = Int32Array.of(2, 3, 4);
  const actual = Float64Array.of(1, 2, 3);
  const of = (predicted: Float64Array): never => ({ line, actual, predicted, ridge }) as never;
  const [ridge, fm, ifm] = [Float64Array.of(2, 2, 2), Float64Array.of(1, 2, 4), Float64Array.of(1, 2, 3)];
  let seen: Map<Predictor, Rows> = new Map();
  const steps = [];
  for (let whole = false; !whole; ) {
    const next = rowsOf(new Map([["fm", of(fm)], ["ifm", of(ifm)]]), seen);
    assert.ok([...seen].every(([whose, own]) => next.rows.get(whose) === own));
    ({ rows: seen, whole } = next);
    steps.push([...seen.keys()]);
  }
  assert.deepEqual(steps, [["ridge"], ["ridge", "fm"], ["ridge", "fm", "ifm"]]);
  assert.deepEqual([...seen].map(([, { spread }]) => spread.rmse), [Math.sqrt(2 / 3), Math.sqrt(1 / 3), 0]);
});
