import assert from "node:assert/strict";
import { test } from "node:test";

import { plain } from "../../text/phrase.js";
import { angles, model, products, stopOf, trace } from "./stops.js";

const near = (found: readonly number[], wanted: readonly number[]): void => {
  assert.equal(found.length, wanted.length);
  found.forEach((value, i) => assert.ok(Math.abs(value - (wanted[i] ?? Number.NaN)) < 1e-12, `${found}`));
};

test("the model is the symmetric part of QVᵀ", () => {
  near(model({ d: 2, k: 2, q: new Float64Array([1, 0, 2, 5]), v: new Float64Array([3, 4, 6, 7]) }), [3, 16, 16, 47]);
});

test("QR is told by R = QᵀU, and by the lengths and angles of what it takes apart", () => {
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
  for (const stage of ["estimate", "correct", "orthogonalise", "update"] as const) assert.equal(stopOf(walked, "algorithm1", stage).maps.length, 3);
});
