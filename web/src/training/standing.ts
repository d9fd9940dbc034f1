// Who predicts how well, judged on test rows alone: the decisions behind the
// sentences. The words are in table/strings.ts.
import type { Line, Model, Trial, Whose } from "./series.js";

export interface ModelError {
  readonly whose: Whose;
  readonly error: number; // of the test rows, in the run's measure, mean over the trials
}

const BASELINES = ["mean", "ridge", "additive", "quadratic", "trees"] as const;

/** What is below the mean's error by less than this share says little. */
const LITTLE = 0.01;

/** Models within this multiple of the lowest error count as equally good; the simplest is advised. */
const CLOSE = 1.1;

/** The reference lines, averaged over the trials; one that is missing in a trial is left out. */
export function baselines(trials: readonly Trial[]): ModelError[] {
  const average = (whose: Whose): number => trials.reduce((sum, trial) => sum + trial[whose], 0) / trials.length;
  return BASELINES.map((whose) => ({ whose, error: average(whose) })).filter(({ error }) => Number.isFinite(error));
}

export function standings(trials: readonly Trial[], lines: readonly Line[]): ModelError[] {
  const mean = (model: Model): number => trials.reduce((sum, trial) => sum + trial[model], 0) / trials.length;
  const all = [...baselines(trials), ...lines.map(({ model, kept, trials: own }) => ({ whose: model, error: trials.length > own ? mean(model) : kept }))];
  return all.filter((s) => !Number.isNaN(s.error)).sort((a, b) => a.error - b.error);
}

/** In how many trials nothing else that is in all of them was better. */
export function wins(trials: readonly Trial[], whose: Whose): number {
  const others = ([...BASELINES, "fm", "gfm", "ifm"] as const).filter((other) => other !== whose && trials.every((trial) => !Number.isNaN(trial[other])));
  return trials.filter((trial) => !Number.isNaN(trial[whose]) && others.every((other) => !(trial[other] < trial[whose]))).length;
}

export function belowRidge(trials: readonly Trial[], whose: Whose): number {
  return trials.filter((trial) => trial[whose] < trial.ridge).length;
}

/** The model to show: best on validation rows where there are some, never chosen by its test rows. */
export function leader(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>((best, line) => (best && !(line.valid < best.valid) ? best : line), undefined);
}

/** The RMSE that noise alone makes, from the mean's, which holds it too. */
export function floor(mean: number, noise: number): number {
  return (mean * noise) / Math.hypot(1, noise);
}

export function isModel(whose: Whose): whose is Model {
  return whose === "fm" || whose === "gfm" || whose === "ifm";
}

/** What test rows tell of one beside another. */
export type Outcome = "better" | "level" | "worse";

function close(a: number, b: number): boolean {
  return Math.max(a, b) <= CLOSE * Math.min(a, b);
}

/** How one stands beside another on test rows: as a test tells, else ahead or behind by more than a tenth. */
export const BESIDE = ["better", "worse", "level", "ahead", "behind"] as const;
export type Beside = (typeof BESIDE)[number];

export function beside(tells: Outcome, own: number, its: number): Beside {
  if (tells !== "level" || close(own, its)) return tells;
  return own < its ? "ahead" : "behind";
}

/**
 * What a reader should use: ridge, else a curve for each column, else quadratic ridge, else the model that
 * validation rows chose, else the best on test rows. Each of the first four only within a tenth of
 * the lowest error, below the mean's, and where no test says that another is better.
 */
export function advised(all: readonly ModelError[], lead: Model, better: (one: Whose, other: Whose) => boolean): ModelError | undefined {
  const best = all.find(({ whose }) => whose !== "mean");
  const mean = all.find(({ whose }) => whose === "mean")?.error ?? Number.POSITIVE_INFINITY;
  const instead = (["ridge", "additive", "quadratic", lead] as const).map((whose) => all.find((s) => s.whose === whose));
  return best && (instead.find((s) => s && close(s.error, best.error) && s.error < mean && !all.some(({ whose }) => better(whose, s.whose))) ?? best);
}

/** What is to be said of a reader's table before models are compared. */
export type Judgement =
  | "exact" // ridge is as good as exact: a column may be a part of the target
  | "nothing" // none is better than the mean to speak of: the columns do not tell the target
  | "trees" // boosted trees alone are: the columns tell what no model here says
  | "ridge" // factors did not pay on validation rows: the model that leads is ridge itself
  | "compared"; // the model that leads stands beside the others

/** rank is that of the model that leads. */
export function judge(all: readonly ModelError[], rank: number): Judgement {
  const of = (whose: Whose): number => all.find((s) => s.whose === whose)?.error ?? Number.NaN;
  const best = Math.min(...all.filter((s) => s.whose !== "mean" && s.whose !== "trees").map((s) => s.error));
  if (of("ridge") < 0.01 * of("mean")) return "exact";
  if (best > (1 - LITTLE) * of("mean")) return of("trees") < (1 - LITTLE) * of("mean") ? "trees" : "nothing";
  return rank === 0 ? "ridge" : "compared";
}
