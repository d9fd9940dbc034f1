import assert from "node:assert/strict";
import { test } from "node:test";

import { draws, line, trial } from "./results.test.js";
import { models, type Line, type Model, type Trial } from "./series.js";
import { advised, baselines, belowRidge, beside as besideOf, floor, judge, leader, standings, wins, type Judgement, type ModelError } from "./standing.js";

const names = (all: readonly ModelError[]): string => all.map((s) => s.whose).join(" ");

test("a reference line is its mean over the trials, and left out where one of them lacks it", () => {
  assert.deepEqual(baselines([trial({ mean: 8, ridge: 4, quadratic: 1 }), trial({ mean: 6, ridge: 3, quadratic: 2 })]), [
    { whose: "mean", error: 7 },
    { whose: "ridge", error: 3.5 },
    { whose: "quadratic", error: 1.5 },
  ]);
  assert.equal(names(baselines([trial({ additive: Number.NaN, quadratic: 1, trees: 1 }), trial({ trees: 2 })])), "mean ridge trees");
  assert.deepEqual(baselines([]), []);
});

test("all that has a number stands in order, the best first, and noise makes its share of the mean's error", () => {
  assert.equal(names(standings([trial({ additive: Number.NaN, quadratic: 3, trees: 2 })], [line("fm", 5), line("gfm", Number.NaN), line("ifm", 1)])), "ifm trees quadratic ridge fm mean");
  assert.equal(names(standings([trial({})], [line("fm", Number.POSITIVE_INFINITY)])), "ridge mean fm");
  assert.equal(floor(5, 0.75), 3); // a truth of deviation 4, noise of 3
  assert.equal(floor(5, 0), 0);
});

test("a trial is won by all that nobody is below", () => {
  const trials = [{ fm: 2, ifm: 1 }, { fm: 1, ifm: 1 }, { fm: 2, ifm: 3 }, { fm: 5, ifm: 6 }, { fm: 5, ifm: 5, quadratic: 3 }, { fm: 3, ifm: 3, trees: 2 }].map((kept) => trial({ quadratic: 9, ...kept }));
  assert.deepEqual((["fm", "ifm", "ridge", "quadratic", "trees", "mean"] as const).map((whose) => wins(trials, whose)), [3, 3, 1, 1, 1, 0], "trees are not in all");
  const beside = [trial({ fm: 3.99, quadratic: 4 }), trial({ fm: 4 }), trial({ fm: 4.01 }), trial(), trial({ fm: NaN })];
  assert.deepEqual((["fm", "ridge", "quadratic", "mean"] as const).map((whose) => belowRidge(beside, whose)), [1, 0, 0, 0], "level with ridge is not below it");
  assert.equal(wins([trial({ fm: Number.NaN, ifm: 1 })], "ifm"), 1, "who has no number stands in nobody's way");
  assert.equal(wins([trial({})], "trees"), 0, "and wins nothing");
});

test("the model to show is the best on validation rows, the first of equals, whatever its test rows say", () => {
  const model = (...lines: Line[]): Model | undefined => leader(lines)?.model;
  const pairs = [[3, 2], [2, 2], [NaN, NaN]] as const; // the last has no validation rows
  assert.deepEqual(pairs.map(([fm, ifm]) => model(line("fm", 9, { valid: fm }), line("ifm", 1, { valid: ifm }))), ["ifm", "fm", "fm"]);
  assert.equal(model(), undefined);
});

// The mean is off by 8.
const judgements: readonly (readonly [Partial<Trial>, rank: number, Judgement])[] = [
  [{ ridge: 0.079, ifm: 1e-9 }, 2, "exact"],
  [{ ridge: 0.081, ifm: 0.01 }, 2, "compared"],
  [{ ridge: 0.079, ifm: 0.079 }, 0, "exact"],
  [{ ridge: 9, fm: 7.93, ifm: 10 }, 2, "nothing"],
  [{ ridge: 9, fm: 7.91, ifm: 10 }, 2, "compared"],
  [{ ridge: 7.91, fm: 9 }, 2, "compared"],
  [{ ridge: 9, quadratic: 7.91, fm: 9 }, 2, "compared"],
  [{ ridge: 9, trees: 4, fm: 9 }, 2, "trees"],
  [{ ridge: 9, trees: 7.93, fm: 9 }, 2, "nothing"],
  [{ ridge: 9, trees: 2, fm: 5 }, 2, "compared"],
  [{ ridge: 7.93, fm: 7.93 }, 0, "nothing"],
  [{ ridge: 4, ifm: 4 }, 0, "ridge"],
  [{ ridge: 4, ifm: 4 }, 1, "compared"],
  [{ ridge: 4, ifm: 4 }, Number.NaN, "compared"],
];

test("what is said of the standings depends on the mean, on ridge, on trees and on the rank that was chosen", () => {
  for (const [errors, rank, judgement] of judgements) {
    const lines = models.flatMap((model) => (errors[model] === undefined ? [] : [line(model, errors[model])]));
    assert.equal(judge(standings([trial({ ...errors, ifm: NaN, fm: NaN })], lines), rank), judgement, JSON.stringify([errors, rank]));
  }
});

test("a model whose lead chance may explain is ahead or behind from more than a tenth on, and else level", () => {
  const pairs = [[1, 1.1], [1, 1.11], [1.1, 1], [1.11, 1], [0, 0], [0, 1e-300]] as const;
  assert.deepEqual(pairs.map(([own, its]) => besideOf("level", own, its)), ["level", "ahead", "level", "behind", "level", "ahead"]);
  assert.deepEqual([besideOf("worse", 1, 9), besideOf("better", 9, 1)], ["worse", "better"], "a test that tells something decides");
});

test("of any standings what is advised is within a tenth of the best, or the best itself, and never what a test tells to be worse", () => {
  const random = draws(1);
  const seen = new Map<string, number>();
  for (let i = 0; i < 20000; i++) {
    const error = (): number => (random() < 0.05 ? 0 : random() < 0.3 ? 1 + Math.floor(4 * random()) / 20 : 10 ** (2 * random() - 1)); // exact, tied and far apart, as RMSE and log-loss are
    const some = (): number => (random() < 0.3 ? Number.NaN : error()); // quadratic ridge may not be fitted, trees not grown
    const trials = Array.from({ length: 1 + Math.floor(3 * random()) }, () => trial({ mean: error(), ridge: error(), additive: Number.NaN, quadratic: some(), trees: some() }));
    const all = standings(trials, models.filter(() => random() < 0.7).map((model) => line(model, error())));
    const own = all.flatMap(({ whose }) => (whose === "fm" || whose === "gfm" || whose === "ifm" ? [whose] : []));
    const lead = own[Math.floor(random() * own.length)] ?? "ifm";
    const power = random() < 0.5 ? 0 : random(); // the share of differences that the test rows tell
    const told = new Set(all.filter(() => random() < power).map(({ whose }) => whose));
    const use = advised(all, lead, (best, other) => best !== other && told.has(other));
    const best = all.find(({ whose }) => whose !== "mean");
    assert.ok(use && best && use.whose !== "mean");
    assert.ok(use.error <= 1.1 * best.error, `${use.whose} ${use.error}, the best is ${best.whose} ${best.error}`);
    assert.ok(use === best || !told.has(use.whose), "the best beats it");
    assert.ok(use === best || use.whose === "ridge" || use.whose === "quadratic" || use.whose === lead, "neither simpler nor chosen");
    const simpler = all.find(({ whose }) => whose === "ridge");
    if (simpler && simpler.error <= 1.1 * best.error && !told.has("ridge") && simpler.error < (all.find(({ whose }) => whose === "mean")?.error ?? 0)) assert.equal(use.whose, "ridge", "the simplest of those that are as good");
    seen.set(use.whose, (seen.get(use.whose) ?? 0) + 1);
  }
  assert.ok(seen.size === 6 && Math.min(...seen.values()) > 100, `everything is advised now and then: ${JSON.stringify([...seen])}`);
});
