import assert from "node:assert/strict";
import { test } from "node:test";

import type { Point } from "../../engine/protocol.js";
import { plain } from "../../text/phrase.js";
import type { Track } from "../chapter/runner.js";
import { failed, runOf, settingsOf, track } from "../chapter/tracks.test.js";
import { samples } from "./chapter.js";
import { edge, free, lines, type Cliff } from "./cliffs.js";

const [found, missed] = [0, 0.5].map((errorM) => track({ test: [0], errorW: [0], errorM: [errorM] })) as [Track, Track];

/** A map with a trial of each cell: its rows from the lowest rank, or τ, up. */
function map(own: string, rows: readonly number[], ratios: readonly number[], cells: readonly (readonly Track[])[]): ReturnType<typeof samples.read> {
  const tau = own.includes("sweep=tau");
  const points = rows.flatMap((row) => ratios.map((ratio): Point => ({ query: "", ratio, n: ratio * 10 * (tau ? 2 : row), clipped: false, k: tau ? 2 : row, tau: tau ? row : 2 })));
  return samples.read(runOf(settingsOf(samples, `${own}&d=10&trials=1&ratios=${ratios.join()}&${tau ? "taus" : "ks"}=${rows.join()}`), cells.flat(), points));
}

test("the answer compares n ÷ dk at the lowest and the highest rank, and the rows for each free number are told", () => {
  const free = (k: number): number => 10 * k - (k * (k - 1)) / 2 + 10 + 1;
  for (const [answer, low, high] of [["falls", 4, 1.5], ["stays", 2, 2], ["rises", 1, 1.5]] as const) {
    const ratios = [1, 1.5, 2, 4];
    const numbers = map("", [1, 4], ratios, [low, high].map((first) => ratios.map((ratio) => (ratio < first ? missed : found))));
    assert.equal(samples.answer(numbers), answer);
    const says = samples.told(numbers, "");
    const values = says.flatMap((piece) => (typeof piece === "string" ? [] : [piece.value]));
    for (const each of [(low * 10) / free(1), (high * 40) / free(4)]) assert.ok(values.includes(each), `${plain(says)} has ${each}`);
    assert.match(plain(says), new RegExp(`for k = 1 from n = ${low} dk on and for k = 4 from n = ${high} dk on`));
  }
});

test("refusals count as missed, and a map over τ decides nothing", () => {
  const numbers = map("sweep=tau&features=threepoint", [0, 2], [6, 8], [[failed("SingularMomentError"), failed("DivergedError")], [failed("ShapeError"), found]]);
  assert.deepEqual(numbers.grid.cells.map(({ over, valid, successes }) => [over, valid, successes]), [[1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1]]);
  assert.equal(samples.answer(numbers), null, "τ is no rank");
  assert.equal(plain(samples.told(numbers, "")), "The truth is found in every trial for τ = 0 nowhere on this map and for τ = 2 from n = 8 dk on. 1 run was refused, because τ is too small to divide by, and 1 run diverged; they count as not found.");
});

test("Algorithm 1 has the rows that it needs, and is offered to the models that it fits", () => {
  const initial = settingsOf(samples, "model=gfm");
  const algorithm = samples.adjust?.({ ...initial, solver: "algorithm1" }, initial, "solver");
  assert.deepEqual([algorithm?.ratios, algorithm?.iterations], [[6, 12, 24, 48, 96], 100]);
  const fm = algorithm && samples.adjust?.({ ...algorithm, model: "fm" }, algorithm, "model");
  assert.deepEqual([fm?.solver, fm?.ratios], ["gauss-newton", initial.ratios]);
  const offers = (model: "fm" | "gfm"): boolean => JSON.stringify(samples.inputs?.({ ...initial, model })).includes("algorithm1");
  assert.deepEqual([offers("fm"), offers("gfm")], [false, true]);
  assert.deepEqual(samples.inputs?.(initial).map(({ key }) => key).filter((key) => ["taus", "ks", "k"].includes(key)), ["ks"], "a map of ranks has no τ");
});

/** The rank of a matrix: how many of its rows are no sums of those before. */
function rankOf(rows: readonly (readonly number[])[]): number {
  const basis: (readonly number[])[] = [];
  for (const row of rows) {
    const along = (v: readonly number[], b: readonly number[]): number => v.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
    const left = basis.reduce((v, b) => v.map((x, i) => x - along(v, b) * (b[i] ?? 0)), row);
    const size = Math.hypot(...left);
    if (size > 1e-9) basis.push(left.map((x) => x / size)); // numbers here are of order 1
  }
  return basis.length;
}

test("the free numbers of M are the directions that its factors can move it in, at most its places", () => {
  for (const [d, r] of [[5, 1], [6, 2], [7, 3], [4, 4]] as const) {
    const at = (i: number, f: number): number => Math.sin(1 + 3 * i + 7 * f + i * f); // any numbers without a pattern
    const sign = (f: number): number => (f % 2 === 0 ? 1 : -1);
    const moved = (i: number, f: number): number[] => Array.from({ length: d * d }, (_, at_) => sign(f) * ((Math.floor(at_ / d) === i ? at(at_ % d, f) : 0) + (at_ % d === i ? at(Math.floor(at_ / d), f) : 0)));
    const directions = Array.from({ length: d * r }, (_, j) => moved(j % d, Math.floor(j / d)));
    assert.equal(free(d, r, { truth: "orthonormal", scenario: "mixed", diagonal: "kept" }), rankOf(directions) + d + 1, `d = ${d}, rank ${r}`);
  }
  assert.equal(free(24, 2, { truth: "gaussian", scenario: "mixed", diagonal: "zero" }), free(24, 4, { truth: "orthonormal", scenario: "mixed", diagonal: "zero" }));
  assert.equal(free(24, 2, { truth: "gaussian", scenario: "psd", diagonal: "zero" }), 24 * 2 - 1 + 24 + 1);
  assert.equal(free(4, 4, { truth: "orthonormal", scenario: "psd", diagonal: "zero" }), 6 + 4 + 1);
});

test("an edge is where the last miss ends, and rows like k²d go through the first", () => {
  const one: Cliff = { name: "k = 1", k: 1, d: 10, unit: 10, n: [10, 20, 30], share: [0, 0.5, 1] };
  const two: Cliff = { name: "k = 2", k: 2, d: 20, unit: 20, n: [20, 40, 60], share: [1, 0.5, 1] };
  assert.equal(edge(one), 30);
  assert.equal(edge(two), 60);
  assert.ok(Number.isNaN(edge({ ...one, share: [0, 0, 0] })));
  const drawn = lines([one, two], (name) => `bound, ${name}`, true);
  assert.deepEqual(drawn.map(({ name, x }) => [name, ...x]), [["k = 1", 1, 2, 3], ["k = 2", 1, 2, 3], ["bound, k = 2", 12, 12]]);
  assert.equal(lines([one, two], String, false).length, 2);
  const many = lines(Array.from({ length: 8 }, () => one), String, false).map(({ dash, symbol }) => `${symbol} ${dash}`);
  assert.deepEqual([new Set(many).size, many[6], many[7]], [6, many[0], many[1]], "after six lines their looks begin again");
  assert.deepEqual(many.slice(2, 5).map((look) => look.split(" ")[0]), ["triangle", "circle", "square"]);
});
