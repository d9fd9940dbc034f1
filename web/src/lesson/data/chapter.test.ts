import assert from "node:assert/strict";
import { test } from "node:test";

import type { Opened } from "../../engine/pool.js";
import type { EngineError, Predictions, Started } from "../../engine/protocol.js";
import type { Sample } from "../../state/view.js";
import { plain } from "../../text/phrase.js";
import { failed, runOf, settingsOf, track } from "../chapter/tracks.test.js";
import { data } from "./chapter.js";

type Errors = readonly (readonly [fm: number, ifm: number])[]; // a split each, in parts of ridge's

/** A run on these tables; those without splits could not be had. */
function tables(all: Partial<Record<Sample, Errors>>): ReturnType<typeof data.read> {
  const names = Object.keys(all) as Sample[];
  const opened = { table: { rows: 5, columns: [] } } as unknown as Opened;
  const failure = failed("Unreadable").error as EngineError;
  const missing = (["penguins", "cars", "diabetes"] as const).filter((name) => !all[name]).map((name) => [name, failure] as const);
  const tracks = names.flatMap((name) => (all[name] ?? []).flatMap((errors, split) => errors.map((error) => track({ job: { query: "", cell: 0, group: `${name} ${split}` }, started: { mean: 2, ridge: 1 } as Started, predictions: { error } as Predictions }))));
  return data.read(runOf(settingsOf(data, `trials=${all.cars?.length ?? 1}`), tracks, { tables: new Map(names.map((name) => [name, opened])), failures: new Map(missing) }));
}

const told = (numbers: ReturnType<typeof tables>): string => plain(data.told(numbers, ""));

test("the answer counts the tables that iFM is clearly ahead of ridge on, once all models of a split are over", () => {
  const [ahead, level, behind] = [[[1, 0.9]], [[1, 0.995]], [[1, 1.2]]] as const satisfies readonly Errors[];
  assert.equal(data.answer(tables({ penguins: ahead, cars: ahead, diabetes: ahead })), "all");
  assert.equal(data.answer(tables({ penguins: level, cars: behind, diabetes: level })), "none");
  assert.equal(data.answer(tables({ penguins: ahead, cars: level, diabetes: behind })), "some");
  const missing = tables({ cars: ahead, diabetes: ahead });
  assert.equal(data.answer(missing), null);
  assert.match(told(missing), /1 table without a result does not count\.$/);
  assert.deepEqual(missing.rows.map(({ failure, splits }) => [failure !== "", splits.length]), [[true, 0], [false, 1], [false, 1]]);
  const one = { query: "", cell: 0, group: "cars 0" };
  const tracks = [track({ job: one, started: { mean: 2, ridge: 1 } as Started, predictions: { error: 1 } as Predictions }), track({ job: one, done: false })];
  const run = runOf(settingsOf(data, "trials=1"), tracks, { tables: new Map(), failures: new Map() });
  assert.deepEqual(data.read({ ...run, phase: "running" }).rows.map(({ splits, whole }) => [splits.length, whole]), [[0, false], [0, false], [0, false]]);
});

test("FM and iFM are told apart where their difference is more than its spread over the splits explains", () => {
  const numbers = tables({ penguins: [[0.9, 0.8], [0.95, 0.8]], cars: [[0.9, 0.8], [0.91, 0.8]], diabetes: [[0.9, 0.8], [0.8, 0.9]] }); // two splits say little: .1 and .15 are not enough
  assert.match(told(numbers), /On Penguins and Diabetes, the difference between FM and iFM may be chance\. .* iFM is ahead of FM by 10 % of linear regression’s error on Cars, more than chance explains/);
});
