import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../text/phrase.js";
import { runOf, track } from "../chapter/tracks.test.js";
import { psd } from "./chapter.js";

const settings = { d: 4, k: 1, rows: 10, test: 10, trials: 1, iterations: 2, solver: "agd", starts: [1], seed: 1 } as const;
const SD = 2; // of the second-order part

/** One trial, by where each run ends: FM and iFM on (a), on (b) and on (c). */
const read = (ends: readonly number[], change: Partial<typeof settings> = {}) =>
  psd.read(runOf({ ...settings, ...change }, ends.map((end) => track({ theory: { secondOrder: SD, sd: 3, floor: 0, tau: new Float64Array() }, test: [3, 2, SD * end] }))));

test("on the flipped truth FM is stuck, worse or as good, where it has learnt the truth before", () => {
  assert.equal(psd.answer(read([0.1, 0, 0.95, 0, 0.7, 0])), "stuck");
  assert.equal(psd.answer(read([0.1, 0, 0.5, 0, 0.7, 0])), "worse");
  assert.equal(psd.answer(read([0.1, 0, 0.2, 0, 0.7, 0])), "same");
  assert.equal(psd.answer(read([0.8, 0, 0.95, 0, 0.7, 0])), null);
  assert.equal(psd.answer(read([])), null);
});

test("FM's first two runs answer by themselves, and their reason leaves iFM out", () => {
  const few = read([0.1, Number.NaN, 0.95]);
  assert.equal(psd.answer(few), "stuck");
  assert.equal(plain(psd.reason?.(few) ?? []), "FM’s test RMSE ends at 0.100 of a linear model’s for y, and at 0.950 of it for −y.");
  const first = psd.smallest?.(runOf({ ...settings, trials: 3 }, []));
  assert.deepEqual([first?.runs, first?.trials, [0, 1, 2, 3].map((run) => first?.needed?.(run))], [4, 3, [true, false, true, false]]);
});

test("what is told are the ends, that iFM's curves are the same, and what ended above a linear model", () => {
  const text = plain(psd.told(read([0.1, 0.02, 0.95, 0.02, 0.7, 0.01]), "linear"));
  assert.match(text, /^Let 1 be what is left without interactions\. FM ends at 0\.100 in \(a\), at 0\.950 in \(b\) and at 0\.700 in \(c\)\. iFM ends at 0\.0200 in \(b\) .* same bit for bit/);
  assert.doesNotMatch(plain(psd.told(read([0.1, 0.02, 0.95, 0.03, 0.7, 0.01]), "linear")), /bit for bit/);
  const above = plain(psd.told(read([0.8, 0.02, 1.5, 0.02, 1.2, 0.01]), "linear"));
  assert.match(above, /^FM in \(b\) and FM in \(c\) end above 1, worse than with no interactions at all: 40 training rows are too few\. FM does not learn \(a\) either/);
});
