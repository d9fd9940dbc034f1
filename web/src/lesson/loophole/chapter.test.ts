import assert from "node:assert/strict";
import { test } from "node:test";

import type { Track } from "../chapter/runner.js";
import { matrix, runOf, track, values } from "../chapter/tracks.test.js";
import { loophole, read } from "./chapter.js";

const names = ["x1", "x2", "x3", "x4"];
const row = [0, -2, 1, -1]; // of x1
const truth = { ...matrix(4, [...row, -2, 0, 3, 1, 1, 3, 0, -1, -1, 1, -1, 0]), names };
const settings = { d: 4, k: 2, n: 400, test: 200, noise: 0, solver: "agd", iterations: 300, seed: 1 } as const;

/** FM of one column: c at x1, and a share of the row of x1 divided by c elsewhere. */
function file(c: number, share: number): Track["model"] {
  const u = row.map((v, i) => [i === 0 ? c : (share * v) / c]);
  return { name: "", bytes: new TextEncoder().encode(JSON.stringify({ u, target: { scale: 1 }, features: names.map(() => ({ scale: 1 })) })) } as Track["model"];
}

/** Runs on 4 columns that end at these test errors: of FM with ranks 1 to 4, of iFM with ranks 1 and 2. */
function run(share: number, ends: readonly number[]): Parameters<typeof read>[0] {
  const first = { truth, theory: { secondOrder: 1, sd: 2 } as Track["theory"] };
  return runOf(settings, ends.map((end, i) => track({ test: [1, end], errorM: [0.5], model: i < 4 ? file(10, share) : null, ...(i === 0 ? first : {}) })));
}

test("FM of rank 1 has copied a row, part of it or nothing, and what is told is that row, the diagonal entry, and the ranks at which the bias is over", () => {
  assert.deepEqual([1, 0.5, 0].map((share) => loophole.answer(read(run(share, [0.5, 0.2, 0.01, 0, 0.1, 0])))), ["all", "some", "none"]);
  assert.equal(loophole.answer(read(run(1, []))), null);
  assert.deepEqual(values(loophole.told(read(run(1, [0.5, 0.2, 0.01, 0.0001, 0.1, 0])), "")).slice(1), [50, 0.5, 0.01, 0]);
  assert.deepEqual(values(loophole.told(read(run(0, [0.5, 0.4, 0.3, 0.3, 0.1, 0.1])), "")), [1, 0.3]);
});
