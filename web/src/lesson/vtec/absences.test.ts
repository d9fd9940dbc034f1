import assert from "node:assert/strict";
import { test } from "node:test";

import type { Absence, Sweep } from "../sweep/sweep.js";
import { agreement, layAbsences, middle, rmseOf, standing, sumOf, value } from "./absences.js";

const link = (seed: number, more = ""): string => `chapter=vtec&vtec.stations=all&vtec.fixes=0${more}&vtec.seed=${seed}`;
const absence = (seed: number, day: number, station: number, ridge: number, ifm: number, of: Partial<Absence> = {}): Absence => ({ query: link(seed), day, station, windows: 1, unusable: 0, reason: "", differences: 4, zero: 1, squares: { ridge: 4 * ridge ** 2, ifm: 4 * ifm ** 2 }, ...of });

/** A sweep of these cells, in which two methods are compared. */
function sweepOf(absences: readonly Absence[]): Sweep {
  const skies = new Map(absences.map(({ query }) => [query, { part: query.replace("chapter=vtec&", "").replaceAll("vtec.", ""), methods: ["ridge", "ifm"], days: ["TestDay1", "TestDay2"], stations: ["S01", "S02"] }]));
  return { name: "table1.jsonl", version: "1", here: "1", runs: [], links: new Map(), absences, skies };
}

const cells = [absence(1, 0, 0, 2, 1), absence(1, 0, 1, 2, 7), absence(1, 1, 0, 3, 2), absence(1, 1, 1, 1, 2), absence(2, 0, 0, 4, 3), absence(2, 0, 1, 5, 2)];

test("stations go across after all of them together, methods down, and a place has the days of all seeds, one of them its middle", () => {
  const laid = layAbsences(sweepOf(cells));
  assert.deepEqual([laid.across, laid.values], ["station", [0, 1, 2]]);
  assert.deepEqual(laid.rows.map(({ settings }) => settings), [[{ key: "method", value: "ridge" }], [{ key: "method", value: "ifm" }]]);
  const [, ifm] = laid.rows;
  assert.deepEqual(ifm?.places.map(({ runs }) => runs.map(({ rmse }) => rmse)), [[5, 2, Math.sqrt(6.5)], [1, 2, 3], [7, 2, 2]], "a day's errors at all stations in one sum, then each");
  assert.deepEqual(ifm?.places.map(({ runs }) => [value(runs, "rmse"), value(runs, "low"), value(runs, "high"), value(runs, "ahead")]).slice(1), [[2, 1.5, 2.5, 1], [2, 2, 4.5, 1 / 3]]);
  assert.deepEqual(laid.same, [{ key: "stations", value: "all" }]);
  const places = layAbsences(sweepOf(cells)).rows[1]?.places ?? [];
  assert.deepEqual(places.map(({ runs }) => middle(runs)), [null, cells[2], cells[5]]);
});

test("a cell none of whose windows could be used counts nowhere", () => {
  const lost = absence(3, 0, 0, 0, 0, { windows: 0, unusable: 1, reason: "no satellite", differences: 0, squares: { ridge: 0, ifm: 0 } });
  const [, ifm] = layAbsences(sweepOf([...cells, lost])).rows;
  assert.deepEqual(ifm?.places.map(({ runs }) => [runs.length, value(runs, "rmse"), value(runs, "ahead")]), [[4, Math.sqrt(6.5), 2 / 3], [4, 2, 1], [3, 2, 1 / 3]]);
  assert.deepEqual(standing(sweepOf([...cells, lost])), { days: 3, won: 2, ahead: 2 });
  assert.ok(Number.isNaN(rmseOf([lost], "ifm")));
});

test("links that differ in more than their seeds make rows of their own", () => {
  const calm = cells.map((cell) => ({ ...cell, query: cell.query.replace("&vtec.seed", "&vtec.waves=0&vtec.seed") }));
  const laid = layAbsences(sweepOf([...cells, ...calm]));
  assert.deepEqual(laid.rows.map(({ settings }) => settings.map(({ value }) => value).join()), ["ridge,1", "ifm,1", "ridge,0", "ifm,0"]);
});

test("windows that were run here are summed as a cell is, and what differs is told by how much", () => {
  const window = { satellites: 5, train: 9, test: 2, zero: 1, squares: Float64Array.of(8, 2), bandTest: new Int32Array(3), bandSquares: new Float64Array(6), unusable: "" };
  const survey = { methods: ["ridge", "ifm"] } as unknown as Parameters<typeof sumOf>[0]["survey"];
  const here = sumOf({ survey, windows: [window, null, { ...window, test: 0, squares: new Float64Array(), unusable: "no satellite" }, window] });
  assert.deepEqual(here, { windows: 2, unusable: 1, differences: 4, squares: { ridge: 16, ifm: 4 } });
  assert.deepEqual([1, 0.5].map((ifm) => agreement(here, absence(1, 0, 0, 2, ifm))), [{ apart: 0, printed: true }, { apart: 0.75, printed: false }]);
  assert.equal(agreement({ ...here, squares: { ridge: 16, ifm: 4.0000001 } }, absence(1, 0, 0, 2, 1)).printed, true);
  const others = [agreement(here, absence(1, 0, 0, 2, 1, { differences: 5 })), agreement({ differences: 1, squares: {} }, { differences: 1, squares: { ifm: 1 } })];
  assert.deepEqual(others.map(({ apart }) => apart), [Infinity, Infinity]);
});
