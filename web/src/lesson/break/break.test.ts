// What the chapter makes of a painted matrix before the engine sees it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { parsed, type Chapter } from "../chapter/definition.js";
import { runOf } from "../chapter/tracks.test.js";
import { EngineFailure, stopped } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { Contest } from "../../engine/protocol.js";
import { answer, breaking, read as read_ } from "./chapter.js";
import { Contests, tallied } from "./contests.js";
import { levels, reached, starts } from "./levels.js";
import { short } from "./map.js";
import { bent, changed, FEATURES, frustrated, index, places, read, write } from "./pairs.js";

const contest = (pairs: readonly number[], score: number): Contest => {
  const fit = { pairs: Float64Array.from(pairs), rmse: 0, share: 0, hidden: new Int32Array() };
  return { d: FEATURES, rmse: 0, pairs: Float64Array.from(pairs), eigenvalues: new Float64Array(FEATURES), vectors: new Float64Array(FEATURES ** 2), fm: fit, ifm: fit, score };
};

test("a link's matrix is read as core/spec reads it, and as it is written; a long text that is none is one short fault", () => {
  const cases = JSON.parse(readFileSync(new URL("../../../../core/spec/testdata/break.json", import.meta.url), "utf8")) as { m: string; pairs: number[] | null }[];
  for (const { m, pairs } of cases) assert.deepEqual(read(m), pairs, m);
  for (const pairs of Object.values(starts)) assert.deepEqual(read(write(pairs)), pairs);
  const { values, notices } = parsed(breaking as unknown as Chapter, `m=NaN${",1e400".repeat(200)}`);
  assert.equal((values as unknown as { m: string }).m, write(starts.pair));
  assert.deepEqual(notices.map(({ key }) => key), ["m"]);
  assert.ok((notices[0]?.message.length ?? 999) < 200);
});

test("a pair stands in one place, whichever feature is named first, and its cell has no zero before a point", () => {
  assert.deepEqual(places.map(([i, j]) => index(j, i)), places.map((_, at) => at));
  assert.equal(index(2, 2), -1);
  assert.deepEqual(changed([0, 0], 1, 1.7), [0, 1]);
  assert.deepEqual(changed([0, 0], 0, -0.30000000000000004), [-0.3, 0]);
  assert.deepEqual([-0.667, 0.5, 0, -0.001, -1, 1.06, -1.004].map(short), ["−.7", ".5", "0", "0", "−1", "1.1", "−1"]);
});

test("three features are frustrated where their signs multiply to minus, and a level asks for its signs as well as for its score", () => {
  const triangles = [starts.triangle, starts.pair, starts.rank, changed(starts.rank, index(1, 3), -1)];
  assert.deepEqual(triangles.map(frustrated), [[0, 1, 2], null, null, [0, 1, 3]]);
  for (const level of levels) assert.equal(reached(level, contest(starts[level], 1)), false, level);
  const negative = starts.rank.map((v) => -v);
  const all = (pairs: readonly number[], score: number): string[] => levels.filter((level) => reached(level, contest(pairs, score)));
  assert.deepEqual([all(negative, 60), all(negative, 59.9)], [["rank"], []], "fifteen are painted and negative");
  assert.deepEqual([all(starts.pair, 2), all(starts.triangle, 10), all(starts.positive, 10)].map((names) => names[0]), ["pair", "triangle", "positive"]);
});

test("eigenvalues and their vectors make the matrix again, without its diagonal and held to 1", () => {
  const axes = Array.from({ length: FEATURES ** 2 }, (_, at) => (at % (FEATURES + 1) === 0 ? 1 : 0));
  assert.deepEqual(bent([3, 2, 1, 0, -1, -2], axes), { pairs: places.map(() => 0), held: false });
  const all = Array.from({ length: FEATURES ** 2 }, (_, at) => (at < FEATURES ? 1 / Math.sqrt(FEATURES) : 0));
  assert.deepEqual(bent([3, 0, 0, 0, 0, 0], all), { pairs: places.map(() => 0.5), held: false });
  assert.deepEqual(bent([12, 0, 0, 0, 0, 0], all), { pairs: places.map(() => 1), held: true });
});

test("the model that is ahead on more than half of the matrices is the answer; within 1 % neither is", () => {
  const run = (drawn: readonly number[]) => read_(runOf({ m: "", draws: 10, seed: 1 }, [], { drawn, of: drawn.length, painted: null }));
  assert.deepEqual(tallied([2, 1.005, 0.5, 3]), { ifm: 2, fm: 1, level: 1, median: (2 + 1.005) / 2, most: 3 });
  const draws = [[2, 3, 0.5], [0.5, 0.4, 2], [2, 0.5], []];
  assert.deepEqual(draws.map((scores) => answer(run(scores))), ["ifm", "fm", "alike", null]);
  assert.deepEqual(draws.map((scores) => breaking.explains?.(run(scores)).length), [0, 1, 1, 0], "that chance hardly breaks FM is told where it has not");
});

test("a matrix whose fit failed is fitted when it is asked for again, and a drawn one hides no error", async () => {
  let up = false;
  const call = (): Promise<Contest> => (up ? Promise.resolve(contest(starts.pair, 1)) : Promise.reject(new EngineFailure(stopped())));
  const contests = new Contests({ call } as unknown as Pool, () => undefined);
  await contests.fit(starts.pair);
  assert.deepEqual([contests.trouble?.kind, contests.painted], ["Stopped", null]);
  up = true;
  await contests.drawn(1, 0);
  assert.equal(contests.trouble?.kind, "Stopped");
  await contests.fit(starts.pair);
  assert.deepEqual([contests.trouble, contests.painted?.score], [null, 1]);
});
