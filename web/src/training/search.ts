// What a search on a table has tried, and how good it was where it is judged: on
// validation rows, or on average over folds. core/assess/crossvalidation.go chooses by the same.
import type { Model, Series } from "./series.js";
import type { Training } from "./training.js";

/** One candidate of one model. */
export interface Tried {
  readonly rank: number; // 0: ridge itself
  readonly lambda: number;
  readonly weights: number; // in pseudo-rows; 0 where there is one penalty a row
  readonly hats: boolean;
  readonly again: boolean; // the same settings once more, from fresh factors
  readonly iteration: number; // its best
  readonly error: number; // there, in the run's measure: on validation rows, or the mean over the folds; NaN where none came of it
  readonly spread: number; // standard error of that mean; NaN without folds
  readonly folds: number; // that have come to its end; without folds 1, or 0 before
}

export interface Search {
  readonly model: Model;
  readonly folds: number; // in all; 0: validation rows
  readonly tried: readonly Tried[]; // in the order of the search
  readonly best: number; // the one with the lowest error among those that are whole; −1 before
  readonly whole: boolean; // all has been tried
}

/** Of the first trial, a model each that has begun. */
export function searches({ folds, series, planned }: Pick<Training, "folds" | "series" | "planned">, of: readonly Model[], asked: number): Search[] {
  return of.flatMap((model, at): Search[] => {
    const own = asked > 1 ? folds.filter(({ job }) => job.cell === at) : series.filter(({ started }) => started.model === model && started.trial === 0);
    const [first] = own;
    if (!first || planned < 1) return [];
    const count = Math.max(...own.map(({ starts }) => starts.length));
    const longest = own.find(({ starts }) => starts.length === count) ?? first;
    const tried = Array.from({ length: count }, (_, c) => candidate(own, longest, c, asked));
    const needed = Math.max(1, asked > 1 ? asked : 1);
    let best = -1;
    tried.forEach(({ error, folds: come }, i) => {
      if (come === needed && error < (tried[best]?.error ?? Number.POSITIVE_INFINITY)) best = i;
    });
    return [{ model, folds: asked > 1 ? asked : 0, tried, best, whole: own.length === needed && own.every(({ done }) => done) }];
  });
}

function candidate(own: readonly Series[], { rank, lambda, weights, hats }: Series, at: number, asked: number): Tried {
  const errors = own.flatMap(({ starts, valid, iteration, done }) => {
    const [from, to] = [starts[at], starts[at + 1] ?? (done ? iteration.length : -1)];
    return from === undefined || to < 0 ? [] : [valid.slice(from, to)];
  });
  const what = { rank: rank[at] ?? 0, lambda: lambda[at] ?? Number.NaN, weights: weights[at] ?? 0, hats: hats[at] ?? false, again: at > 0 && (rank[at] ?? 0) > 0 && rank[at] === rank[at - 1] && lambda[at] === lambda[at - 1] && hats[at] === hats[at - 1], folds: errors.length };
  const length = Math.max(0, ...errors.map((one) => one.length));
  const standing = (t: number): number[] => errors.map((one) => one[Math.min(t, one.length - 1)] ?? Number.NaN);
  let [iteration, error] = [0, Number.NaN];
  for (let t = 0; t < length; t++) {
    const mean = average(standing(t));
    if (mean < error || (Number.isNaN(error) && !Number.isNaN(mean))) [iteration, error] = [t, mean];
  }
  return { ...what, iteration, error, spread: asked > 1 ? standardError(standing(iteration)) : Number.NaN };
}

function average(values: readonly number[]): number {
  let sum = 0;
  for (const v of values) sum += v; // in the order of the folds, as the engine adds them
  return sum / values.length;
}

/** Of the mean; NaN of fewer than two numbers. */
function standardError(values: readonly number[]): number {
  const n = values.length;
  if (n < 2) return Number.NaN;
  const mean = average(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1) / n);
}

/** How many candidates are no further from the best than one standard error of its mean, itself left out. */
export function close({ tried, best }: Search): number {
  const lead = tried[best];
  return lead ? tried.filter((one, i) => i !== best && one.error <= lead.error + lead.spread).length : 0;
}
