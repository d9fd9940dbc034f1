import assert from "node:assert/strict";
import { test } from "node:test";

import { plain } from "../text/phrase.js";
import { line, trial } from "../training/results.test.js";
import type { Model } from "../training/series.js";
import { conclusion } from "./verdict.js";

const whole = trial({ mean: 2, ridge: 2 }); // a linear model's error

/** A run that has ended with these shares of it. */
function ended(errors: Partial<Record<Model, number>>, rose = 0): Parameters<typeof conclusion>[0] {
  const lines = Object.entries(errors).map(([model, share]) => line(model as Model, 2 * share, { error: [2, 2 * share], rose }));
  return { lines, trials: [whole] };
}

const flipped = { scenario: "flipped", noise: 0, numbers: "rank", solver: "default" } as const;
const says = (errors: Partial<Record<Model, number>>, change: Partial<Parameters<typeof conclusion>[1]> = {}): string => plain(conclusion(ended(errors), { ...flipped, ...change }));

test("a verdict says what either model removes of a linear model's error, with equal parameters what FM still leaves", () => {
  assert.equal(says({ fm: 0.826, ifm: 0.003 }), "When signs clash, FM removes 17 % of the error, iFM all.");
  assert.equal(says({ fm: 0.48, ifm: 0.1 }, { scenario: "mixed" }), "With both signs, FM removes 52 % of the error, iFM 90 %.");
  assert.equal(says({ fm: 1e-17, ifm: 0.002 }, { scenario: "psd" }), "When signs agree, both models learn everything.");
  assert.equal(says({ fm: 1.12, ifm: 0.4 }), "When signs clash, FM adds 12 % of the error, iFM removes 60 %.");
  assert.equal(says({ fm: 0.69, ifm: 0.003 }, { numbers: "equal" }), "With equal parameters FM still leaves 69 %, iFM < 1 %.");
  assert.equal(says({ fm: 1e-6, ifm: 0 }, { numbers: "equal" }), "With equal parameters both models learn everything.");
});

test("a run on its way is told by its last error, and by no more than a linear model's, and without an error to measure by nothing is said", () => {
  const run = ended({ fm: 0.9, ifm: 0.9 });
  const now = (...error: number[]): string => plain(conclusion({ ...run, lines: run.lines.map((line) => ({ ...line, done: false, error })) }, flipped));
  assert.equal(now(6, 0.8, 1), "When signs clash, FM removes 50 % of the error, iFM 50 %.");
  assert.equal(now(1, 6), "When signs clash, FM removes 0 % of the error, iFM 0 %.");
  assert.deepEqual(conclusion({ lines: [], trials: [] }, flipped), []);
  for (const trials of [[], [trial({ ridge: 0 })]]) assert.deepEqual(conclusion({ ...ended({ fm: 1 }), trials }, flipped), []);
});

test("it says what noise alone makes, over how many trials, that a model diverged or why it stopped, and of three models what each leaves", () => {
  assert.match(says({ fm: 0.9, ifm: 0.6 }, { noise: 0.5 }), /iFM 40 %\. 45 % is noise, which no model removes\.$/);
  assert.match(plain(conclusion({ ...ended({ fm: 0.9, ifm: 0 }), trials: [whole, whole] }, flipped)), /Means over 2 trials\.$/);
  assert.match(plain(conclusion(ended({ fm: 9, ifm: 0 }, 4), flipped)), /FM diverged: its loss has risen since iteration 4\./);
  assert.equal(says({ fm: 0.8, gfm: 0.3, ifm: 0 }), "When signs clash, FM leaves 80 %, gFM leaves 30 % and iFM leaves 0 % of a straight-line fit’s error.");
  const run = ended({ fm: 0.9, ifm: 0 });
  const lines = run.lines.map((line) => ({ ...line, stops: ["it was exact"] }));
  assert.match(plain(conclusion({ ...run, lines }, { ...flipped, solver: "gauss-newton" })), /FM stopped: it was exact\. iFM stopped: it was exact\.$/);
  assert.doesNotMatch(plain(conclusion({ ...run, lines }, flipped)), /stopped/);
});
