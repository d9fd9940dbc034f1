// The records of one run, in columns, and the lines that are drawn of them.
import type { Started } from "../engine/protocol.js";
import type { Track } from "../engine/run.js";

export type Model = Started["model"];
export const models: readonly Model[] = ["fm", "gfm", "ifm"];

/** A cell that has been started, and its records so far. */
export type Series<T extends Track = Track> = T & { readonly started: Started };

export function begun<T extends Track>(tracks: readonly T[]): Series<T>[] {
  return tracks.filter((track): track is Series<T> => track.started !== null);
}

/** What one trial kept: the candidate that leads on validation rows, at its best iteration there. */
export interface Choice {
  readonly at: number; // index into the line
  readonly rank: number; // 0: ridge itself
  readonly lambda: number; // per row, or of the factors in pseudo-rows
  readonly weights: number; // in pseudo-rows; 0 where there is one penalty a row
  readonly hats: boolean; // numbers as piecewise-linear bases
}

/** One model's curve: the candidate that leads on validation rows, over all trials that have come so far. */
export interface Line {
  readonly model: Model;
  readonly iteration: readonly number[];
  readonly error: readonly number[]; // of the test rows, in the run's measure, mean over trials
  readonly low: readonly number[]; // smallest and largest over trials
  readonly high: readonly number[];
  readonly trials: number; // asked for
  readonly finished: number; // of them
  readonly reached: number; // where the curve is at what each trial kept, mean over trials
  readonly kept: number; // test error of the same, of classes calibrated where that is used
  readonly valid: number; // validation error of the same; NaN without validation rows
  readonly choice: Choice | null; // of the first trial; null before its first candidate
  readonly candidate: number; // being trained now, from 0, in the first trial
  readonly candidates: number;
  readonly done: boolean;
  readonly rose: number; // the iteration since which its loss had risen, where it diverged; else 0
  readonly stops: readonly string[]; // why the trials that are over stopped, each reason once
}

/** What is compared on test rows: the models, and what they are measured against. */
export type Whose = Model | "mean" | "ridge" | "additive" | "quadratic" | "trees";

/** Test errors on one split, in the run's measure; NaN of what has not come, or not yet. */
export type Trial = Readonly<Record<Whose, number>>;

export interface Leading {
  readonly iteration: readonly number[];
  readonly test: readonly number[];
  readonly kept: number;
  readonly valid: number;
  readonly error: number; // test error of what is kept, calibrated in the end where that is used
}

/** The records of the candidate that leads. One that failed has records without numbers, left out here. */
export function leading(series: Series): Leading {
  const from = series.starts[series.lead] ?? 0;
  const to = series.starts[series.lead + 1] ?? series.iteration.length;
  const valid = series.valid.slice(from, to);
  const test = series.test.slice(from, to);
  let end = test.findIndex((v) => Number.isNaN(v));
  if (end < 0) end = test.length;
  let kept = end - 1;
  valid.slice(0, end).forEach((v, i) => {
    if (v < (valid[kept] ?? Number.NaN)) kept = i;
  });
  return { iteration: series.iteration.slice(from, from + end), test: test.slice(0, end), kept, valid: valid[kept] ?? Number.NaN, error: Number.isNaN(series.final) ? (test[kept] ?? Number.NaN) : series.final };
}

/** One line a model, in the order FM, gFM, iFM, of so many trials as were asked for. */
export function lines(all: readonly Series[], trials: number): Line[] {
  return models.flatMap((model) => {
    const own = all.filter((s) => s.started.model === model && s.iteration.length > 0);
    const first = own[0];
    if (!first) return [];
    const leads = own.map((s) => ({ ...leading(s), done: s.done })).filter((l) => l.test.length > 0);
    const lead = leads[0];
    if (!lead) return [];
    // A trial that is over stays where it ended; one that is not holds the mean back.
    const going = leads.filter((l) => !l.done);
    const length = going.length > 0 ? Math.min(...going.map((l) => l.test.length)) : Math.max(...leads.map((l) => l.test.length));
    const longest = leads.reduce((best, l) => (l.test.length > best.test.length ? l : best));
    const over = (reduce: (row: readonly number[]) => number): readonly number[] =>
      leads.length === 1 ? lead.test : Array.from({ length }, (_, i) => reduce(leads.map((l) => l.test[i] ?? l.test.at(-1) ?? Number.NaN)));
    const finished = own.filter((s) => s.done).length;
    return [
      {
        model,
        iteration: longest.iteration.slice(0, length),
        error: over(average),
        low: over((row) => Math.min(...row)),
        high: over((row) => Math.max(...row)),
        trials,
        finished,
        reached: average(leads.map((l) => l.test[l.kept] ?? Number.NaN)),
        kept: average(leads.map((l) => l.error)),
        valid: average(leads.map((l) => l.valid)),
        choice: chosen(own.find((s) => s.started.trial === 0)),
        candidate: first.starts.length - 1,
        candidates: first.started.candidates,
        done: finished === trials,
        rose: first.rose,
        stops: [...new Set(own.filter((s) => s.done && s.stop !== "").map((s) => s.stop))],
      },
    ];
  });
}

function chosen(of: Series | undefined): Choice | null {
  if (!of || of.rank.length === 0) return null;
  const at = leading(of).kept;
  return { at, rank: of.rank[of.lead] ?? Number.NaN, lambda: of.lambda[of.lead] ?? Number.NaN, weights: of.weights[of.lead] ?? 0, hats: of.hats[of.lead] ?? false };
}

/** The trials that have come so far; boosted trees by trial. */
export function trials(all: readonly Series[], trees: ReadonlyMap<number, number> = new Map()): Trial[] {
  const found = new Map<number, Trial>();
  for (const series of all) {
    const { started: { trial, mean, ridge, model }, additive, quadratic } = series;
    const before = found.get(trial) ?? { mean, ridge, additive: Number.NaN, quadratic: Number.NaN, trees: trees.get(trial) ?? Number.NaN, fm: Number.NaN, gfm: Number.NaN, ifm: Number.NaN };
    found.set(trial, { ...before, ...(Number.isNaN(additive) ? {} : { additive }), ...(quadratic && "predicted" in quadratic ? { quadratic: quadratic.error } : {}), [model]: leading(series).error });
  }
  return [...found.values()];
}

/** Trials of which all have curves, or none: where validation rows chose lines, regression with curves is ridge itself. */
export function alike(all: readonly Trial[]): readonly Trial[] {
  return all.every(({ additive }) => Number.isNaN(additive)) ? all : all.map((trial) => (Number.isNaN(trial.additive) ? { ...trial, additive: trial.ridge } : trial));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}

/** At most about most indices of 0 … length−1, evenly spread, the last among them. */
export function thin(length: number, most: number): number[] {
  const stride = Math.max(1, Math.ceil(length / most));
  const indices: number[] = [];
  for (let i = 0; i < length; i += stride) indices.push(i);
  if (length > 0 && indices.at(-1) !== length - 1) indices.push(length - 1);
  return indices;
}
