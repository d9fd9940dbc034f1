import assert from "node:assert/strict";
import { test } from "node:test";
import { runOf, track, values } from "../chapter/tracks.test.js";
import { psd } from "./chapter.js";

const settings = { d: 4, k: 1, rows: 10, test: 10, trials: 1, iterations: 2, solver: "agd", starts: [1], seed: 1 } as const;
const SD = 2; // of the second-order part

/** One trial, by where each run ends: FM and iFM on (a), on (b) and on (c). */
const read = (ends: readonly number[], change: Partial<typeof settings> = {}) =>
  psd.read(runOf({ ...settings, ...change }, ends.map((end) => track({ theory: { secondOrder: SD, sd: 3, floor: 0, tau: new Float64Array() }, test: [3, 2, SD * end] }))));

test("on the flipped truth FM is stuck, worse or as good, where it has learnt the truth before, also without iFM's runs", () => {
  const of = (before: number, flipped: number): string | null => psd.answer(read([before, 0, flipped, 0, 0.7, 0]));
  assert.deepEqual([of(0.1, 0.95), of(0.1, 0.5), of(0.1, 0.2), of(0.8, 0.95), psd.answer(read([]))], ["stuck", "worse", "same", null, null]);
  const few = read([0.1, Number.NaN, 0.95]);
  assert.equal(psd.answer(few), "stuck");
  assert.deepEqual(values(psd.reason?.(few) ?? []), [0.95, 0.1]);
  assert.deepEqual(psd.first?.({ ...settings, rows: 30, test: 10000, trials: 10, iterations: 100 }), { ...settings, rows: 10, test: 1000, trials: 1, iterations: 40 });
  assert.deepEqual(psd.first?.(settings), settings, "nothing is made larger");
});
