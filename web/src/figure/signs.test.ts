import assert from "node:assert/strict";
import { test } from "node:test";

import { flipped, fmNumbers, fmSigns, ifmNumbers, PAIRS, PATTERNS, product } from "./signs.js";

test("one number a feature gives the four patterns whose signs multiply to +, and misses one sign of the others, as any would", () => {
  assert.equal(new Set(PATTERNS.map(String)).size, 8);
  PATTERNS.forEach((truth, at) => {
    assert.equal(product(truth), at < 4 ? 1 : -1);
    const fewest = Math.min(...PATTERNS.map((u) => PAIRS.filter(([i, j], pair) => (u[i] ?? 0) * (u[j] ?? 0) !== truth[pair]).length));
    const wrong = fmSigns(truth).filter((sign, pair) => sign !== truth[pair]).length;
    assert.deepEqual([wrong, fewest], at < 4 ? [0, 0] : [1, 1]);
  });
});

test("two numbers a feature give all eight, both products of a pair alike, and to flip one sign is to flip the product", () => {
  for (const truth of PATTERNS) {
    const numbers = ifmNumbers(truth);
    PAIRS.forEach(([i, j], pair) => {
      const [[ui, vi], [uj, vj]] = [numbers[i] ?? [0, 0], numbers[j] ?? [0, 0]];
      assert.deepEqual([ui * vj, vi * uj], [truth[pair], truth[pair]]);
    });
  }
  for (const truth of PATTERNS) for (const pair of [0, 1, 2]) assert.equal(product(flipped(truth, pair)), -product(truth));
  assert.deepEqual(fmNumbers([1, -1, 1]), [1, 1, -1]);
});
