// Pairs of predictors on the same test rows: which is better, and by how much.
import type { Measure, Trees } from "../engine/protocol.js";
import { gain, logLoss, meanLoss, paired, squared, type Gain } from "./error.js";
import type { Whose } from "./series.js";
import { bound, FEWEST, outcome, type ModelError, type Outcome } from "./standing.js";
import { fitted, type Training } from "./training.js";

/** What each predicts for the same test rows, those of the first trial; nothing of the mean. */
interface Predicted {
  readonly actual: Float64Array;
  readonly weight: Float64Array; // of the rows; empty where all count the same
  readonly by: ReadonlyMap<Whose, Float64Array>;
}

export function predicted({ predictions, quadratic, trees }: Training): Predicted | null {
  const [first] = predictions.values();
  if (!first) return null;
  const by = new Map<Whose, Float64Array>([["ridge", first.ridge]]);
  if (fitted(quadratic)) by.set("quadratic", quadratic.predicted);
  const grown = trees.answers.get(0);
  if (grown?.done) by.set("trees", grown.predicted);
  for (const [model, own] of predictions) by.set(model, own.predicted);
  return { actual: first.actual, weight: first.weight, by };
}

function lossOf(measure: Measure): (y: number, p: number) => number {
  return measure === "rmse" ? squared : logLoss;
}

/** How one compares with another on test rows, or in every trial of several; null where that is not known. */
export function tells(t: Training, one: Whose, other: Whose): Outcome | null {
  if (t.planned > 1) {
    const all = differences(t, one, other);
    if (all.length === 0) return null;
    return all.length < FEWEST || (all.some((d) => d <= 0) && all.some((d) => d >= 0)) ? "level" : (all[0] ?? 0) > 0 ? "better" : "worse";
  }
  const rows = predicted(t);
  const [own, its] = [rows?.by.get(one), rows?.by.get(other)];
  if (!rows || !own || !its) return null;
  return outcome(paired(rows.actual, own, its, lossOf(t.started?.measure ?? "rmse"), rows.weight), rows.actual.length);
}

/** How far another's error is above the best's, trial by trial. */
function differences({ trials }: Training, best: Whose, other: Whose): number[] {
  return trials.map((trial) => trial[other] - trial[best]).filter((d) => !Number.isNaN(d));
}

function root(measure: Measure, loss: number): number {
  return measure === "rmse" ? Math.sqrt(Math.max(0, loss)) : loss;
}

/** By how much an error is above the best. */
export interface Difference {
  readonly low: number;
  readonly high: number;
}

/**
 * The interval of a paired difference, in the run's measure: how far another's error is
 * above the best, whose mean loss on the same rows is taken as it is. With the mean loss L
 * and the mean gain g with its standard error s,
 *
 *   √(L + g ∓ b·s) − √L,   b of two standard errors for so many rows; of log-loss without roots.
 *
 * It holds 0 exactly where no test tells the two apart.
 */
export function differenceOf(measure: Measure, loss: number, { mean, error }: Gain, rows: number): Difference {
  const reach = bound(rows) * error;
  const above = (end: number): number => root(measure, loss + end) - root(measure, loss);
  return { low: above(mean - reach), high: above(mean + reach) };
}

/**
 * How far an error is above the best on the same test rows; over several trials from the
 * smallest to the largest difference. null where there are too few rows to tell.
 */
export function difference(t: Training, best: Whose, other: Whose): Difference | null {
  if (t.planned > 1) {
    const all = differences(t, best, other);
    return all.length > 1 ? { low: Math.min(...all), high: Math.max(...all) } : null;
  }
  const rows = predicted(t);
  const [own, its] = [rows?.by.get(best), rows?.by.get(other)];
  if (!rows || !own || !its || rows.actual.length < FEWEST) return null;
  const measure = t.started?.measure ?? "rmse";
  const loss = lossOf(measure);
  const found = differenceOf(measure, meanLoss(rows.actual, own, loss, rows.weight), gain(rows.actual, own, its, loss, rows.weight), rows.actual.length);
  return Number.isFinite(found.low) && Number.isFinite(found.high) ? found : null;
}

/** The lowest error of all that is more than a guess; the others are measured from it. */
export function bestOf<Of extends ModelError>(all: readonly Of[]): Of | undefined {
  return all.find(({ whose }) => whose !== "mean");
}

/** Boosted trees that tell classes, once they are grown: they can be looked at as a model can. */
export function tellingTrees({ trees }: Training): Trees | null {
  const grown = trees.answers.get(0);
  return grown?.told ? grown : null;
}
