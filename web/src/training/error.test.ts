import assert from "node:assert/strict";
import { test } from "node:test";

import { auc, errors } from "./error.js";

const actual = Float64Array.of(1, 2, 3, 6); // about their own mean, 3, squares of 14

test("errors are counted on the rows themselves, R² about their own mean", () => {
  const predicted = [1, 2, 5, 3];
  assert.deepEqual(errors(actual, (row) => predicted[row] ?? Number.NaN), { rmse: Math.sqrt(13 / 4), mae: 5 / 4, r2: 1 - 13 / 14 });
  assert.equal(errors(actual, () => 3).r2, 0, "the mean of these rows explains nothing");
  assert.ok(errors(actual, () => 2).r2 < 0, "that of others less");
  assert.ok(Number.isNaN(errors(Float64Array.of(4, 4), () => 4).r2), "nothing is to be explained");
});

const orders: readonly (readonly [name: string, actual: readonly number[], predicted: readonly number[], auc: number])[] = [
  ["all in order", [0, 0, 1, 1], [0.1, 0.2, 0.3, 9], 1],
  ["all turned round", [0, 0, 1, 1], [3, 4, -1, 2], 0],
  ["one pair of four turned round", [1, 0, 1, 0], [0.5, 0.4, 0.2, 0.3 - 1], 0.75],
  ["ties are half", [1, 2, 1, 2], [7, 7, 7, 8], 0.75],
  ["a constant", [-1, 1, 1], [2, 2, 2], 0.5],
  ["three values", [0, 1, 2], [0, 1, 2], Number.NaN],
  ["one value", [1, 1], [0, 1], Number.NaN],
];

for (const [name, y, predicted, want] of orders) {
  test(`pairs of rows in order: ${name}`, () => assert.equal(auc(Float64Array.from(y), Float64Array.from(predicted)), want));
}
