import type { Intervals } from "../engine/protocol.js";
import { parse } from "../state/spec.js";
import { product } from "../text/strings.js";
import { Measures } from "../training/measures.js";
import { leading, type Series } from "../training/series.js";
import { standings } from "../training/standing.js";
import type { Training } from "../training/training.js";
import type { Turns } from "./turns.js";

/**
 * A run as a JSON file: its settings, its results and all records, a line a series.
 * Numbers read back exactly; NaN is null. RMSE is in target units, log-loss in nats.
 */
export async function runFile(training: Training, about: string, link: string, turns: Turns): Promise<Blob> {
  const { version, query, phase, started, notices, error, series, trials, lines, intervals } = training;
  const measures = new Measures();
  const file = {
    product,
    version, // of the engine: the same spec and version give the same numbers on any machine
    link, // repeats the run; a reader's own table has to be opened there
    spec: parse(query).spec, // every setting, in the words of links
    about, // how the numbers were made, as a sentence
    phase, // where the run stood when it was saved: "done" at its end
    target: started?.target ?? "", // "y" of drawn rows
    measure: started?.measure ?? "rmse", // of all errors, whatever they are called
    features: started?.features ?? [], // the columns of the design
    notices, // what the engine had to say of the data
    error: error?.message ?? null, // why the run, or a part of it, failed, as a sentence
    splits: trials.length, // of the rows, whose errors are compared
    // All that was compared, the best first. rmse is the mean error on test rows over the splits; of a
    // model of classes that of calibrated probabilities where these are used. The rest is of the first
    // trial, where the page holds its predictions: r2 is 1 − squared error/squared distance of these rows
    // from their mean, auc the share of pairs of rows with different values that are in order, ties half,
    // accuracy the share of rows whose own class has at least half of the probability.
    standings: standings(trials, lines).map(({ whose, error: rmse }) => {
      const { mae, r2, auc, accuracy } = measures.of(training, whose);
      return { whose, rmse, mae, r2, auc, accuracy };
    }),
  };
  const head = Object.entries(file).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const found = [...intervals.answers.values()].filter(({ done }) => done);
  const all: string[] = [];
  for (const one of series) {
    const { model, trial } = one.started;
    all.push(`    ${JSON.stringify(seriesOf(one, trial === 0 ? found.find((of) => of.model === model) : undefined))}`);
    if (turns.due) await turns.pass(all.length / series.length);
  }
  const text = `{\n${head.join(",\n")},\n  "series": [\n${all.join(",\n")}\n  ]\n}\n`;
  return new Blob([text.replaceAll("<", "\\u003c")], { type: "application/json" }); // harmless within a page too
}

function seriesOf(series: Series, found: Intervals | undefined): object {
  const { starts, done, stop, lead: candidate } = series;
  const { model, trial, mean, ridge, ridgeLambda } = series.started;
  const lead = leading(series);
  const candidates = starts.map((from, at) => {
    const to = starts[at + 1] ?? series.iteration.length;
    return {
      rank: series.rank[at] ?? Number.NaN, // 0 of ridge itself, which block ALS starts from
      lambda: series.lambda[at] ?? Number.NaN, // the penalty per row; of block ALS on a table that of the factors, in pseudo-rows
      weights: series.weights[at] ?? Number.NaN, // the penalty of the weights under block ALS on a table, in pseudo-rows; else 0, and lambda is theirs too
      hats: series.hats[at] ?? false, // numbers were encoded as piecewise-linear bases
      iteration: series.iteration.slice(from, to), // from 0, the start
      valid: series.valid.slice(from, to), // the error on validation rows; null where there are none
      test: series.test.slice(from, to),
    };
  });
  const { rank = Number.NaN, lambda = Number.NaN, weights = Number.NaN, hats = false } = candidates[candidate] ?? {};
  return {
    model,
    trial, // from 0
    mean, // test error of the training rows' mean
    ridge, // and of ridge regression, with its penalty per row
    ridgeLambda,
    done,
    stop, // why the last candidate stopped, as a sentence; "" before
    // Of the candidate best on validation rows its best iteration there, or the last where there are no such rows.
    // Once done, test is of calibrated probabilities where these are used; the candidates' are not.
    kept: { candidate, rank, lambda, weights, hats, iteration: lead.iteration[lead.kept] ?? Number.NaN, valid: lead.valid, test: lead.error },
    intervals: found ? intervalsOf(found) : null, // of the first trial
    candidates,
  };
}

function intervalsOf({ level, rows, folds, covered, share, from, to, width }: Intervals): object {
  return {
    level, // the share that should
    rows, // whose errors they come from, of fits on so many folds; 0: the model's own on validation rows
    folds,
    covered,
    share, // of the test rows, in which each counts its weight
    from, // 95 % interval of the share of such rows that lie within
    to,
    width, // mean, in units of the target
  };
}
