import assert from "node:assert/strict";
import { test } from "node:test";
import { runOf, track } from "../chapter/tracks.test.js";
import { answer, read } from "./chapter.js";

const settings = { scenario: "mixed", k: 2, rank: 1, n: 10000, test: 10000, noise: 0, iterations: 10, seed: 1 } as const;
const theory = { secondOrder: 2, sd: 3, floor: 0, tau: new Float64Array() };

/** The answer where the plane leaves so much of the product's variance. */
const left = (share: number, change: Partial<Record<"n" | "test" | "noise", number>> = {}) =>
  answer(read(runOf({ ...settings, ...change }, [track({}), track({ theory, started: { ridge: 2 * Math.sqrt(share) } as never })])));

test("a plane explains nothing, half or all of a product, by the variance that it leaves; few rows decide nothing", () => {
  assert.deepEqual([1, 0.99, 0.5, 0.05].map((share) => left(share)), ["nothing", "nothing", "half", "all"]);
  assert.deepEqual([0.85, 0.15].map((share) => left(share)), [null, null], "between the answers");
  assert.equal(left(1, { test: 100, n: 50 }), null);
  const run = runOf({ ...settings, noise: 0.1 }, [track({}), track({ theory, started: { ridge: Math.hypot(2, 0.1 * theory.sd) } as never })]);
  assert.ok(Math.abs(read(run).explained) < 1e-12);
});
