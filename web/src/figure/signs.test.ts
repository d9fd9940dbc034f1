import assert from "node:assert/strict";
import { test } from "node:test";

import { flipped, fmNumbers, fmSigns, ifmNumbers, PAIRS, PATTERNS, product, type Sign, type Three } from "./signs.js";

/** The nearest that any three numbers come to a pattern, in wrong signs. */
function fewestWrong(truth: Three<Sign>): number {
  const all = PATTERNS.map((u) => PAIRS.filter(([i, j], at) => (u[i] ?? 0) * (u[j] ?? 0) !== truth[at]).length);
  return Math.min(...all);
}

test("one number a feature gives the four patterns whose signs multiply to +, and misses one sign of the others", () => {
  assert.equal(new Set(PATTERNS.map(String)).size, 8);
  PATTERNS.forEach((truth, at) => {
    assert.equal(product(truth), at < 4 ? 1 : -1);
    const wrong = fmSigns(truth).filter((sign, pair) => sign !== truth[pair]).length;
    assert.equal(wrong, at < 4 ? 0 : 1);
    assert.equal(wrong, fewestWrong(truth), "no other numbers do better");
  });
});

test("two numbers a feature give all eight, both products of a pair alike", () => {
  for (const truth of PATTERNS) {
    const numbers = ifmNumbers(truth);
    PAIRS.forEach(([i, j], pair) => {
      const [[ui, vi], [uj, vj]] = [numbers[i] ?? [0, 0], numbers[j] ?? [0, 0]];
      assert.equal(ui * vj, truth[pair]);
      assert.equal(vi * uj, truth[pair]);
    });
  }
});

test("to flip one sign is to flip the product", () => {
  for (const truth of PATTERNS) for (const pair of [0, 1, 2]) assert.equal(product(flipped(truth, pair)), -product(truth));
  assert.deepEqual(fmNumbers([1, -1, 1]), [1, 1, -1]);
});
