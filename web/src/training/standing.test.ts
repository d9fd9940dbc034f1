import assert from "node:assert/strict";
import { test } from "node:test";

import { draws, line, trial } from "./results.test.js";
import { models, type Line, type Model } from "./series.js";
import { advised, belowRidge, beside as besideOf, floor, leader, standings, wins } from "./standing.js";

test("noise makes its share of the mean's error", () => {
  assert.deepEqual([floor(5, 0.75), floor(5, 0)], [3, 0], "a truth of deviation 4, noise of 3");
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
