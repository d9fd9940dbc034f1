import assert from "node:assert/strict";
import { test } from "node:test";

import { plain } from "../../text/phrase.js";
import { runOf, track } from "../chapter/tracks.test.js";
import { algorithm } from "./chapter.js";
import { angles, model, products, stopOf, trace } from "./stops.js";

const settings = { d: 10, k: 3, rows: 60, iterations: 6, features: "gaussian", tau: 1, batches: "fresh", moments: "estimated", inverse: "refuse", ranks: [1], seed: 1 } as const;
const error = { kind: "SingularMomentError", message: "", file: "", line: 0, column: 0, field: "", found: "" };

/** A run whose error of M is multiplied by so much in each iteration, after the first. */
const course = (begins: number, first: number, factor: number, floor = 0) => {
  const errorM = [begins, ...Array.from({ length: settings.iterations }, (_, i) => first * factor ** i)];
  return track({ iteration: errorM.map((_, i) => i), errorW: errorM.map(() => 0), errorM, test: errorM, theory: { secondOrder: 1, sd: 1, floor, tau: new Float64Array() } });
};

const gfm = course(1, 0.5, 0.2);
const ifm = course(1, 0.3, 0.4, 0.39);
const run = (printed: ReturnType<typeof course>, change: Partial<typeof settings> = {}) => algorithm.read(runOf({ ...settings, ...change }, [printed, gfm, course(1, 0.3, 0.2), ifm]));
const told = (numbers: ReturnType<typeof run>) => plain(algorithm.told(numbers, ""));

test("as printed the error grows, stays or shrinks, or leaves all numbers; runs that are refused for their moments are results", () => {
  assert.deepEqual([1.5, 1, 0.5].map((factor) => algorithm.answer(run(course(1, factor, factor)))), ["grows", "stays", "shrinks"]);
  const lost = run(track({ errorW: [0], errorM: [1], test: [Number.NaN] }));
  assert.equal(algorithm.answer(lost), "grows");
  assert.match(told(lost), /^As printed, it diverges\. Corrected, gFM multiplies its error by 0\.200 an iteration\. The theorem .* × √\(n ÷ kd\) .*; here it is 1\.55\./);
  assert.equal(algorithm.answer(algorithm.read(runOf(settings, []))), null);
  const refused = track({ error, done: false });
  const numbers = algorithm.read(runOf({ ...settings, features: "slider", tau: 0 } as const, [refused, refused, refused, ifm]));
  assert.equal(algorithm.answer(numbers), null);
  assert.match(told(numbers), /^3 of gFM’s 3 runs were refused, because τ is too small to divide by\./);
});

const near = (found: readonly number[], wanted: readonly number[]): void => {
  assert.equal(found.length, wanted.length);
  found.forEach((value, i) => assert.ok(Math.abs(value - (wanted[i] ?? Number.NaN)) < 1e-12, `${found}`));
};

test("the model is the symmetric part of QVᵀ, and QR is told by R = QᵀU and by the lengths and angles of what it takes apart", () => {
  near(model({ d: 2, k: 2, q: new Float64Array([1, 0, 2, 5]), v: new Float64Array([3, 4, 6, 7]) }), [3, 16, 16, 47]);
  const q = [0.6, -0.8, 0.8, 0.6, 0, 0];
  const u = [3, -1, 4, 7, 0, 0]; // q times [[5, 5], [0, 5]]
  near(products(q, u, 3, 2), [5, 5, 0, 5]);
  const { lengths, cosine } = angles(u, 3, 2);
  near(lengths, [5, Math.sqrt(50)]);
  near([cosine], [25 / (5 * Math.sqrt(50))]);
});

test("each step shows three matrices, and the correction says what is left on the diagonal", () => {
  const matrices = {
    d: 2, k: 1, iteration: 1, mean: -3,
    truth: new Float64Array([2, 0, 0, 1]), h: new Float64Array([-3.5, 0, 0, -2.5]), m: new Float64Array([-3.5, 0, 0, -2.5]),
    u: new Float64Array([3.5, 0]), q: new Float64Array([1, 0]), v: new Float64Array([3.5, 0]),
  };
  const walked = { matrices, before: [0, 0, 0, 0], errors: [1, 2] } as const;
  const estimate = stopOf(walked, "printed", "estimate");
  near(estimate.maps[0]?.values ?? [], [-2, 0, 0, -1]);
  near(estimate.maps[2]?.values ?? [], [-1.5, 0, 0, -1.5]);
  assert.match(plain(stopOf(walked, "printed", "correct").told), /Half the mean of r, −1\.50, stays: the diagonal is off by −1\.50 on average/);
  const update = stopOf(walked, "printed", "update");
  near(update.maps[2]?.values ?? [], [1.5, 0, 0, -1]);
  assert.equal(trace([...(update.maps[2]?.values ?? [])], 2), 0.5);
  assert.match(plain(update.told), /M was off by 1 of its size; now it is off by 2\. The error of its trace goes from −3 to 0\.500\. Without the missing term .* −k\/2 = −0\.500\.$/);
  assert.match(plain(stopOf(walked, "printed", "orthogonalise").told), /the lengths 3\.5, and the largest cosine between two is 0\./);
  for (const stage of ["estimate", "correct", "orthogonalise", "update"] as const) assert.equal(stopOf(walked, "algorithm1", stage).maps.length, 3);
});
