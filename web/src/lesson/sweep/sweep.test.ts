import assert from "node:assert/strict";
import { test } from "node:test";

import type { Info, Point } from "../../engine/protocol.js";
import { found, layRuns, slices, value } from "./lay.js";
import { readSweep } from "./read.js";
import type { Named, Run, Sweep } from "./sweep.js";

const point = (ratio: number, k: number): Point => ({ query: `n=${ratio * k * 8}&d=8&k=${k}`, ratio, n: ratio * k * 8, clipped: false, k, tau: 2 });
const points = [point(2, 1), point(2, 2), point(4, 1), point(4, 2)];
const info = (query: string): Promise<Info> => Promise.resolve({ version: "9.9.9", body: "go", cells: 0, points: query === "" ? [] : points });

const net = (part: string): Promise<Named> => Promise.resolve({ methods: ["ridge", "ifm"], days: ["TestDay1", "TestDay2"], stations: ["S01", "S02", "S03"], notices: part.includes("stride=x") ? [{ key: "stride", found: "x", message: "the link's stride was \"x\"" }] : [] });

const phase = "d=8&models=fm,ifm&sweep=rank&ratios=2,4&ks=1,2&trials=2";
export const title = (cells: number, more = ""): string => `{"sweep":"a1b2","version":"0.5.0","cells":${cells}${more}}\n`;
export const line = (cell: number, of: object): string => `${JSON.stringify({ cell, version: "0.5.0", spec: phase, of: cell, point: 0, trial: 0, model: "ifm", records: 3, last: { iteration: 9, test: 1, w: 0.001, m: 0.001 }, ...of })}\n`;
const sky = "chapter=vtec&vtec.stations=all&vtec.fixes=0&vtec.seed=3";
export const away = (cell: number, of: object): string => `${JSON.stringify({ cell, version: "0.5.0", spec: sky, of: cell, day: 0, station: 0, windows: 2, unusable: 0, differences: 4, zero: 1, squares: { ridge: 1, ifm: 0.25 }, ...of })}\n`;
export const read = (...parts: string[]): Promise<Sweep> => readSweep(new File(parts, "phase.jsonl"), { info, net });

test("a merged file is read cell by cell, with the points of its links and what a solver refused", async () => {
  const sweep = await read(title(3), line(0, {}), line(1, { model: "fm", point: 3, last: undefined, refused: "singular" }), line(2, { trial: 1, last: { iteration: 2 } }).trimEnd());
  assert.deepEqual([sweep.version, sweep.here, sweep.name, sweep.runs.length], ["0.5.0", "9.9.9", "phase.jsonl", 3]);
  assert.deepEqual(sweep.runs.map(found), [true, false, false]);
  assert.deepEqual(sweep.runs[1], { query: phase, point: 3, trial: 0, model: "fm", test: Number.NaN, w: Number.NaN, m: Number.NaN, refused: "singular" });
});

test("lines of the ionosphere are read beside those of runs, each with what its link names", async () => {
  const sweep = await read(title(3), line(0, {}), away(1, { station: 2 }), away(2, { day: 1, windows: 0, unusable: 2, reason: "no satellite", differences: 0, zero: undefined, squares: {} }));
  assert.deepEqual([sweep.runs.length, sweep.absences.length], [1, 2]);
  assert.deepEqual(sweep.absences[1], { query: sky, day: 1, station: 0, windows: 0, unusable: 2, reason: "no satellite", differences: 0, zero: Number.NaN, squares: {} });
  assert.deepEqual([...sweep.skies], [[sky, { part: "stations=all&fixes=0&seed=3", methods: ["ridge", "ifm"], days: ["TestDay1", "TestDay2"], stations: ["S01", "S02", "S03"] }]]);
  assert.deepEqual([...sweep.links.keys()], [phase]);
});

test("what is not whole, not merged or not ours is refused by its line, and nothing of it is used", async () => {
  for (const [parts, says] of [
    [[""], /phase\.jsonl, line 1: The first line is not the title/],
    [['{"cells":2}\n'], /, line 1: The first line is not the title/],
    [[title(1, ',"shard":2,"of":8')], /, line 1: This is part 2 of 8 of a sweep\. Merge the parts/],
    [[title(2), line(0, {})], /, line 2: The file ends here, with 1 of 2 cells/],
    [[title(1), line(0, {}), line(1, {})], /, line 3: The file ends here, with 2 of 1 cell\./],
    [[title(2), line(0, {}), line(0, {})], /, line 3: Found cell 0 instead of cell 1/],
    [[title(1), line(0, {}).slice(0, 40)], /, line 2: The line is not a JSON object/],
    [[title(1), line(0, { version: "0.4.0" })], /, line 2: The cell has version 0\.4\.0, the sweep 0\.5\.0/],
    [[title(1), line(0, { model: "svm" })], /, line 2: The line is incomplete/],
    [[title(1), line(0, { spec: 7 })], /, line 2: The line is incomplete/],
    [[title(1), line(0, { spec: "d=8&lines=3" })], /, line 2: the link's parameter "lines" is not known/],
    [["\n", title(2), line(0, {}), "\n", line(1, { point: 4 })], /, line 5: The link has no point 4/],
    [[title(1), "[1]\n"], /, line 2: The line is not a JSON object/],
    [[title(0)], /, line 1: The first line is not the title/],
    [[title(1), away(0, { squares: [1] })], /, line 2: The line is incomplete/],
    [[title(1), away(0, { differences: -1 })], /, line 2: The line is incomplete/],
    [[title(2), away(0, {}), away(1, { day: 2 })], /, line 3: The link has no day 2/],
    [[title(2), line(0, {}), away(1, { station: 3 })], /, line 3: The link has no station 3/],
    [[title(1), away(0, { squares: { svm: 1 } })], /, line 2: The link has no method “svm”/],
    [[title(2), line(0, {}), away(1, { spec: phase })], /, line 3: The line is a day without a station, but its link/],
    [[title(2), away(0, {}), line(1, { spec: sky })], /, line 3: The line is a run, but its link/],
    [[title(2), line(0, {}), away(1, { spec: `${sky}&vtec.stride=x` })], /, line 3: the link's stride was "x"/],
    [[title(1), away(0, { spec: `d=8&${sky}` })], /, line 2: the link's parameter "chapter" is not known/],
  ] as const) await assert.rejects(read(...parts), { name: "EngineFailure", message: says }, parts.join(""));
});

const run = (of: Partial<Run>): Run => ({ query: phase, point: 0, trial: 0, model: "ifm", test: 1, w: 0, m: 0, refused: "", ...of });

test("the rows in units of dk go across, rank and model down, and a place counts its trials", async () => {
  const cells = (["fm", "ifm"] as const).flatMap((model) => points.flatMap((_, point) => [0, 1].map((trial) => ({ model, point, trial, last: { iteration: 9, test: 1, w: 0, m: model === "ifm" && point > 1 ? 0.001 * trial : 0.5 } }))));
  const laid = layRuns(await read(title(cells.length), ...cells.map((cell, i) => line(i, cell))));
  assert.deepEqual([laid.across, laid.values], ["ratio", [2, 4]]);
  assert.deepEqual(laid.rows.map(({ settings }) => settings.map(({ key, value }) => `${key} ${value}`).join()), ["model fm,k 1", "model fm,k 2", "model ifm,k 1", "model ifm,k 2"]);
  assert.deepEqual(laid.rows.map(({ places }) => places.map(({ runs }) => [runs.length, value(runs, "found")])), [...Array(2).fill([[2, 0], [2, 0]]), ...Array(2).fill([[2, 0], [2, 1]])]);
  assert.equal(laid.rows[3]?.places[1]?.query, points[3]?.query, "that stands for the place");
  assert.deepEqual(laid.same, [{ key: "d", value: "8" }]);
});

test("links that sweep nothing are laid by what they differ in, their seeds apart", async () => {
  const specs = ["gaussian", "threepoint"].flatMap((features) => [200, 100].flatMap((n) => [1, 2].map((seed) => `n=${n}&features=${features}&tau=0.5&seed=${seed}`)));
  const laid = layRuns(await read(title(specs.length), ...specs.map((spec, i) => line(i, { spec }))));
  assert.deepEqual([laid.across, laid.values], ["n", [100, 200]]);
  assert.deepEqual(laid.rows.map(({ settings, places }) => [settings.map(({ value }) => value).join(), ...places.map(({ runs }) => runs.length)]), [["gaussian", 2, 2], ["threepoint", 2, 2]]);
  const one = layRuns(await read(title(2), line(0, { spec: "seed=3" }), line(1, { spec: "seed=4" })));
  assert.deepEqual([one.across, one.rows.length, one.rows[0]?.places.length, one.rows[0]?.places[0]?.runs.length], [null, 1, 1, 2]);
});

test("what follows from one setting is told beside it and not in each row, and too many rows are drawn a part at a time", async () => {
  const specs = ["agd", "algorithm1"].flatMap((solver) => (["gfm", "ifm"] as const).flatMap((model) => [100, 200, 300].flatMap((n) => [0.5, 1].map((tau) => ({ model, spec: `features=threepoint&n=${n}&tau=${tau}&solver=${solver}&diagonal=${model === "gfm" ? "kept" : "zero"}&scenario=psd${solver === "agd" ? "" : "&batches=fresh&tolerance=0"}` })))));
  const laid = layRuns(await read(title(specs.length), ...specs.map((spec, i) => line(i, spec))));
  assert.equal(laid.across, "n");
  assert.deepEqual(laid.rows[0]?.settings.map(({ key }) => key), ["model", "tau", "solver"]);
  assert.deepEqual(laid.tied.map(({ by, settings }) => [by.value, ...settings.map(({ key, value }) => `${key} ${value}`)].join()), ["gfm,diagonal kept", "ifm,diagonal zero", "agd,batches reused,tolerance 1e-12", "algorithm1,batches fresh,tolerance 0"]);
  assert.equal(laid.rows.length, 8);
  const parts = [8, 7, 3].map((most) => slices(laid, most).map(({ key, value }) => `${key} ${value}`));
  assert.deepEqual(parts, [[], ["tau 0.5", "tau 1"], []], "of numbers rather than of names, and no setting leaves three");
});

test("a median leaves out what was refused, and a share counts it as not found", () => {
  const runs = [run({ test: 1, m: 0 }), run({ test: 3, m: 0.5 }), run({ refused: "singular", test: 100, m: 0 }), run({ test: 4, m: 0.0099 })];
  assert.deepEqual((["found", "m", "test", "refused"] as const).map((of) => value(runs, of)), [0.5, 0.0099, 3, 0.25]);
  assert.ok(Number.isNaN(value([run({ refused: "singular" })], "test")));
  const diverged = run({ test: Number.NaN, m: Number.NaN });
  assert.equal(value([run({ m: 0.1 }), diverged, run({ m: 0.2 })], "m"), 0.2, "what diverged is worse than all others");
  assert.equal(value([run({ m: 0.1 }), diverged, diverged], "m"), Number.POSITIVE_INFINITY);
  assert.ok(Number.isNaN(value([run({ m: Number.NaN })], "m")), "a table has no truth");
});
