import assert from "node:assert/strict";
import { test } from "node:test";

import type { Refits, Strength } from "../../engine/protocol.js";
import { reached, told } from "./reach.js";

const pair = (some: Partial<Strength>): Strength => ({ first: 0, second: 1, share: 0.02, low: 0.01, high: 0.04, reach: 0.9, above: true, ...some });

const found = (some: Partial<Refits>): Refits => ({
  done: true, stage: "done", step: 1, steps: 1, model: "ifm", rank: 2, names: ["hour", "day", "wind"], pairs: 3, resamples: 40, permutations: 20, threshold: 0.005, above: 1, strongest: [pair({})], ...some,
});

test("how many pairs are above what permuted rows reach is told with what that is", () => {
  assert.equal(reached(found({})), "1 of 3 pairs is above what permuted rows reach, 0.50 %.");
  assert.equal(reached(found({ above: 2 })), "2 of 3 pairs are above what permuted rows reach, 0.50 %.");
  assert.equal(reached(found({ above: 0, threshold: 0.0301 })), "None of 3 pairs is above what permuted rows reach, 3.0 %.");
  assert.equal(reached(found({ above: 0, pairs: 1 })), "The one pair is not above what permuted rows reach, 0.50 %.");
});

test("where there is nothing to measure that is told instead", () => {
  assert.equal(reached(found({ rank: 0, strongest: [], above: 0, threshold: 0 })), "Of iFM’s candidates ridge leads, which makes nothing of pairs.");
  assert.equal(reached(found({ strongest: [], above: 0, threshold: 0 })), "iFM makes nothing of any pair.");
});

test("a pair is told with its share, the range of its refits and whether it is above, never with an interval", () => {
  const [first, second, third] = told(found({ strongest: [pair({}), pair({ second: 2, share: 0.123, low: 0, high: 0.00002, above: false, reach: 0.025 }), pair({ first: 1, second: 2, share: 1e-9, low: 1e-9, high: 1.5 })] }));
  assert.deepEqual({ ...first, pair: null }, { name: "hour × day", share: "2.0 %", range: "1.0 % to 4.0 %", above: "yes; 90 %", pair: null });
  assert.deepEqual({ ...second, pair: null }, { name: "hour × wind", share: "12 %", range: "0 % to < 0.01 %", above: "no; 2.5 %", pair: null });
  assert.deepEqual({ ...third, pair: null }, { name: "day × wind", share: "< 0.01 %", range: "< 0.01 % to 150 %", above: "yes; 90 %", pair: null });
});

test("of many pairs the eight strongest are told", () => {
  const many = Array.from({ length: 20 }, (_, i) => pair({ share: 0.5 / (i + 1) }));
  assert.deepEqual(told(found({ strongest: many })).map(({ pair: { share } }) => share), many.slice(0, 8).map(({ share }) => share));
});
