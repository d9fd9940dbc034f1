import assert from "node:assert/strict";
import { test } from "node:test";

import { conclusion as figureSays } from "../figure/figure.js";
import { plain } from "../text/phrase.js";
import type { Predictions, Quadratic } from "../engine/protocol.js";
import { conclusion as tableSays } from "./conclusion.js";
import type { Line, Model, Trial } from "../training/series.js";
import { parse } from "../state/spec.js";
import { Measures } from "../training/measures.js";
import type { Training } from "../training/training.js";

const models: readonly Model[] = ["fm", "gfm", "ifm"];

/** What a run came to: test RMSE by whose it is, one number a trial. */
type Kept = Partial<Record<"mean" | "ridge" | "quadratic" | "trees" | Model, number | readonly number[]>>;

function training(kept: Kept, more: Partial<Training> = {}, rose = 0, why: readonly string[] = []): Training {
  const of = (whose: keyof Kept, trial: number): number => [kept[whose] ?? Number.NaN].flat()[trial] ?? Number.NaN;
  const taking = models.filter((model) => kept[model] !== undefined);
  const planned = Math.max(...Object.values(kept).map((values) => [values].flat().length));
  const trials = Array.from({ length: planned }, (_, i): Trial => ({ mean: of("mean", i), ridge: of("ridge", i), quadratic: of("quadratic", i), trees: of("trees", i), fm: of("fm", i), gfm: of("gfm", i), ifm: of("ifm", i) }));
  const lines = taking.map((model): Line => {
    const mean = trials.reduce((sum, trial) => sum + trial[model], 0) / planned;
    return { model, iteration: [], error: [], low: [], high: [], trials: planned, finished: planned, reached: mean, kept: mean, valid: mean, choice: null, candidate: 0, candidates: 1, done: true, rose, stops: why };
  });
  return {
    phase: "done", query: "", version: "", series: [], folds: [], classes: new Map(), started: null, planned, trials, lines, truth: null, matrices: new Map(), predictions: new Map(), models: new Map(), quadratic: null, trees: grown(Number.NaN), pairs: { state: "idle", seconds: 0, answers: new Map(), error: null }, intervals: { state: "idle", seconds: 0, answers: new Map(), error: null }, reason: null, logged: null, notices: [], error: null, slow: false, ghost: null, repeated: false,
    ...more,
  };
}

const figures: readonly (readonly [name: string, query: string, kept: Kept, says: string, rose?: number])[] = [
  ["FM that is stuck", "", { mean: 2, ridge: 1, fm: 0.98, ifm: 0.002 }, "FM is stuck at a test RMSE of 0.980, 2.0 % below ridge regression (1), which knows no interactions at all. iFM is down to 0.00200, 490 times smaller."],
  ["FM that explains a part", "", { mean: 2, ridge: 1, fm: 0.9, ifm: 0.05 }, "FM is stuck at a test RMSE of 0.900, 10 % below ridge regression (1), which knows no interactions at all. iFM is down to 0.0500, 18 times smaller."],
  ["FM that is above ridge", "", { mean: 2, ridge: 1, fm: 1.5, ifm: 0.05 }, "FM is stuck at a test RMSE of 1.50, 50 % above ridge regression (1), which knows no interactions at all. iFM is down to 0.0500, 30 times smaller."],
  ["FM that writes half of a truth of both signs", "scenario=mixed", { mean: 2, ridge: 1, fm: 0.5, ifm: 0.01 }, "FM stops at a test RMSE of 0.500: at this rank it can write the positive part of the truth, and not all of the negative one. iFM is down to 0.0100, 50 times smaller."],
  ["FM that is behind for another reason", "", { mean: 2, ridge: 1, fm: 0.5, ifm: 0.01 }, "FM ends at a test RMSE of 0.500. iFM is down to 0.0100, 50 times smaller."],
  ["iFM that only rounding keeps from the truth", "", { mean: 2, ridge: 1, fm: 0.98, ifm: 1.9e-9 }, "FM is stuck at a test RMSE of 0.980, 2.0 % below ridge regression (1), which knows no interactions at all. iFM is down to 1.90 × 10⁻⁹, exact but for rounding."],
  ["iFM that is a little above rounding", "", { mean: 2, ridge: 1, fm: 0.5, ifm: 2.1e-9 }, "FM ends at a test RMSE of 0.500. iFM is down to 2.10 × 10⁻⁹, 2.4 × 10⁸ times smaller."],
  ["a truth that both fit", "", { mean: 2, ridge: 1, fm: 1e-7, ifm: 2e-7 }, "Both fit the truth: FM ends at a test RMSE of 1.00 × 10⁻⁷, iFM at 2.00 × 10⁻⁷."],
  ["rows too few for the pairs", "", { mean: 2, ridge: 1, fm: 1.5, ifm: 1.2 }, "Ridge regression (1) is below both here, FM at a test RMSE of 1.50 and iFM at 1.20: the training rows are too few for so many pairs of features."],
  ["FM whose assumption holds", "scenario=psd", { mean: 2, ridge: 1, fm: 0.01, ifm: 0.2 }, "Here FM’s assumption holds, and it wins: 0.0100 against iFM’s 0.200. Now flip the sign."],
  ["FM that wins on a truth of both signs", "scenario=mixed", { mean: 2, ridge: 1, fm: 0.01, ifm: 0.2 }, "Here FM’s assumption holds, and it wins: 0.0100 against iFM’s 0.200."],
  ["FM that wins on the flipped truth", "", { mean: 2, ridge: 1, fm: 0.01, ifm: 0.2 }, "Here FM’s assumption holds, and it wins: 0.0100 against iFM’s 0.200."],
  ["two that are level", "scenario=psd", { mean: 2, ridge: 1, fm: 0.3, ifm: 0.2 }, "FM ends at a test RMSE of 0.300 and iFM at 0.200; ridge regression is at 1."],
  ["noise", "noise=0.75", { mean: 5, ridge: 4, fm: 3.2, ifm: 3.1 }, "FM ends at a test RMSE of 3.20 and iFM at 3.10; ridge regression is at 4. The noise alone makes 3, which no model can go below."],
  ["gFM beside the two", "models=fm,gfm,ifm", { mean: 2, ridge: 1, fm: 0.3, gfm: 0.4, ifm: 0.2 }, "FM ends at a test RMSE of 0.300 and iFM at 0.200; ridge regression is at 1. Beside them, gFM ends at a test RMSE of 0.400."],
  ["one model alone", "models=ifm", { mean: 2, ridge: 1, ifm: 0.2 }, "iFM ends at a test RMSE of 0.200; ridge regression is at 1 and the mean at 2."],
  ["a diagonal that is kept", "models=fm,gfm,ifm&diagonal=kept", { mean: 2, ridge: 1, fm: 0.98, gfm: 0.1, ifm: 0.2 }, "FM ends at a test RMSE of 0.980, gFM ends at a test RMSE of 0.100 and iFM ends at a test RMSE of 0.200; ridge regression is at 1 and the mean at 2."],
  ["several trials", "trials=3", { mean: [2, 2, 2], ridge: [1, 1, 1], fm: [0.3, 0.3, 0.3], ifm: [0.1, 0.4, 0.1] }, "FM ends at a test RMSE of 0.300 and iFM at 0.200; ridge regression is at 1. These are means over 3 trials; iFM is the best in 2 of them."],
  ["a loss that rose", "models=ifm", { mean: 2, ridge: 1, ifm: 3 }, "iFM ends at a test RMSE of 3; ridge regression is at 1 and the mean at 2. iFM diverged: its loss has risen since iteration 1,200.", 1200],
];

const ABOVE = "the training loss hardly falls; one more eigenvalue of each sign would lower it";

test("the figure says why the default solver stopped", () => {
  const says = (query: string): string => plain(figureSays(training({ mean: 2, ridge: 1, ifm: 0.5 }, {}, 0, [ABOVE]), parse(query).spec));
  const ends = "iFM ends at a test RMSE of 0.500; ridge regression is at 1 and the mean at 2.";
  assert.equal(says("models=ifm&solver=auto"), `${ends} Why iFM stopped: ${ABOVE}.`);
  assert.equal(says("models=ifm"), ends, "of the others, all but one end with their iterations");
});

for (const [name, query, kept, says, rose] of figures) {
  test(`the figure speaks of ${name}`, () => assert.equal(plain(figureSays(training(kept, {}, rose), parse(query).spec)), says));
}

/** Trees of one trial as they are once they have grown, or none. */
function grown(error: number, predicted: Float64Array = new Float64Array()): Training["trees"] {
  if (Number.isNaN(error)) return { state: "idle", seconds: 0, answers: new Map(), error: null };
  return { state: "done", seconds: 0, answers: new Map([[0, { grown: 90, most: 1300, done: true, trees: 40, leaves: 15, error, predicted, told: null }]]), error: null };
}

/** 60 test rows on which each errs by about its RMSE, in turn above and below; `uneven` ones in three rows alone, so that chance may explain what they are ahead or behind by. */
function rows(kept: Kept, uneven: readonly (keyof Kept)[]): Partial<Training> {
  const actual = new Float64Array(60);
  const of = (whose: keyof Kept): number => [kept[whose] ?? Number.NaN].flat()[0] ?? Number.NaN;
  const predicted = (whose: keyof Kept): Float64Array<ArrayBuffer> =>
    actual.map((_, i) => of(whose) * (i % 2 === 0 ? 1 : -1) * (uneven.includes(whose) ? (i % 20 === 0 ? Math.sqrt(20) : 0) : 1 + (i % 3) * 1e-4));
  const by = (model: Model): Predictions => ({ line: new Int32Array(60), actual, weight: new Float64Array(), predicted: predicted(model), ridge: predicted("ridge"), error: of(model) });
  const quadratic: Quadratic | null = kept.quadratic === undefined ? null : { error: of("quadratic"), lambda: 1, columns: 9, predicted: predicted("quadratic") };
  return { predictions: new Map(models.filter((model) => kept[model] !== undefined).map((model) => [model, by(model)])), quadratic, trees: grown(of("trees"), predicted("trees")) };
}

type Told = readonly [name: string, kept: Kept, says: string, uneven?: readonly (keyof Kept)[]];

const tables: readonly Told[] = [
  ["a target that its columns add up to", { mean: 8, ridge: 0.01, fm: 0.02, trees: 0.4 }, "Ridge regression predicts the target almost exactly on 60 test rows: RMSE 0.0100 against 8 for the mean. If a column is a part of the target, ignore it."],
  ["columns that say nothing", { mean: 8, ridge: 9, fm: 7.96, trees: 9 }, "On 60 test rows nothing predicts at least 1 % better than the mean (RMSE 8): FM 7.96 and ridge 9. These columns say little about the target."],
  ["columns that tell trees alone something", { mean: 8, ridge: 9, fm: 10, trees: 4 }, "On 60 test rows only boosted trees predict at least 1 % better than the mean (RMSE 8): ridge 9 and FM 10. On 60 test rows FM (RMSE 10) predicts worse than boosted trees (4)."],
  ["a model that is worse than ridge", { mean: 8, ridge: 4, ifm: 6 }, "On 60 test rows iFM (RMSE 6) predicts worse than ridge regression (4). Use ridge regression: its test error is the lowest."],
  ["a model that chance may part from ridge", { mean: 8, ridge: 4, ifm: 3.8 }, "On 60 test rows iFM (RMSE 3.80) shows no clear difference from ridge regression (4). Use ridge regression: it is simpler, and its test error is within a tenth of the lowest.", ["ifm"]],
  ["a model that chance may part from ridge, which is far behind", { mean: 8, ridge: 4, ifm: 3.5 }, "On 60 test rows iFM (RMSE 3.50) seems better than ridge regression (4). 60 test rows are too few to be sure. Use iFM: its test error is the lowest.", ["ifm"]],
  ["a model that chance may part from trees, which are far ahead", { mean: 8, ridge: 4, trees: 2.5, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (4). It seems worse than boosted trees (2.50). 60 test rows are too few to be sure. Use boosted trees: their test error is the lowest.", ["trees"]],
  ["a model that is better than ridge", { mean: 8, ridge: 4, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (4)."],
  ["a model that is a little better than ridge, beyond chance", { mean: 8, ridge: 3.2, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (3.20)."],
  ["a model that is worse than ridge, and ridge than products", { mean: 8, ridge: 4, quadratic: 3, ifm: 6 }, "On 60 test rows iFM (RMSE 6) predicts worse than ridge regression (4) and quadratic ridge (3). Use quadratic ridge: its test error is the lowest."],
  ["products that are better than factors, of which chance may part ridge", { mean: 8, ridge: 3.1, quadratic: 2, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts worse than quadratic ridge (2). It shows no clear difference from ridge regression (3.10). Use quadratic ridge: its test error is the lowest.", ["ridge"]],
  ["products that chance may part", { mean: 8, ridge: 4, quadratic: 3.1, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (4). It shows no clear difference from quadratic ridge (3.10). Use quadratic ridge: it is simpler, and its test error is within a tenth of the lowest.", ["quadratic"]],
  ["trees that chance may part, a little ahead", { mean: 8, ridge: 4, trees: 2.9, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (4). It shows no clear difference from boosted trees (2.90).", ["trees"]],
  ["trees that are worse", { mean: 8, ridge: 4, trees: 3.6, ifm: 3 }, "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (4) and boosted trees (3.60)."],
  ["many that chance may part", { mean: 8, ridge: 2.1, quadratic: 2.05, trees: 2.15, fm: 2.1, ifm: 2 }, "On 60 test rows iFM (RMSE 2) shows no clear difference from ridge regression (2.10), quadratic ridge (2.05), boosted trees (2.15) and FM (2.10). Use ridge regression: it is simpler, and its test error is within a tenth of the lowest.", ["ifm"]],
];

for (const [name, kept, says, uneven = []] of tables) {
  test(`a table's result speaks of ${name}`, () => assert.equal(plain(tableSays(training(kept, rows(kept, uneven)))), says));
}

test("the model that is judged is the best on validation rows, even where another is better on test rows", () => {
  const kept = { mean: 8, ridge: 4, fm: 2, ifm: 3 };
  const all = training(kept, rows(kept, []));
  const lines = all.lines.map((line) => ({ ...line, valid: line.model === "ifm" ? 1 : 2 }));
  assert.equal(plain(tableSays({ ...all, lines })), "On 60 test rows iFM (RMSE 3) predicts better than ridge regression (4). It predicts worse than FM (2), though validation rows chose it. Use FM: its test error is the lowest.");
});

const simple: readonly (readonly [hats: boolean, Told])[] = [
  [false, ["ridge itself, with no word of factors that are not there", { mean: 8, ridge: 4, quadratic: 3, trees: 2, ifm: 3.99 }, "Factors did not help on the validation rows, so iFM is ridge regression here: RMSE 3.99 on 60 test rows. It predicts worse than quadratic ridge (3) and boosted trees (2). Use boosted trees: their test error is the lowest."]],
  [true, ["ridge on bases, beside ridge without", { mean: 8, ridge: 4, ifm: 3 }, "Factors did not help on the validation rows, so iFM is ridge regression on piecewise-linear bases here: RMSE 3 on 60 test rows. It predicts better than ridge regression on the numbers as they are (4)."]],
];

for (const [hats, [name, kept, says]] of simple) {
  test(`where factors did not pay, a table's result speaks of ${name}`, () => {
    const all = training(kept, rows(kept, []));
    const lines = all.lines.map((line) => ({ ...line, choice: { at: 0, rank: 0, lambda: 1, weights: 3, hats } }));
    assert.equal(plain(tableSays({ ...all, lines })), says);
  });
}

test("every sentence of a table begins with a capital, the name of a model or the number of rows", () => {
  for (const [, , says] of [...tables, ...simple.map(([, told]) => told)]) for (const sentence of says.split(/(?<=\.) /)) assert.match(sentence, /^([A-Z]|iFM |60 test rows are )/, says);
});

test("over several trials rows of the first are compared, and the means are told", () => {
  const kept = { mean: [8, 8], ridge: [4, 4], fm: [3.2, 3], ifm: [3.1, 2.9] };
  assert.equal(plain(tableSays(training(kept, rows(kept, [])))), "On 60 test rows of the first trial iFM (RMSE 3.10) predicts better than ridge regression (4.00) and FM (3.20). Over 2 trials the mean test RMSE is iFM 3, FM 3.10, ridge 4 and mean 8; iFM is the best in 2 of them.");
});

test("over several trials a first one that chose ridge is told to be ridge", () => {
  const kept = { mean: [8, 8], ridge: [4, 4], ifm: [3.9, 2.9] };
  const all = training(kept, rows(kept, []));
  const lines = all.lines.map((line) => ({ ...line, choice: { at: 0, rank: 0, lambda: 1, weights: 3, hats: true } }));
  assert.equal(plain(tableSays({ ...all, lines })), "Factors did not help on the validation rows, so iFM is ridge regression on piecewise-linear bases here: RMSE 3.90 on 60 test rows of the first trial. It predicts better than ridge regression on the numbers as they are (4.00). Over 2 trials the mean test RMSE is iFM 3.40, ridge 4 and mean 8; iFM is the best in 2 of them.");
});

test("over several trials the advice goes by their means, not by the rows of the first", () => {
  const kept = { mean: [8, 8], ridge: [4, 4], quadratic: [3.5, 1], ifm: [3, 3] };
  assert.equal(plain(tableSays(training(kept, rows(kept, ["quadratic"])))), "On 60 test rows of the first trial iFM (RMSE 3.00) predicts better than ridge regression (4.00). It seems better than quadratic ridge (3.50). 60 test rows of the first trial are too few to be sure. Over 2 trials the mean test RMSE is quadratic ridge 2.25, iFM 3, ridge 4 and mean 8; quadratic ridge is the best in 1 of them. Use quadratic ridge: its mean test error is the lowest.");
});

test("over several trials means are told of all of them", () => {
  const kept = { mean: [8, 6], ridge: [9, 9], fm: [8, 8] };
  assert.equal(plain(tableSays(training(kept, rows(kept, [])))), "On 60 test rows a trial nothing predicts at least 1 % better than the mean (RMSE 7): FM 8 and ridge 9. These columns say little about the target. Over 2 trials the mean test RMSE is mean 7, FM 8 and ridge 9; the mean is the best in 1 of them.");
});

test("test rows too few to tell anything are told, and nothing is concluded from them", () => {
  const few = (n: number, kept: Kept): string => {
    const all = training(kept, rows(kept, []));
    const predictions = new Map([...all.predictions].map(([model, own]) => [model, { ...own, actual: own.actual.subarray(0, n), predicted: own.predicted.subarray(0, n), ridge: own.ridge.subarray(0, n) }]));
    return plain(tableSays({ ...all, predictions }));
  };
  assert.equal(few(2, { mean: 0.818, ridge: 0.819, ifm: 0.844 }), "Test RMSE: mean 0.818, ridge 0.819 and iFM 0.844. 2 test rows are too few to tell which predicts better.");
  assert.equal(few(5, { mean: 8, ridge: 4, ifm: 3 }), "Test RMSE: iFM 3, ridge 4 and mean 8. 5 test rows are too few to tell which predicts better.");
  assert.equal(few(6, { mean: 8, ridge: 4, ifm: 3 }), "On 6 test rows iFM (RMSE 3) predicts better than ridge regression (4).");
});

test("two test rows do not make a target of numbers one of two values", () => {
  const auc = (...actual: number[]): number => {
    const all = training({ mean: 8, ridge: 4, ifm: 3 });
    const y = Float64Array.from(actual);
    const own = { line: new Int32Array(y.length), actual: y, weight: new Float64Array(), predicted: y.slice(), ridge: y.slice(), error: 3 };
    return new Measures().of({ ...all, predictions: new Map([["ifm", own]]) }, "ifm").auc;
  };
  assert.equal(auc(0.3, 1.7), Number.NaN);
  assert.equal(auc(0, 1, 1, 0, 1, 0), 1, "six rows of two values are of one of two");
});

test("without predictions, or with nothing at all to compare, the result says no more than it knows", () => {
  assert.equal(plain(tableSays(training({ mean: 8, ridge: 4, fm: 5 }))), "Test RMSE: ridge 4, FM 5 and mean 8.");
  assert.deepEqual(tableSays(training({ mean: Number.NaN })), []);
});
