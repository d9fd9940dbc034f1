import assert from "node:assert/strict";
import { test } from "node:test";

import type { Records, Started } from "../engine/protocol.js";
import { append, blank } from "../engine/run.js";
import { trial } from "./results.test.js";
import { alike, leading, lines, trials, type Series } from "./series.js";

/** A run of one candidate, with what it reaches on validation and test rows by its iterations. */
function run(trial: number, done: boolean, valid: readonly number[], test: readonly number[]): Series {
  const series: Series = { ...blank({ query: "", cell: trial }), started: { model: "ifm", trial, candidates: 1, mean: 9, ridge: 8 } as Started };
  const whole = (value: number): Int32Array<ArrayBuffer> => Int32Array.from(valid, () => value);
  const records: Partial<Records> = { candidate: whole(0), rank: whole(2), lambda: Float64Array.from(valid, () => 10), weights: Float64Array.from(valid, () => 3), hats: whole(0), iteration: Int32Array.from(valid.keys()), valid: Float64Array.from(valid), test: Float64Array.from(test), lead: whole(0), done, final: Number.NaN, stop: "", rose: 0 };
  append(series, records as Records);
  return series;
}

test("what is kept is the iteration that is best on validation rows, whatever came later and whatever test rows say", () => {
  const runs = [run(0, true, [5, 2, 3], [7, 4, 1]), run(1, true, [5, 4, 2], [7, 6, 5])];
  const [line] = lines(runs, 2);
  assert.deepEqual([line?.kept, line?.valid, line?.choice?.at], [4.5, 2, 1]);
  assert.deepEqual(trials(runs).map(({ ifm }) => ifm), [4, 5]);
});

test("once a run is over its error is that of what it predicts with then, calibrated where it is", () => {
  const runs = [{ ...run(0, true, [5, 2, 3], [7, 4, 1]), final: 3 }, run(1, false, [5, 4], [7, 6])];
  assert.deepEqual(trials(runs).map(({ ifm }) => ifm), [3, 6]);
  const [line] = lines(runs, 2);
  assert.deepEqual([line?.kept, line?.reached], [4.5, 5], "the curve is not calibrated");
});

test("of iterations that are level on validation rows the last one is kept where it is among them, else the first, and without these rows the last number", () => {
  const none = [NaN, NaN, NaN];
  const runs = [[[5, 2, 2, 3], [7, 4, 1, 1]], [[5, 2, 2], [7, 4, 1]], [none, [7, 4, 5]], [none, [7, 4, NaN]]] as const;
  assert.deepEqual(runs.map(([valid, test]) => leading(run(0, true, valid, test)).kept), [1, 2, 2, 1]);
});

test("on a split whose validation rows chose lines, regression with curves is ridge", () => {
  const [curves, straight] = [trial({ additive: 3 }), trial()];
  const additive = (...all: Parameters<typeof alike>[0][number][]): number[] => alike(all).map((one) => one.additive);
  assert.deepEqual([additive(curves, straight), additive(straight, straight)], [[3, 4], [NaN, NaN]]);
});

test("a trial that is over stays where it ended, and one that is not holds the mean back", () => {
  const over = run(0, true, [5, 2], [6, 4]);
  const [whole] = lines([over, run(1, true, [5, 4, 2], [8, 6, 2])], 2);
  assert.deepEqual([whole?.error, whole?.low, whole?.high, whole?.done], [[7, 5, 3], [6, 4, 2], [8, 6, 4], true]);
  const [going] = lines([over, run(1, false, [5], [8])], 2);
  assert.deepEqual([going?.error, going?.done], [[7], false]);
});
