import assert from "node:assert/strict";
import { test } from "node:test";

import { crossed, crosses, height, hollow, largest, learnt, minus, missed, strongest } from "./cross.js";

const d = 6;

/** A symmetric matrix of both signs without a diagonal, any numbers without a pattern. */
const values = Float64Array.from({ length: d * d }, (_, at) => {
  const [i, l] = [Math.min(Math.floor(at / d), at % d), Math.max(Math.floor(at / d), at % d)];
  return i === l ? 0 : Math.sin(1 + 3 * i + 7 * l + i * l) + 0.1;
});
const truth = { d, values };
const most = largest(d, values, [], false);
const rounding = 1e-12; // sums of five products, of numbers up to 1000

test("a column copies a row of either sign, leaves c² on the diagonal and M_ij·M_lj/c² at the other pairs", () => {
  const row = [...values.subarray(2 * d, 3 * d)];
  assert.ok(row.some((v) => v < 0) && row.some((v) => v > 0), "the row has both signs");
  for (const times of [0.5, 1, 100]) {
    const whole = crossed(truth, [2], times);
    const c = Math.sqrt(times * most);
    for (let i = 0; i < d; i++) {
      for (let l = 0; l < d; l++) {
        const wanted = i === 2 && l === 2 ? c * c : i === 2 ? row[l] : l === 2 ? row[i] : ((row[i] ?? NaN) * (row[l] ?? NaN)) / (c * c);
        assert.ok(Math.abs((whole[i * d + l] ?? NaN) - (wanted ?? NaN)) < rounding, `c = ${c}: ${i}, ${l}`);
      }
    }
    assert.ok(missed(truth, whole, 2) < rounding);
  }
});

test("so many columns copy so many rows, one less than all of them the whole matrix, whatever c is", () => {
  const order = strongest(truth);
  assert.deepEqual([...order].sort(), [0, 1, 2, 3, 4, 5]);
  for (const times of [0.3, 1, 1000]) {
    for (let r = 1; r < d; r++) {
      const some = order.slice(0, r);
      const left = minus(values, hollow(d, crossed(truth, some, times)));
      assert.ok(largest(d, left, some, true) < rounding, `${r} rows, c² of ${times}`);
      if (r === d - 1) assert.ok(largest(d, left, [], false) < rounding, "there is no other row");
      else if (r < d - 2) assert.ok(largest(d, left, some, false) > 0.01, "and what is no row of them is not written");
    }
  }
});

test("a cross is seen where the diagonal is more than five times its row, and the strongest row is that with the largest squares", () => {
  const share = largest(d, values, [3], true) / most;
  assert.deepEqual(crosses(d, crossed(truth, [3], 6 * share)), [3]);
  assert.ok(Math.abs(height(d, crossed(truth, [3], 6 * share), 3) - 6) < rounding);
  assert.deepEqual(crosses(d, crossed(truth, [3], 4 * share)), []);
});

test("what FM has learnt is read from its file, in the units of the rows", () => {
  const file = { format: "ifmlab model", version: 1, model: "fm", u: [[1, 2], [3, -1]], target: { scale: 10 }, features: [{ scale: 2 }, { scale: 0.5 }] };
  assert.deepEqual(learnt({ name: "", bytes: new TextEncoder().encode(JSON.stringify(file)) }), { whole: Float64Array.of(12.5, 10, 10, 400), crosses: [1], tallest: 1 });
  const size = (j: number) => values.subarray(j * d, (j + 1) * d).reduce((sum, v) => sum + v * v, 0);
  const order = strongest(truth);
  for (const [at, j] of order.slice(1).entries()) assert.ok(size(order[at] ?? -1) >= size(j));
});
