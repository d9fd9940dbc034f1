import assert from "node:assert/strict";
import { test } from "node:test";

import { accuracy, auc, aucInterval, errors, logLoss, meanLoss, rarer, shareInterval } from "./error.js";

const actual = Float64Array.of(1, 2, 3, 6); // about their own mean, 3, squares of 14

test("errors are counted on the rows themselves, R² about their own mean", () => {
  const predicted = Float64Array.of(1, 2, 5, 3);
  const all = (value: number): Float64Array => new Float64Array(4).fill(value);
  assert.deepEqual(errors(actual, predicted), { rmse: Math.sqrt(13 / 4), mae: 5 / 4, r2: 1 - 13 / 14 });
  assert.equal(errors(actual, all(3)).r2, 0, "the mean of these rows explains nothing");
  assert.ok(errors(actual, all(2)).r2 < 0, "that of others less");
  assert.ok(Number.isNaN(errors(Float64Array.of(4, 4), Float64Array.of(4, 4)).r2), "nothing is to be explained");
});

const orders: readonly (readonly [name: string, actual: readonly number[], predicted: readonly number[], auc: number])[] = [
  ["all in order", [0, 0, 1, 1], [0.1, 0.2, 0.3, 9], 1],
  ["all turned round", [0, 0, 1, 1], [3, 4, -1, 2], 0],
  ["one pair of four turned round", [1, 0, 1, 0], [0.5, 0.4, 0.2, 0.3 - 1], 0.75],
  ["ties are half", [1, 2, 1, 2], [7, 7, 7, 8], 0.75],
  ["a constant", [-1, 1, 1], [2, 2, 2], 0.5],
  ["the higher of the two first", [5, -1, 5, -1], [4, 1, 3, 2], 1],
  ["three values", [0, 1, 2], [0, 1, 2], Number.NaN],
  ["what is no number beside one value", [1, Number.NaN], [0, 1], Number.NaN],
  ["one value", [1, 1], [0, 1], Number.NaN],
];

test("an area is the share of pairs of rows that are in order, ties half", () => {
  for (const [name, y, predicted, want] of orders) assert.equal(auc(Float64Array.from(y), Float64Array.from(predicted)), want, name);
});

test("a row of two classes costs −log of what its own class was given; rows that differ from the commonest target are counted by weight", () => {
  assert.equal(logLoss(1, 0.25), Math.log(4));
  assert.equal(logLoss(0, 0.25), -Math.log(0.75));
  assert.ok(Number.isFinite(logLoss(0, 1)) && logLoss(0, 1) > 30);
  const p = Float64Array.of(0.5, 0.25, 0.25);
  assert.ok(Math.abs(meanLoss(Float64Array.of(1, 0, 1), p, logLoss) - (Math.log(2) - Math.log(0.75) + Math.log(4)) / 3) < 1e-15);
  assert.equal(accuracy(Float64Array.of(1, 0, 1), p), 2 / 3, "one half is enough for class 1");
  const of = (y: readonly number[], weights?: readonly number[]): number[] => Object.values(rarer(Float64Array.from(y), weights && Float64Array.from(weights)));
  assert.deepEqual([of([20, 21, 20, 20]), of([20, 21, 20, 21, 21], [1, 0, 1, 0, 3]), of([3, 1, 2, 1]), of([])], [[1, 20], [1, 20], [4, 1], [0, 0]]);
});

test("a row of weight 2 counts as it does twice, and weights that are all alike change nothing", () => {
  const [y, own] = [[1, 2, 3, 6], [1, 2.5, 5, 3]].map((values) => Float64Array.from(values)) as [Float64Array, Float64Array];
  const weight = Float64Array.of(1, 2, 1, 2);
  const twice = (values: Float64Array): Float64Array => Float64Array.from([...values].flatMap((v, i) => (weight[i] === 2 ? [v, v] : [v])));
  const [weighed, repeated] = [errors(y, own, weight), errors(twice(y), twice(own))];
  for (const key of ["rmse", "mae", "r2"] as const) assert.ok(Math.abs(weighed[key] - repeated[key]) < 1e-12, key);
  const squares = (p: number, q: number): number => (p - q) ** 2;
  assert.ok(Math.abs(meanLoss(y, own, squares, weight) - meanLoss(twice(y), twice(own), squares)) < 1e-12);
  const classes = Float64Array.of(0, 1, 1, 0);
  const p = Float64Array.of(0.2, 0.2, 0.7, 0.6);
  assert.equal(auc(classes, p, weight), auc(twice(classes), twice(p)));
  assert.equal(accuracy(classes, p, weight), accuracy(twice(classes), twice(p)));
  assert.notEqual(auc(classes, p, weight), auc(classes, p));
});

test("the intervals of an area and of a share are the engine's, and one of all has a lower end", () => {
  const classes = (zeros: number, ones: number): Float64Array => Float64Array.from({ length: zeros + ones }, (_, i) => Number(i >= zeros));
  const close = (found: readonly number[], ...want: readonly number[]): void => want.forEach((v, i) => assert.ok(Math.abs((found[i] as number) - v) < 5e-5, `${found}`));
  close(aucInterval(1, classes(38, 2)), 0.5932, 1);
  close(aucInterval(0.93, classes(30, 10)), 0.7552, 0.98086);
  close(aucInterval(0.93, classes(30, 10), new Float64Array(40).fill(7)), 0.7552, 0.98086);
  close(shareInterval(1, 40), 0.91238, 1);
  for (let rows = 1; rows < 60; rows++) assert.equal(shareInterval(1, rows)[1], 1, "rounding excludes no 1");
  close(shareInterval(0.5, 10, new Float64Array(10).fill(3)), 0.23659, 0.76341);
});
