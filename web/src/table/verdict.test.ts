import assert from "node:assert/strict";
import { test } from "node:test";

import { plain } from "../text/phrase.js";
import type { Predictions, Quadratic } from "../engine/protocol.js";
import { conclusion as tableSays, recommended } from "./conclusion.js";
import { nameOf } from "./strings.js";
import { models, type Model, type Trial } from "../training/series.js";
import { Measures } from "../training/measures.js";
import { line, training, trial } from "../training/results.test.js";
import type { Training } from "../training/training.js";

/** What a run came to: test RMSE by whose it is. */
type Kept = Partial<Trial>;

function run(kept: Kept, more: Partial<Training> = {}): Training {
  const lines = models.flatMap((model) => (kept[model] === undefined ? [] : [line(model, kept[model], { valid: kept[model] })]));
  return training({ trials: [trial({ ridge: NaN, ...kept })], lines, ...more });
}

/** The same on so many splits. */
function over(n: number, t: Training): Training {
  return { ...t, planned: n, trials: Array.from({ length: n }, () => t.trials[0] as Trial) };
}

const started = { target: "y", measure: "rmse", classes: null } as unknown as Training["started"];

/** 60 test rows on which each errs by about its RMSE, in turn above and below; `uneven` ones in three rows alone, so that chance may explain what they are ahead or behind by. */
function rows(kept: Kept, uneven: readonly (keyof Kept)[]): Partial<Training> {
  const actual = Float64Array.from({ length: 60 }, (_, i) => i);
  const of = (whose: keyof Kept): number => kept[whose] ?? NaN;
  const predicted = (whose: keyof Kept): Float64Array<ArrayBuffer> =>
    actual.map((y, i) => y + of(whose) * (i % 2 === 0 ? 1 : -1) * (uneven.includes(whose) ? (i % 20 === 0 ? Math.sqrt(20) : 0) : 1 + (i % 3) * 1e-4));
  const by = (model: Model): Predictions => ({ line: new Int32Array(60), actual, weight: new Float64Array(), predicted: predicted(model), ridge: predicted("ridge"), additive: kept.additive === undefined ? new Float64Array() : predicted("additive"), error: of(model), probabilities: new Float64Array() });
  const quadratic: Quadratic | null = kept.quadratic === undefined ? null : { error: of("quadratic"), lambda: 1, columns: 9, predicted: predicted("quadratic") };
  const trees = { grown: 90, most: 1300, done: true, trees: 40, leaves: 15, error: of("trees"), predicted: predicted("trees"), metrics: null };
  return {
    predictions: new Map(models.filter((model) => model in kept).map((model) => [model, by(model)])), quadratic,
    ...("trees" in kept && { trees: { state: "done", seconds: 0, answers: new Map([[0, trees]]), error: null } }),
  };
}

type Example = readonly [name: string, kept: Kept, says: string, uneven?: readonly (keyof Kept)[]];

/** What is said of it, which names what is recommended. */
function says(t: Training): string {
  const [told, use] = [tableSays(t).map(plain).join(" "), recommended(t)];
  assert.equal(use && nameOf(use.whose, false), /Use ([^.,]*)/.exec(told)?.[1], told);
  return told;
}

const tables: readonly Example[] = [
  ["a target that its columns add up to", { mean: 8, ridge: 0.01, fm: 0.02, trees: 0.4 }, "Linear regression is almost exact. Its error is 0.0100, against 8 for the mean. If a column is part of the target, leave it out."],
  ["columns that say nothing", { mean: 8, ridge: 9, fm: 7.96, trees: 9 }, "No model beats the mean by 1 %. These columns say little about y."],
  ["columns that tell trees alone something", { mean: 8, ridge: 9, fm: 10, trees: 4 }, "Only boosted trees beat the mean. Use boosted trees."],
  ["two models that are level and better than ridge", { mean: 8, ridge: 4, quadratic: 3.05, fm: 3, ifm: 3 }, "FM and iFM are level. Use regression with pairs, the simplest that comes close to the best.", ["quadratic"]],
  ["two models that are level, of which one may be better than ridge by chance", { mean: 8, ridge: 4, fm: 3.1, ifm: 3 }, "FM and iFM are level. iFM beats linear regression by 25 %. Use iFM.", ["fm"]],
  ["a model that is better than the other", { mean: 8, ridge: 4, fm: 3.5, ifm: 3 }, "iFM beats FM by 14 %. iFM beats linear regression by 25 %. Use iFM."],
  ["three models", { mean: 8, ridge: 4, fm: 3, gfm: 3, ifm: 3 }, "FM, gFM and iFM are level. All three beat linear regression by 25 %. Use FM."],
  ["a model that is worse than ridge", { mean: 8, ridge: 4, ifm: 6 }, "Linear regression beats iFM by 33 %. Use linear regression."],
  ["a model that chance may part from ridge", { mean: 8, ridge: 4, ifm: 3.8 }, "iFM is not clearly better than linear regression. Use linear regression.", ["ifm"]],
  ["a model that chance may part from ridge, which is far behind", { mean: 8, ridge: 4, ifm: 3.5 }, "iFM is 13 % ahead of linear regression, perhaps by chance. Use iFM.", ["ifm"]],
  ["trees that are far ahead, perhaps by chance", { mean: 8, ridge: 4, trees: 2.5, ifm: 3 }, "iFM beats linear regression by 25 %. Use boosted trees.", ["trees"]],
  ["products that are better than factors", { mean: 8, ridge: 4, quadratic: 3, ifm: 6 }, "Linear regression beats iFM by 33 %. Use regression with pairs."],
  ["curves that bring most", { mean: 8, ridge: 4, additive: 2, quadratic: 3, ifm: 1.5 }, "iFM beats linear regression by 63 %. Use iFM."],
  ["curves that bring all", { mean: 8, ridge: 4, additive: 2, quadratic: 3, ifm: 1.9 }, "Use regression with curves, the simplest that comes close to the best.", ["ifm"]],
  ["curves and interactions that are clear together alone", { mean: 8, ridge: 4, additive: 3.5, ifm: 3.01 }, "iFM beats linear regression by 25 %. Use iFM.", ["additive"]],
  ["curves and interactions that bring nothing", { mean: 8, ridge: 4, additive: 4.1, ifm: 4.2 }, "Linear regression beats iFM by 4.8 %. Use linear regression."],
  ["interactions where curves bring nothing", { mean: 8, ridge: 4, additive: 4.1, ifm: 3 }, "iFM beats linear regression by 25 %. Use iFM."],
  ["a simple model that another than the best is clearly better than", { mean: 8, ridge: 4, trees: 3.85, ifm: 3.9 }, "iFM beats linear regression by 2.5 %. Use iFM, the simplest that comes close to the best.", ["trees"]],
  ["products that are clearly behind", { mean: 8, ridge: 4, quadratic: 3.2, ifm: 3 }, "iFM beats linear regression by 25 %. Use iFM."],
  ["products that chance may part", { mean: 8, ridge: 4, quadratic: 3.1, ifm: 3 }, "Use regression with pairs, the simplest that comes close to the best.", ["quadratic"]],
];

/** A run on a table that came to this; `uneven` as in rows. */
function ran(kept: Kept, uneven: readonly (keyof Kept)[] = []): Training {
  return run(kept, { ...rows(kept, uneven), started });
}

/** The same with other test rows and predictions, made of those that there are. */
function changed(t: Training, change: (values: Float64Array) => Float64Array): Training {
  const predictions = [...t.predictions].map(([model, own]) => [model, { ...own, actual: change(own.actual), predicted: change(own.predicted), ridge: change(own.ridge) }] as const);
  return { ...t, predictions: new Map(predictions) };
}

for (const [name, kept, told, uneven] of tables) {
  test(`a table's verdict speaks of ${name}`, () => assert.equal(says(ran(kept, uneven)), told));
}

const plainly = { mean: 8, ridge: 4, ifm: 3 };
const best = "iFM beats linear regression by 25 %. Use iFM.";

test("the model that is judged is the best on validation rows, even where another is better on test rows", () => {
  const all = ran({ ...plainly, fm: 2 });
  const lines = all.lines.map((one) => ({ ...one, valid: one.model === "ifm" ? 1 : 2 }));
  assert.equal(says({ ...all, lines }), "FM beats iFM by 33 %, although iFM was best on validation rows. iFM beats linear regression by 25 %. Use FM.");
});

test("where factors did not pay, the model is told to be ridge, perhaps on curves", () => {
  const of = (hats: boolean, kept: Kept): string => {
    const all = ran(kept);
    return says({ ...all, lines: all.lines.map((one) => ({ ...one, choice: { at: 0, rank: 0, lambda: 1, weights: 3, hats } })) });
  };
  assert.equal(of(false, { ...plainly, quadratic: 3, trees: 2, ifm: 3.99 }), "Interactions did not help on validation rows, so iFM is linear regression here. Use boosted trees.");
  assert.equal(of(true, plainly), `Interactions did not help on validation rows, so iFM is regression with curves here. ${best}`);
});

test("over several trials a model is better where six or more say so, which one split cannot, and it is still that of the first", () => {
  assert.deepEqual([6, 2].map((n) => says(over(n, ran(plainly)))), [best, "iFM is 25 % ahead of linear regression, perhaps by chance. Use iFM."]);
  const first = ran({ ...plainly, ifm: 3.5 }, ["ifm"]);
  const trials = Array.from({ length: 10 }, (_, i) => ({ ...(first.trials[0] as Trial), ridge: 4 + i / 50, ifm: 3 + i / 40 }));
  assert.equal(says({ ...first, trials }), "iFM beats linear regression by 24 %. Use iFM.");
});

test("test rows too few to tell anything are told, and nothing is concluded from them", () => {
  const few = (n: number): string => says(changed(ran(plainly), (values) => values.subarray(0, n)));
  assert.deepEqual([few(5), few(6)], ["5 test rows are too few to compare models. A table of 30 rows gives 6, which is enough.", best]);
});

test("nothing is concluded from test rows that nearly all have the same target, but for many splits", () => {
  const off = (n: number, classes: readonly [string, string] | null, splits = 1): string => {
    const all = changed(over(splits, ran(plainly)), (values) => values.map((v, i) => v - i + Number(i < n)));
    return says({ ...all, started: { ...started, classes } as Training["started"] });
  };
  const few = [off(0, ["no", "yes"]), off(5, ["no", "yes"]), off(59, ["no", "yes"]), off(2, null)];
  const want = ["None of 60 test rows has y = yes", "Only 5 of 60 test rows have y = yes", "Only 1 of 60 test rows has y = no", "Only 2 of 60 test rows have a y other than 0"];
  assert.deepEqual(few, want.map((rows) => `${rows}: too few to compare models. The table needs about 30 such rows, or 10 and ten trials.`));
  assert.deepEqual([off(6, null), off(2, null, 10)], [best, best]);
  assert.match(off(1, null, 10), /^Only 1 of 60/);
});

test("two test rows do not make a target of numbers one of two values, and without predictions no more is said than is known", () => {
  const auc = (...actual: number[]): number => new Measures().of(changed(ran(plainly), () => Float64Array.from(actual)), "ifm").auc;
  assert.deepEqual([auc(0.3, 1.7), auc(0, 1, 1, 0, 1, 0)], [NaN, 1], "six rows of two values are of one of two");
  assert.equal(says(run({ mean: 8, ridge: 4, fm: 5 })), "Linear regression has the lowest test error, 4.");
  assert.deepEqual(tableSays(run({ mean: NaN })), []);
});
