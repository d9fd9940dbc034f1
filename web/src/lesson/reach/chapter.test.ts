import assert from "node:assert/strict";
import { test } from "node:test";
import { matrix, runOf, track } from "../chapter/tracks.test.js";
import { answer, read } from "./chapter.js";

const D = 3; // whose columns have a variance of 1/d

/** FM's path through these pairs, with ‖u‖ = size there. */
const path = (steps: readonly (readonly [m12: number, m13: number, m23: number, size: number])[]) =>
  steps.map(([a, b, c, size]) => matrix(D, [0, D * a, D * b, 0, 0, D * c, 0, 0, 0], [D * size ** 2]));

const go = (truth: readonly [number, number, number], steps: Parameters<typeof path>[0]) => {
  const [m12, m13, m23] = truth;
  return answer(read(runOf({ m12, m13, m23, n: 10, test: 10, iterations: 2, seed: 1 }, [track({ path: path(steps) }), track({})])));
};

test("no number for each feature gives signs that multiply to −; pairs and sizes are those of one standard deviation of both columns", () => {
  const end = [[0, 0, 0, 1], [0.9, 0.7, 0.01, 2]] as const;
  const truths = [[0.9, 0.7, -0.5], [0.9, 0.7, 0.5], [-0.9, -0.7, 0.5], [0.9, 0.7, 0]] as const; // FM has not learned the third, and 0 has no sign
  assert.deepEqual(truths.map((truth) => go(truth, end)), ["never", "yes", null, null]);
  const { paths } = read(runOf({ m12: 0, m13: 0, m23: 0, n: 10, test: 10, iterations: 1, seed: 1 }, [track({ path: path([[0.25, -0.5, 0.75, 2]]) }), track({ path: [matrix(D, [0, 3, 0, 0, 0, 0, 0, 0, 0], [6, -6])] })]));
  assert.deepEqual(paths.fm, { points: [[0.25, -0.5, 0.75]], sizes: [2] });
  assert.deepEqual(paths.ifm, { points: [[1, 0, 0]], sizes: [2] });
});
