// Pairs of predictors on the same test rows: which is better, and by how much.
import type { Measure, Trees } from "../engine/protocol.js";
import { FEWEST, logLoss, rarer, squared } from "./error.js";
import { outcome, overSplits, ratio, type Ratio } from "./ratio.js";
import type { Whose } from "./series.js";
import type { ModelError, Outcome } from "./standing.js";
import { fitted, isMany, type Training } from "./training.js";

/** What each predicts for the same test rows, those of the first trial; nothing of the mean. */
interface Predicted {
  readonly actual: Float64Array;
  readonly weight: Float64Array; // of the rows; empty where all count the same
  readonly by: ReadonlyMap<Whose, Float64Array>;
  readonly sides: Float64Array; // what the predictions are measured by: actual, or 1 where they are probabilities of the row's own class
}

export function predicted({ predictions, quadratic, trees, started }: Training): Predicted | null {
  const [first] = predictions.values();
  if (!first) return null;
  const by = new Map<Whose, Float64Array>([["ridge", first.ridge]]);
  if (first.additive.length > 0) by.set("additive", first.additive);
  if (fitted(quadratic)) by.set("quadratic", quadratic.predicted);
  const grown = trees.answers.get(0);
  if (grown?.done) by.set("trees", grown.predicted);
  for (const [model, own] of predictions) by.set(model, own.predicted);
  return { actual: first.actual, weight: first.weight, by, sides: isMany(started) ? new Float64Array(first.actual.length).fill(1) : first.actual };
}

const RARER = 2; // in each of many splits: the ten rows of the table take turns

/** The test rows that differ from the commonest target, and that target, where they are too few to compare by. */
export function fewRarer(t: Training): ReturnType<typeof rarer> | null {
  const rows = predicted(t);
  const found = rows && rarer(rows.actual, rows.weight);
  return found && found.rows < (t.planned < FEWEST ? FEWEST : RARER) ? found : null;
}

const ratios = new WeakMap<Float64Array, WeakMap<Float64Array, Ratio>>(); // of predictions: they are asked for at every update

/** The ratio of another's error to one's own: its test rows' or, of several trials, theirs. null where that is not known. */
function ratioOf(t: Training, one: Whose, other: Whose): Ratio | null {
  if (fewRarer(t)) return { of: Number.NaN, low: 0, high: Number.POSITIVE_INFINITY };
  if (t.trials.length > 1) return overSplits(t.trials.map((trial) => trial[one]), t.trials.map((trial) => trial[other]));
  const rows = predicted(t);
  const [own, its] = [rows?.by.get(one), rows?.by.get(other)];
  if (!rows || !own || !its) return null;
  const known = ratios.get(own) ?? new WeakMap<Float64Array, Ratio>();
  ratios.set(own, known);
  const found = known.get(its) ?? lossRatio(t.started?.measure ?? "rmse", rows, own, its);
  known.set(its, found);
  return found;
}

function lossRatio(measure: Measure, { sides, weight }: Predicted, own: Float64Array, its: Float64Array): Ratio {
  const { of, low, high } = ratio(sides, own, its, measure === "rmse" ? squared : logLoss, weight);
  return measure === "rmse" ? { of: Math.sqrt(of), low: Math.sqrt(low), high: Math.sqrt(high) } : { of, low, high };
}

/** How one compares with another on test rows, or over several trials; null where that is not known. */
export function tells(t: Training, one: Whose, other: Whose): Outcome | null {
  const found = ratioOf(t, one, other);
  return found && outcome(found);
}

/** By how much an error is above the best. */
export interface Difference {
  readonly low: number;
  readonly high: number;
}

/**
 * The 95 % interval of how far another's error is above the best's, which is taken as it is.
 * It holds 0 exactly where the two are level; null where there are too few rows to tell.
 */
export function difference(t: Training, best: ModelError, other: Whose): Difference | null {
  const found = ratioOf(t, best.whose, other);
  const above = (ratio: number): number => best.error * (ratio - 1);
  return found && Number.isFinite(found.high) ? { low: above(found.low), high: above(found.high) } : null;
}

/** The lowest error of all that is more than a guess; the others are measured from it. */
export function bestOf<Of extends ModelError>(all: readonly Of[]): Of | undefined {
  return all.find(({ whose }) => whose !== "mean");
}

/** Boosted trees that tell classes, once they are grown: they can be looked at as a model can. */
export function tellingTrees({ trees }: Training): Trees | null {
  const grown = trees.answers.get(0);
  return grown?.metrics ? grown : null;
}
