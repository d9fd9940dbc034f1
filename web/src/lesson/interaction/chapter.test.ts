import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../text/phrase.js";
import { matrix, runOf, track } from "../chapter/tracks.test.js";
import { answer, interaction, read } from "./chapter.js";

const settings = { scenario: "mixed", k: 2, rank: 1, n: 10000, test: 10000, noise: 0, iterations: 10, seed: 1 } as const;
const theory = { secondOrder: 2, sd: 3, floor: 0, tau: new Float64Array() };

/** The answer where the plane leaves so much of the product's variance. */
const left = (share: number, change: Partial<Record<"n" | "test" | "noise", number>> = {}) =>
  answer(read(runOf({ ...settings, ...change }, [track({}), track({ theory, started: { ridge: 2 * Math.sqrt(share) } as never })])));

test("a plane explains nothing, half or all of a product, by the variance that it leaves", () => {
  assert.deepEqual([1, 0.99, 0.5, 0.05].map((share) => left(share)), ["nothing", "nothing", "half", "all"]);
  assert.deepEqual([0.85, 0.15].map((share) => left(share)), [null, null], "between the answers");
});

test("few rows decide nothing, and noise is not held against the plane", () => {
  assert.equal(left(1, { test: 100, n: 50 }), null);
  const ridge = Math.hypot(2, 0.1 * theory.sd);
  const run = runOf({ ...settings, noise: 0.1 }, [track({}), track({ theory, started: { ridge } as never })]);
  assert.ok(Math.abs(read(run).explained) < 1e-12);
});

test("what is told are the plane and both models, with why, or that chance drowns it", () => {
  const [fm, ifm] = [0.01, 0.02].map((rmse) => ({ test: [rmse], interaction: matrix(2, [0, 2, 2, 0]) }));
  const told = (change: object) => plain(interaction.told(read(runOf({ ...settings, ...change }, [track({ ...fm }), track({ ...ifm, theory, truth: matrix(2, [0, 2, 2, 0]), started: { ridge: 2 } as never })])), ""));
  assert.match(told({}), /^The sd of y is 3, that of its product alone 2\. The plane .* leaves a test RMSE of 2: it explains 0 % of .* one slope for both\. FM ends at 0\.0100 with m = 2 and iFM ends at 0\.0200 with m = 2; the true m is 2\. .* FM’s m = 2u₁u₂ can have either sign/);
  assert.match(told({ noise: 2, n: 20, test: 100 }), /chance is too large to tell/);
});
