import type { Intervals, Measure } from "../engine/protocol.js";
import { parse, type Spec } from "../state/spec.js";
import { product } from "../text/strings.js";
import type { Measured } from "../training/error.js";
import { Measures } from "../training/measures.js";
import { leading, type Model, type Series } from "../training/series.js";
import { standings, type Standing } from "../training/standing.js";
import type { Phase, Training } from "../training/training.js";
import type { Turns } from "./turns.js";

/**
 * A run as a file of JSON: what was asked for, what came of it, and every
 * record that the page holds of it. Numbers are written so that they are read
 * as they were; those that are none, NaN for instance, are null. RMSE is in
 * units of the target, log-loss in nats.
 */
interface RunFile {
  /** "iFM Lab". */
  readonly product: string;
  /** Of the engine: the same spec and version give the same numbers on any machine. */
  readonly version: string;
  /** The page's address that repeats the run; a reader's own table has to be opened there. */
  readonly link: string;
  /** Every setting of the run, in the words of links. */
  readonly spec: Spec;
  /** How the numbers were made, as a sentence. */
  readonly about: string;
  /** Where the run stood when it was saved: "done" at its end. */
  readonly phase: Phase;
  /** What is predicted; "y" of drawn rows. */
  readonly target: string;
  /** What all errors are measured in: "rmse", or "log-loss" of a target of two classes, whatever they are called. */
  readonly measure: Measure;
  /** The columns of the design. */
  readonly features: readonly string[];
  /** What the engine had to say of the data. */
  readonly notices: readonly string[];
  /** Why the run, or a part of it, failed, as a sentence; null if it did not. */
  readonly error: string | null;
  /** All that was compared, the best first. */
  readonly standings: readonly StandingFile[];
  /** One model on one trial each. */
  readonly series: readonly SeriesFile[];
}

/**
 * rmse: the error, on test rows, of what each model kept, mean over the trials; of classes by
 * calibrated probabilities where these are used, which they are of models alone. The rest on
 * those of the first trial alone, where the page holds predictions of them: mae, the mean
 * absolute error; r2, 1 − squared error/squared distance of these rows from their own mean;
 * auc, of a target of two values the share of pairs of rows that differ in it
 * that are in order, ties half; accuracy, of two classes the share of rows whose own class
 * has at least half of the probability.
 */
type StandingFile = Pick<Standing, "whose"> & { readonly rmse: number } & Pick<Measured, "mae" | "r2" | "auc" | "accuracy">;

interface SeriesFile {
  readonly model: Model;
  /** Counts from 0. */
  readonly trial: number;
  /** Test error of the training rows' mean. */
  readonly mean: number;
  /** Test error of ridge regression, and its penalty per row. */
  readonly ridge: number;
  readonly ridgeLambda: number;
  readonly done: boolean;
  /** Why the last candidate stopped, as a sentence; "" before. */
  readonly stop: string;
  /** What is kept so far: of the candidate best on validation rows its iteration best there, or the last where there are none. */
  readonly kept: {
    /** Index into candidates. */
    readonly candidate: number;
    readonly rank: number;
    readonly lambda: number;
    readonly weights: number;
    readonly hats: boolean;
    readonly iteration: number;
    readonly valid: number;
    /** Once done, of classes by calibrated probabilities where these are used; the candidates' are not. */
    readonly test: number;
  };
  /** How many test rows lie within the prediction intervals; null where there are none, and of all trials but the first. */
  readonly intervals: {
    /** The share that should. */
    readonly level: number;
    /** Rows whose errors they come from, and fits that these are errors of; 0 fits: errors of the model itself on validation rows. */
    readonly rows: number;
    readonly folds: number;
    readonly covered: number;
    /** Of the test rows, in which each counts its weight. */
    readonly share: number;
    /** 95 % interval of the share of such rows that lie within. */
    readonly from: number;
    readonly to: number;
    /** Mean, in units of the target. */
    readonly width: number;
  } | null;
  readonly candidates: readonly Candidate[];
}

/** A rank, penalties and an encoding that were tried, with a record an iteration in columns of one length. */
interface Candidate {
  /** 0 of ridge itself, which block ALS starts from. */
  readonly rank: number;
  /** The penalty per row; of block ALS on a table that of the factors, in pseudo-rows. */
  readonly lambda: number;
  /** The penalty of the weights under block ALS on a table, in pseudo-rows; else 0, and `lambda` is theirs too. */
  readonly weights: number;
  /** Whether numbers were encoded as piecewise-linear bases. */
  readonly hats: boolean;
  /** From 0, the start. */
  readonly iteration: readonly number[];
  /** The error on validation rows; null where there are none. */
  readonly valid: readonly number[];
  /** The error on test rows. */
  readonly test: readonly number[];
}

function seriesFile(series: Series, found: Intervals | undefined): SeriesFile {
  const { model, trial, mean, ridge, ridgeLambda } = series.started;
  const lead = leading(series);
  const candidates = series.starts.map((from, at): Candidate => {
    const to = series.starts[at + 1] ?? series.iteration.length;
    const tried = { rank: series.rank[at] ?? Number.NaN, lambda: series.lambda[at] ?? Number.NaN, weights: series.weights[at] ?? Number.NaN, hats: series.hats[at] ?? false };
    return { ...tried, iteration: series.iteration.slice(from, to), valid: series.valid.slice(from, to), test: series.test.slice(from, to) };
  });
  const { rank = Number.NaN, lambda = Number.NaN, weights = Number.NaN, hats = false } = candidates[series.lead] ?? {};
  const kept = { candidate: series.lead, rank, lambda, weights, hats, iteration: lead.iteration[lead.kept] ?? Number.NaN, valid: lead.valid, test: lead.error };
  const intervals = found ? { level: found.level, rows: found.rows, folds: found.folds, covered: found.covered, share: found.share, from: found.from, to: found.to, width: found.width } : null;
  return { model, trial, mean, ridge, ridgeLambda, done: series.done, stop: series.stop, kept, intervals, candidates };
}

/** The file of a run as it stands: a line a series. */
export async function json(training: Training, about: string, link: string, turns: Turns): Promise<Blob> {
  const { version, query, phase, started, notices, error, series, trials, lines, intervals } = training;
  const measures = new Measures();
  const standing = ({ whose, error: rmse }: Standing): StandingFile => {
    const { mae, r2, auc, accuracy } = measures.of(training, whose);
    return { whose, rmse, mae, r2, auc, accuracy };
  };
  const file: Omit<RunFile, "series"> = {
    product, version, link, spec: parse(query).spec, about, phase, target: started?.target ?? "", measure: started?.measure ?? "rmse", features: started?.features ?? [],
    notices, error: error?.message ?? null, standings: standings(trials, lines).map(standing),
  };
  const head = Object.entries(file).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const all: string[] = [];
  const found = [...intervals.answers.values()].filter(({ done }) => done);
  for (const one of series.map((own) => seriesFile(own, own.started.trial === 0 ? found.find(({ model }) => model === own.started.model) : undefined))) {
    all.push(`    ${JSON.stringify(one)}`);
    if (turns.due) await turns.pass(all.length / series.length);
  }
  const text = `{\n${head.join(",\n")},\n  "series": [\n${all.join(",\n")}\n  ]\n}\n`;
  return new Blob([text.replaceAll("<", "\\u003c")], { type: "application/json" }); // harmless within a page too
}
