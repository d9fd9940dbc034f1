import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { best, blank, isWhole, lead, sum, tabulate, type Group } from "./tally.js";
import type { Results } from "./windows.js";

const { table, ...example } = JSON.parse(readFileSync(new URL("../../../../core/vtec/testdata/tally.json", import.meta.url), "utf8"));
const { methods, stations, left, days, windows, fixes } = example;
const all = (of: readonly Record<string, number>[], key: string): Int32Array => Int32Array.from(of, (one) => one[key] ?? 0);
const flat = ({ bands, ...result }: any): any => ({ ...result, bandTest: bands.map((b: any) => b.test), bandSquares: bands.flatMap((b: any) => b.squares) });
const survey = { methods, stations, station: windows.map((_: unknown, i: number) => left[i % left.length]), days, day: all(windows, "day"), minute: all(windows, "minute"), fixDay: all(fixes, "day"), fixMinute: all(fixes, "minute") };
export const results = { survey, windows: windows.map((w: any) => w.result && flat(w.result)), fixes: fixes.map((f: any) => f.result) } as unknown as Results;

test("the table of windows is the one that core/vtec makes, to the bit", () => {
  const { methods: _, positions, ...made } = tabulate(results);
  const { error, ...shares } = positions ?? assert.fail("there are positions");
  const here = { ...made, positions: { ...shares, lead: methods.map((_: string, m: number) => error(m, 0)) } };
  for (const row of table.rows) delete row.differences;
  delete table.positions.error; // the page says how sure it is of a difference only
  assert.deepEqual(JSON.parse(JSON.stringify(here)), table); // JSON has null for NaN
});

test("with fewer than three days hours are the blocks", () => {
  const early = { ...results, windows: results.windows.map((window, i) => ((survey.day[i] ?? 0) < 2 ? window : null)) };
  const { groups } = tabulate(early);
  const used = early.windows.flatMap((window, i) => (window && "unusable" in window && window.unusable === "" ? [i] : []));
  assert.deepEqual([groups.hourly, groups.all.blocks.length], [true, new Set(used.map((i) => 24 * (survey.day[i] ?? 0) + Math.floor((survey.minute[i] ?? 0) / 60))).size]);
});

test("a lead's interval is Student's, wider where hours resemble the next, and there is none from one block", () => {
  const of = (...leads: readonly number[]): Group => ({ name: "", differences: 9, rmse: [], blocks: leads.map((d) => [1 + d, 1]) });
  const near = ({ mean, half }: ReturnType<typeof lead>, ...want: readonly [number, number]): void => assert.ok(Math.abs(mean - want[0]) < 1e-12 && Math.abs(half - want[1]) < 1e-9, `${mean} ± ${half}`);
  near(lead(of(1, 3), 0, 1, false), 2, 12.706);
  near(lead(of(1, 1, 1), 0, 1, true), 1, 0);
  near(lead(of(1, 2, 3), 0, 1, true), 2, 4.303 / Math.sqrt(3)); // products 0
  near(lead(of(0, 0, 1, 1), 0, 1, true), 0.5, (3.182 / Math.sqrt(12)) * Math.sqrt(1.25 / 0.75));
  near(lead(of(0, 1, 0, 1), 0, 1, true), 0.5, 3.182 / Math.sqrt(12)); // what alternates narrows nothing
  const twelve = Array.from({ length: 12 }, (_, i) => i % 2);
  near(lead(of(...twelve), 0, 1, false), 0.5, (1.96 + 2.6 / 11) * Math.sqrt(3 / 132));
  assert.ok(Number.isNaN(lead(of(1), 0, 1, false).half));
});

test("the best of a row are all that print as it does, of two at least; before there are windows the table is empty, and later whole", () => {
  const print = (v: number): string => v.toFixed(1);
  assert.deepEqual([[3, 1.01, Number.NaN, 1.02], [1], [2, 2.5]].map((row) => [...best(row, false, print)]), [[1, 3], [], [0]]);
  assert.deepEqual([...best([3, 1], true, print)], [0]);
  const none = blank(["ridge"], ["a", "b"], true);
  assert.deepEqual([none.rows.map(({ of, over, used }) => [of, over, used]), none.average, none.positions?.tried, blank([], [], false).positions], [[[0, 0, 0], [0, 0, 0]], [Number.NaN], 0, null]);
  const row = { ...none.rows[0], of: 3, over: 2 } as (typeof none.rows)[number];
  assert.deepEqual([sum({ ...none, rows: [row, row] }, "over"), isWhole(none), isWhole({ ...none, rows: [row] })], [4, true, false]);
});
