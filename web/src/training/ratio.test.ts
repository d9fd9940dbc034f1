import assert from "node:assert/strict";
import { test } from "node:test";

import { outcome, overSplits, ratio, type Ratio } from "./ratio.js";

// core/measure/ratio_test.go has the same losses and numbers.
for (const [rows, by, want] of [[40, 1.5, [1.52910603, 1.15019763, 1.99710679]], [3000, 1.02, [1.02935781, 1.00984403, 1.04864924]]] as const) {
  test(`the ratio of losses on ${rows} rows is the one of the command`, () => {
    const of = (loss: (i: number) => number): Float64Array => Float64Array.from({ length: rows }, (_, i) => loss(i));
    const a = of((i) => ((i * i * 0.37) % 1) + 0.1);
    const b = of((i) => by * (((i * i * i * 0.11) % 1) + 0.1));
    const found = ratio(of(() => 0), a, b, (_, loss) => loss, of((i) => 1 + (i % 3)));
    [found.of, found.low, found.high].forEach((value, i) => assert.ok(Math.abs(value - (want[i] as number)) < 1e-6, `${value} ${want[i]}`));
  });
}

test("one row that carries the error, and five rows whatever they say, tell nothing", () => {
  const y = new Float64Array(30);
  const [a, b] = [y.map(() => 1), y.map(() => 1.2)];
  assert.ok(ratio(y, a, b).low > 1, "a twin without it does");
  assert.ok(ratio(y, b, a).high < 1);
  b[7] = 1000;
  assert.ok(ratio(y, a, b).low < ratio(y, a, b).of / 5);
  assert.deepEqual(ratio(y, b, b), { of: 1, low: 1, high: 1 });
  assert.deepEqual(ratio(y.slice(0, 5), a.slice(0, 5), b.slice(0, 5)).low, 0);
  b[7] = Number.POSITIVE_INFINITY;
  assert.deepEqual([ratio(y, a, b).of, ratio(y, b, b).of, ratio(y, y, y).of], [Number.POSITIVE_INFINITY, 1, 1]);
});

// Ten splits, on which FM's error is below ridge's by a tenth, give or take.
const ridge = [4, 4.2, 3.9, 4.1, 4, 4.3, 3.8, 4, 4.1, 4.05];
const fm = ridge.map((error, i) => error * (0.9 + 0.01 * ((i * 3) % 5)));

test("splits that share their rows tell less than as many tables would, and a lead on half of them, or by one, is none", () => {
  const found = overSplits(fm, ridge);
  assert.ok(found && outcome(found) === "better" && found.low < found.of && found.of < found.high);
  const logs = fm.map((error, i) => Math.log((ridge[i] as number) / error));
  const mean = logs.reduce((sum, log) => sum + log, 0) / 10;
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / 9);
  const reach = 2.3195 * deviation * Math.sqrt(0.1 + 0.25); // Student's 97.7 % quantile for nine is 2.320
  assert.ok(Math.abs(Math.log(found.high) - mean - reach) < 1e-4 * reach, `${Math.log(found.high) - mean} ${reach}`);
  assert.equal(outcome(overSplits(fm.slice(0, 5), ridge.slice(0, 5)) as Ratio), "level", "five are too few");
  assert.equal(overSplits([Number.NaN], [1]), null);
  assert.equal(outcome(overSplits(ridge.map((error, i) => error * (i % 2 ? 1.1 : 0.9)), ridge) as Ratio), "level");
  assert.equal(outcome(overSplits(ridge.map((error, i) => (i === 3 ? error / 9 : error)), ridge) as Ratio), "level");
  assert.equal(outcome(overSplits(ridge, fm) as Ratio), "worse");
});
