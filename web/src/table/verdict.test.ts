import assert from "node:assert/strict";
import { test } from "node:test";

import { conclusion as figureSays } from "../figure/figure.js";
import { plain } from "../text/phrase.js";
import type { Predictions, Quadratic } from "../engine/protocol.js";
import { conclusion as tableSays } from "./result.js";
import type { Line, Model, Trial } from "../training/series.js";
import { parse } from "../state/spec.js";
import type { Training } from "../training/training.js";

const models: readonly Model[] = ["fm", "gfm", "ifm"];

/** What a run came to: test RMSE by whose it is, one number a trial. */
type Kept = Partial<Record<"mean" | "ridge" | "quadratic" | Model, number | readonly number[]>>;

function training(kept: Kept, more: Partial<Training> = {}, rose = 0): Training {
  const of = (whose: keyof Kept, trial: number): number => [kept[whose] ?? Number.NaN].flat()[trial] ?? Number.NaN;
  const taking = models.filter((model) => kept[model] !== undefined);
  const planned = Math.max(...Object.values(kept).map((values) => [values].flat().length));
  const trials = Array.from({ length: planned }, (_, i): Trial => ({ trial: i, mean: of("mean", i), ridge: of("ridge", i), quadratic: of("quadratic", i), kept: new Map(taking.map((model) => [model, of(model, i)])) }));
  const lines = taking.map((model): Line => {
    const mean = trials.reduce((sum, { kept: all }) => sum + (all.get(model) ?? Number.NaN), 0) / planned;
    return { model, iteration: [], rmse: [], low: [], high: [], trials: planned, finished: planned, kept: mean, valid: mean, choice: null, candidate: 0, candidates: 1, done: true, rose };
  });
  return {
    phase: "done", query: "", version: "", series: [], started: null, planned, trials, lines, truth: null, matrices: new Map(), predictions: new Map(), models: new Map(), quadratic: null, notices: [], error: null, slow: false, ghost: null, repeated: false,
    ...more,
  };
}

const figures: readonly (readonly [name: string, query: string, kept: Kept, says: string, rose?: number])[] = [
  ["FM that is stuck", "", { mean: 2, ridge: 1, fm: 0.98, ifm: 0.002 }, "FM is stuck at a test RMSE of 0.980, no better than ridge regression (1.00), which knows no interactions at all. iFM is down to 0.00200, 490 times smaller."],
  ["FM that is nearly stuck", "", { mean: 2, ridge: 1, fm: 0.9, ifm: 0.05 }, "FM is stuck at a test RMSE of 0.900, little better than ridge regression (1.00), which knows no interactions at all. iFM is down to 0.0500, 18 times smaller."],
  ["FM that writes half of a truth of both signs", "scenario=mixed", { mean: 2, ridge: 1, fm: 0.5, ifm: 0.01 }, "FM stops at a test RMSE of 0.500: it has found the positive part of the truth and cannot write the negative one. iFM is down to 0.0100, 50 times smaller."],
  ["FM that is behind for another reason", "", { mean: 2, ridge: 1, fm: 0.5, ifm: 0.01 }, "FM ends at a test RMSE of 0.500. iFM is down to 0.0100, 50 times smaller."],
  ["iFM that only rounding keeps from the truth", "", { mean: 2, ridge: 1, fm: 0.98, ifm: 1.9e-9 }, "FM is stuck at a test RMSE of 0.980, no better than ridge regression (1.00), which knows no interactions at all. iFM is down to 1.90 × 10⁻⁹, exact but for rounding."],
  ["iFM that is a little above rounding", "", { mean: 2, ridge: 1, fm: 0.5, ifm: 2.1e-9 }, "FM ends at a test RMSE of 0.500. iFM is down to 2.10 × 10⁻⁹, 2.4 × 10⁸ times smaller."],
  ["a truth that both fit", "", { mean: 2, ridge: 1, fm: 1e-7, ifm: 2e-7 }, "Both fit the truth: FM ends at a test RMSE of 1.00 × 10⁻⁷, iFM at 2.00 × 10⁻⁷."],
  ["rows too few for the pairs", "", { mean: 2, ridge: 1, fm: 1.5, ifm: 1.2 }, "Ridge regression (1.00) is below both here, FM at a test RMSE of 1.50 and iFM at 1.20: the training rows are too few for so many pairs of features."],
  ["FM whose assumption holds", "scenario=psd", { mean: 2, ridge: 1, fm: 0.01, ifm: 0.2 }, "Here FM’s assumption holds, and it wins: 0.0100 against iFM’s 0.200. Now flip the sign."],
  ["FM that wins on a truth of both signs", "scenario=mixed", { mean: 2, ridge: 1, fm: 0.01, ifm: 0.2 }, "Here FM’s assumption holds, and it wins: 0.0100 against iFM’s 0.200."],
  ["FM that wins on the flipped truth", "", { mean: 2, ridge: 1, fm: 0.01, ifm: 0.2 }, "Here FM’s assumption holds, and it wins: 0.0100 against iFM’s 0.200."],
  ["two that are level", "scenario=psd", { mean: 2, ridge: 1, fm: 0.3, ifm: 0.2 }, "FM ends at a test RMSE of 0.300 and iFM at 0.200; ridge regression is at 1.00."],
  ["noise", "noise=0.75", { mean: 5, ridge: 4, fm: 3.2, ifm: 3.1 }, "FM ends at a test RMSE of 3.20 and iFM at 3.10; ridge regression is at 4.00. The noise alone makes 3.00, which no model can go below."],
  ["gFM beside the two", "models=fm,gfm,ifm", { mean: 2, ridge: 1, fm: 0.3, gfm: 0.4, ifm: 0.2 }, "FM ends at a test RMSE of 0.300 and iFM at 0.200; ridge regression is at 1.00. Beside them, gFM ends at a test RMSE of 0.400."],
  ["one model alone", "models=ifm", { mean: 2, ridge: 1, ifm: 0.2 }, "iFM ends at a test RMSE of 0.200; ridge regression is at 1.00 and the mean at 2.00."],
  ["a diagonal that is kept", "models=fm,gfm,ifm&diagonal=kept", { mean: 2, ridge: 1, fm: 0.98, gfm: 0.1, ifm: 0.2 }, "FM ends at a test RMSE of 0.980, gFM ends at a test RMSE of 0.100 and iFM ends at a test RMSE of 0.200; ridge regression is at 1.00 and the mean at 2.00."],
  ["several trials", "trials=3", { mean: [2, 2, 2], ridge: [1, 1, 1], fm: [0.3, 0.3, 0.3], ifm: [0.1, 0.4, 0.1] }, "FM ends at a test RMSE of 0.300 and iFM at 0.200; ridge regression is at 1.00. These are means over 3 trials; iFM is the best in 2 of them."],
  ["a loss that rose", "models=ifm", { mean: 2, ridge: 1, ifm: 3 }, "iFM ends at a test RMSE of 3.00; ridge regression is at 1.00 and the mean at 2.00. iFM diverged: its loss has risen since iteration 1,200.", 1200],
];

for (const [name, query, kept, says, rose] of figures) {
  test(`the figure speaks of ${name}`, () => assert.equal(plain(figureSays(training(kept, {}, rose), parse(query).spec)), says));
}

/** 60 test rows on which each errs by about its RMSE, in turn above and below; `uneven` ones by half of it and by four thirds, so that chance may explain what they are ahead or behind by. */
function rows(kept: Kept, uneven: readonly (keyof Kept)[]): Partial<Training> {
  const actual = new Float64Array(60);
  const predicted = (whose: keyof Kept): Float64Array =>
    actual.map((_, i) => Number(kept[whose]) * (i % 2 === 0 ? 1 : -1) * (uneven.includes(whose) ? (i % 4 < 2 ? 0.5 : Math.sqrt(1.75)) : 1 + (i % 3) * 1e-4));
  const of = (model: Model): Predictions => ({ line: new Int32Array(60), actual, predicted: predicted(model), ridge: predicted("ridge"), rmse: Number(kept[model]), auc: Number.NaN, ridgeAUC: Number.NaN });
  const quadratic: Quadratic | null = kept.quadratic === undefined ? null : { rmse: Number(kept.quadratic), lambda: 1, columns: 9, predicted: predicted("quadratic") };
  return { predictions: new Map(models.filter((model) => kept[model] !== undefined).map((model) => [model, of(model)])), quadratic };
}

const tables: readonly (readonly [name: string, kept: Kept, says: string, uneven?: readonly (keyof Kept)[]])[] = [
  ["a target that its columns add up to", { mean: 8, ridge: 0.01, fm: 0.02 }, "Ridge regression predicts the target almost exactly on 60 test rows: test RMSE 0.0100, where the mean is off by 8.00. Nothing is left for interactions; look whether a column is a part of the target, and ignore it."],
  ["columns that say nothing", { mean: 8, ridge: 9, fm: 10 }, "Nothing here beats the mean on 60 test rows: it is off by 8.00, ridge 9.00 and FM 10.0. These columns say nothing about the target."],
  ["columns that say little", { mean: 8, ridge: 8.5, fm: 7.96, ifm: 9 }, "FM predicts best on 60 test rows: test RMSE 7.96. That is only 0.5 % below the mean (8.00): these columns say little about the target. Beside it: iFM 9.00."],
  ["ridge that wins", { mean: 8, ridge: 4, fm: 5, ifm: 6 }, "Ridge regression wins on 60 test rows: test RMSE 4.00 against FM 5.00, iFM 6.00 and mean 8.00. On this table interactions do not pay: use the simpler model."],
  ["ridge that another is level with", { mean: 8, ridge: 4, fm: 5, ifm: 4.02 }, "Ridge regression wins on 60 test rows: test RMSE 4.00 against iFM 4.02, FM 5.00 and mean 8.00. Of the others iFM is level with it, so interactions do not pay: use the simpler model."],
  ["a model that is level with ridge", { mean: 8, ridge: 4, fm: 3.98, ifm: 5 }, "FM predicts best on 60 test rows: test RMSE 3.98. That is only 0.5 % below ridge regression (4.00): the simpler model does as well. Beside it: iFM 5.00."],
  ["a lead that chance may explain", { mean: 8, ridge: 4, fm: 3.8 }, "FM predicts best on 60 test rows: test RMSE 3.80. That is 5.0 % below ridge regression (4.00), which chance alone may explain: another split can turn it round.", ["fm"]],
  ["products that win", { mean: 8, ridge: 4, quadratic: 3, fm: 3.5 }, "Quadratic ridge wins on 60 test rows: test RMSE 3.00 against FM 3.50, ridge 4.00 and mean 8.00. That is 25 % below ridge regression: interactions pay here, factors do not. It gives each pair of features a weight of its own, with no rank to choose and one best fit: use the simpler model."],
  ["products that a model is level with", { mean: 8, ridge: 4, quadratic: 3, fm: 3.02 }, "Quadratic ridge wins on 60 test rows: test RMSE 3.00 against FM 3.02, ridge 4.00 and mean 8.00. Of the others FM is level with it, so interactions pay here, but factors do not. It gives each pair of features a weight of its own, with no rank to choose: use the simpler model."],
  ["a model that is level with products", { mean: 8, ridge: 4, quadratic: 3.02, ifm: 3 }, "iFM predicts best on 60 test rows: test RMSE 3.00. That is 25 % below ridge regression (4.00), so interactions pay; but quadratic ridge (3.02), which gives each pair of features a weight of its own, is level with it: the simpler model does as well."],
  ["a lead over products that chance may explain", { mean: 8, ridge: 4, quadratic: 3.1, ifm: 3 }, "iFM predicts best on 60 test rows: test RMSE 3.00. That is 25 % below ridge regression (4.00), so interactions pay. Its lead over quadratic ridge (3.10), which gives each pair of features a weight of its own, may be chance alone.", ["quadratic"]],
  ["a model that pays", { mean: 8, ridge: 4, quadratic: 3.5, fm: 3.2, ifm: 3 }, "iFM predicts best on 60 test rows: test RMSE 3.00. That is 25 % below ridge regression (4.00), 14 % below quadratic ridge (3.50) and 63 % below the mean (8.00). Beside it: FM 3.20."],
  ["a model that pays where products were not fitted", { mean: 8, ridge: 4, ifm: 3 }, "iFM predicts best on 60 test rows: test RMSE 3.00. That is 25 % below ridge regression (4.00) and 63 % below the mean (8.00)."],
  ["FM and iFM that chance may part", { mean: 8, ridge: 4, fm: 2.1, ifm: 2 }, "iFM predicts best on 60 test rows: test RMSE 2.00. That is 50 % below ridge regression (4.00) and 75 % below the mean (8.00). Beside it: FM 2.10. The difference between FM and iFM may be chance alone.", ["fm"]],
];

for (const [name, kept, says, uneven = []] of tables) {
  test(`a table's result speaks of ${name}`, () => assert.equal(plain(tableSays(training(kept, rows(kept, uneven)), 60)), says));
}

test("over several trials a table's result counts them, and does not ask for chance", () => {
  const kept = { mean: [8, 8], ridge: [4, 4], fm: [3, 3.2], ifm: [3.1, 2.9] };
  assert.equal(plain(tableSays(training(kept), 60)), "iFM predicts best on 60 test rows in each of 2 trials: test RMSE 3.00. That is 25 % below ridge regression (4.00) and 63 % below the mean (8.00). Beside it: FM 3.10. These are means over 2 trials; iFM is the best in 1 of them.");
});

test("with no test rows to name, and nothing at all to compare, the result says no more than it knows", () => {
  assert.match(plain(tableSays(training({ mean: 8, ridge: 4, fm: 5 }), 0)), /^Ridge regression wins: test RMSE 4\.00/);
  assert.deepEqual(tableSays(training({ mean: Number.NaN }), 60), []);
});
