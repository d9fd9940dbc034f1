import assert from "node:assert/strict";
import { test } from "node:test";
import type { Classes, ClassMetrics } from "../../engine/protocol.js";
import { counts, rates, tellers, THRESHOLDS } from "./threshold.js";

/** Of rows with these probabilities, counted the slow way. */
function metricsOf(ones: readonly number[], zeros: readonly number[]): ClassMetrics {
  const from = (all: readonly number[]): Float64Array => Float64Array.from({ length: THRESHOLDS + 1 }, (_, k) => all.filter((p) => p >= k / THRESHOLDS).length);
  return { whose: "model", onesFrom: from(ones), zerosFrom: from(zeros) } as ClassMetrics;
}

const ones = [0.9, 0.6, 0.4, 0.5];
const zeros = [0.1, 0.55, 0.2, 0.2, 0.45];
const metrics = metricsOf(ones, zeros);
const classes: Classes = { names: ["no", "yes"], counts: Float64Array.of(zeros.length, ones.length), metrics: [metrics] };

test("a row at the threshold is taken for class 1, at 0 every row is, at 1 none that is not certain; rates are shares of the rows that they speak of", () => {
  const found = [0, 100, 150, 200].map((k) => counts(classes, metrics, k));
  assert.deepEqual(found.map(({ truePositive, falseNegative, falsePositive, trueNegative }) => [truePositive, falseNegative, falsePositive, trueNegative]), [[4, 0, 5, 0], [3, 1, 1, 4], [1, 3, 0, 5], [0, 4, 0, 5]]);
  assert.deepEqual(rates({ truePositive: 3, falseNegative: 1, falsePositive: 1, trueNegative: 4 }), { accuracy: 7 / 9, precision: 3 / 4, recall: 3 / 4, specificity: 4 / 5 });
  assert.ok(Number.isNaN(rates({ truePositive: 0, falseNegative: 1, falsePositive: 0, trueNegative: 4 }).precision));
});

test("who is looked at comes first, the model goes by its name, and trees come when they are grown", () => {
  const ridge = { ...metrics, whose: "ridge" as const };
  const trees = { ...metrics, whose: "trees" as const };
  const both = { ...classes, metrics: [metrics, ridge] };
  const names = (...args: Parameters<typeof tellers>): string[] => tellers(...args).metrics.map(([whose]) => whose);
  assert.deepEqual([null, trees].map((grown) => names(both, grown, "gfm", "gfm")), [["gfm", "ridge"], ["gfm", "ridge", "trees"]]);
  assert.deepEqual(names({ ...both, metrics: [metrics, ridge, trees] }, trees, "ifm", "trees"), ["trees", "ifm", "ridge"], "and once");
  assert.deepEqual(names(both, null, "fm", "trees"), ["fm", "ridge"], "who is not there yet is not missed");
});
