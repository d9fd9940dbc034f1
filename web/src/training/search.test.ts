import assert from "node:assert/strict";
import { test } from "node:test";
import type { Started } from "../engine/protocol.js";
import { blank } from "../engine/run.js";
import { close, searches } from "./search.js";
import type { Series } from "./series.js";

const started = { model: "ifm", trial: 0 } as Started;

/** A run of ridge and of candidates of rank 1, each with what it reaches by its iterations. */
function series(done: boolean, ...candidates: readonly (readonly number[])[]): Series {
  const starts: number[] = [];
  const valid = candidates.flatMap((one) => one);
  for (let at = 0, from = 0; at < candidates.length; from += candidates[at++]?.length ?? 0) starts.push(from);
  return { ...blank({ query: "", cell: 0 }), started, starts, rank: candidates.map((_, i) => Math.min(i, 1)), lambda: candidates.map((_, i) => i), weights: candidates.map(() => 3), hats: candidates.map(() => false), iteration: valid.map(() => 0), valid, test: valid, done };
}

test("without folds the lowest error of each candidate counts, and the lowest of these leads", () => {
  const one = series(true, [5], [Number.NaN, 4, 2, 3], [2, 2]);
  const [found] = searches({ folds: [], series: [one], planned: 1 }, ["ifm"], 0);
  assert.deepEqual(found?.tried.map(({ error, iteration }) => [error, iteration]), [[5, 0], [2, 2], [2, 0]]);
  assert.deepEqual([found.best, found.whole, found.tried[1]?.spread], [1, true, NaN], "the first of two that are level");
});

test("over folds the mean of each iteration counts, where a fold that stopped stays at its last error", () => {
  const folds = [series(true, [4], [6, 2]), series(true, [4], [2, 3, 1]), series(true, [1], [1, 1, 1, 3])];
  const [found] = searches({ folds, series: [], planned: 1 }, ["ifm"], 3);
  assert.deepEqual(found?.tried.map(({ error, iteration, folds: come }) => [error, iteration, come]), [[3, 0, 3], [4 / 3, 2, 3]]);
  assert.ok(Math.abs((found.tried[0]?.spread ?? 0) - 1) < 1e-12, "sd √3 over √3");
  assert.equal(close(found), 0);
});

test("a candidate that a fold has not come to the end of does not lead yet, and one that failed on a fold never does", () => {
  const [one, failed, going] = [series(true, [4], [1]), series(true, [4], [NaN]), series(false, [4], [1])];
  const [early, lost] = [going, failed].map((other) => searches({ folds: [one, other], series: [], planned: 1 }, ["ifm"], 2)[0] ?? assert.fail());
  assert.deepEqual([early, lost].map((found) => [found?.best, found?.whole, found?.tried[1]?.folds]), [[0, false, 1], [0, true, 2]]);
  assert.ok(Number.isNaN(lost?.tried[1]?.error));
});

test("the same settings once more are told as such, and those within a standard error of the best are close", () => {
  const whole = series(true, [5], [2], [2], [2.1], [9]);
  const same = { ...whole, rank: [0, 1, 1, 1, 2], lambda: [0, 1, 1, 1, 1], hats: [false, false, false, true, true] };
  const [found] = searches({ folds: [], series: [same], planned: 1 }, ["ifm"], 1);
  assert.deepEqual(found?.tried.map(({ again }) => again), [false, false, true, false, false]);
  assert.deepEqual([0.05, 0.2, 8].map((spread) => close({ ...found, tried: found.tried.map((one) => ({ ...one, spread })) })), [1, 2, 4]);
  assert.deepEqual([close({ ...found, best: -1 }), searches({ folds: [], series: [same], planned: 0 }, ["ifm"], 1), found.folds], [0, [], 0]);
});
