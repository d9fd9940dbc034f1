import assert from "node:assert/strict";
import { test } from "node:test";
import { matrix, runOf, track } from "../chapter/tracks.test.js";
import { answer, read } from "./chapter.js";

const settings = { d: 8, k: 2, ranks: [1, 4, 8], n: 100, test: 100, noise: 0, solver: "agd", iterations: 10, seed: 1 } as const;
const theory = { secondOrder: 2, sd: 2, floor: 0, tau: new Float64Array() };

/** FM ends at these shares at ranks 2, 1, 4, 8, iFM at 0 at ranks 1, 2, 8. */
const run = (fm: readonly number[], eigenvalues: readonly number[]) =>
  runOf(settings, [
    track({ theory, truth: matrix(1, [0], eigenvalues), test: [2 * (fm[0] ?? 0)], errorM: [0.3] }),
    track({ test: [0], errorM: [0] }), // iFM at rank 1, the other that is shown
    ...fm.slice(1).map((left) => track({ test: [2 * left], errorM: [0.1] })),
    ...[2, 8].map(() => track({ test: [0], errorM: [0] })),
  ]);

test("the answer counts the true eigenvalues that FM matches, above zero and below", () => {
  const asked = (wanted: readonly number[], found: readonly number[]): string | null => {
    const { tracks } = run([0.9, 1, 0.01, 0], wanted);
    return answer(read(runOf(settings, tracks.map((one, i) => (i === 0 ? track({ ...one, interaction: matrix(1, [0], found) }) : one)))));
  };
  const found = [[9, 2.1, 0.9], [2, 1, -1.5], [9, 5, 4], [9, 5, 2]]; // the last has one of two above zero
  assert.deepEqual(found.map((one) => asked([2, 1, -1.5], one)), ["above", "all", "none", null]);
  assert.equal(asked([2, 1, -0.001], [2, 1]), null, "a truth without a negative eigenvalue asks nothing");
});
