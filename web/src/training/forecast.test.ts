import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, type Spec } from "../state/spec.js";
import { forecast } from "./forecast.js";

const plan = { bytes: 8e6, steps: 1000, features: 10 };

test("candidates are as many as the plan has steps for, in each fold and once more, and of a descent these are the bound", () => {
  const spec = { ...parse("source=table").spec, iterations: 50 };
  assert.equal(forecast(plan, spec, 1).candidates, 20);
  assert.equal(forecast(plan, { ...spec, folds: 4 }, 1).candidates, 4);
  const found = forecast(plan, parse("source=table&solver=agd&models=ifm&ranks=4&trials=3").spec, 1);
  assert.ok(found.bound);
  assert.ok(Math.abs(found.seconds - 1000 * 3 * 1e6 * 4 * 0.7e-9) < 1e-6);
});

test("a sweep costs p² + 4p multiply-adds an element, of which iFM's blocks have twice the unknowns", () => {
  const spec = { ...parse("source=table&encode=linear&ranks=8&lambdaf=10").spec, models: ["fm"] as const };
  const take = (own: Spec, lanes = 1): number => forecast({ ...plan, steps: 2 * own.iterations * (1 + (own.folds > 1 ? own.folds : 0)) }, own, lanes).seconds; // ridge, and one penalty of one rank
  const fm = take(spec);
  assert.ok(Math.abs(fm - 30 * 1.5e-9 * (1e6 * (81 + 36) + 10 * 729)) < 1e-6, `${fm}`);
  const ifm = take({ ...spec, models: ["ifm"] });
  assert.ok(ifm > 3 * fm && ifm < 4 * fm, `17² + 68 against 9² + 36: ${ifm / fm}`);
  assert.ok(Math.abs(take(spec, 2) - fm / 2) < 1e-9, "two lanes take half");
  assert.ok(Math.abs(take({ ...spec, folds: 5 }) - 6 * fm) < 1e-9, "five folds, and what they choose");
  assert.ok(take({ ...spec, iterations: 3 }) < fm / 9, "no more sweeps than are allowed");
});
