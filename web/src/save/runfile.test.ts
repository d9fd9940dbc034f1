import assert from "node:assert/strict";
import { test } from "node:test";

import type { Intervals, Started } from "../engine/protocol.js";
import { blank } from "../engine/run.js";
import { line, training, trial } from "../training/results.test.js";
import { runFile } from "./runfile.js";
import type { Turns } from "./turns.js";

test("a run's file has its settings, what was compared, and the records of each candidate; it is harmless within a page", async () => {
  const columns = { starts: [0, 2], rank: [0, 2], lambda: [1, 3], weights: [0, 4], hats: [false, true], iteration: [0, 1, 0], valid: [5, 4, 3], test: [7, 6, 5], lead: 1 };
  const series = [0, 1].map((trial) => ({ ...blank({ query: "", cell: trial }), ...columns, started: { model: "ifm", trial, mean: 8, ridge: 4, ridgeLambda: 0.5 } as Started, done: true, stop: "</script>" }));
  const answers = new Map([false, true].map((done, i) => [i, { done, model: "ifm", level: 0.9, rows: 9, folds: 5, covered: 3, share: 0.75, from: 0.5, to: 1, width: 2 } as Intervals]));
  const run = training({ query: "d=9", series, trials: [trial({ ifm: 5 }), trial({ ifm: 6 })], lines: [line("ifm", 5.5)], intervals: { state: "done", seconds: 0, answers, error: null } });
  const told: unknown[] = [];
  const turns = { due: true, pass: (share: number) => Promise.resolve(told.push(share)) } as unknown as Turns;
  const text = await (await runFile(run, "about", "link", turns)).text();
  assert.deepEqual([told, text.includes("<"), text.split("\n").filter((row) => row.includes('"model"')).length], [[0.5, 1], false, 2]);
  const found = JSON.parse(text);
  assert.deepEqual([found.spec.d, found.splits, found.target, found.measure, found.error], [9, 2, "", "rmse", null]);
  assert.deepEqual(found.standings.map(({ whose, rmse, mae }: Record<string, unknown>) => [whose, rmse, mae]), [["ridge", 4, null], ["ifm", 5.5, null], ["mean", 8, null]]);
  const [{ candidates, intervals, kept, stop }, second] = found.series;
  assert.deepEqual(candidates, [
    { rank: 0, lambda: 1, weights: 0, hats: false, iteration: [0, 1], valid: [5, 4], test: [7, 6] },
    { rank: 2, lambda: 3, weights: 4, hats: true, iteration: [0], valid: [3], test: [5] },
  ]);
  assert.deepEqual(kept, { candidate: 1, rank: 2, lambda: 3, weights: 4, hats: true, iteration: 0, valid: 3, test: 5 });
  assert.deepEqual([stop, intervals, second.intervals], ["</script>", { level: 0.9, rows: 9, folds: 5, covered: 3, share: 0.75, from: 0.5, to: 1, width: 2 }, null]);
});
