// Who predicts how well, judged on test rows alone: the decisions behind the
// sentences. The words are in panel/strings.ts.
import type { Spec } from "../state/spec.js";
import type { Line, Model, Trial } from "./series.js";
import { fitted, type Training } from "./training.js";

export interface Standing {
  readonly whose: Model | "mean" | "ridge" | "quadratic" | "trees";
  readonly error: number; // of the test rows, in the run's measure, mean over the trials
}

/** What is below the mean's error by less than this share says little. */
const LITTLE = 0.01;

/** Models within this multiple of the lowest error count as equally good; the simplest is advised. */
const CLOSE = 1.1;

/** The reference lines: the mean, ridge, quadratic ridge and boosted trees, each averaged over the trials that have come; who is missing in one of them is left out. */
export function baselines(trials: readonly Trial[]): Standing[] {
  const average = (of: (trial: Trial) => number): number => trials.reduce((sum, trial) => sum + of(trial), 0) / trials.length;
  const all: Standing[] = [
    { whose: "mean", error: average((trial) => trial.mean) },
    { whose: "ridge", error: average((trial) => trial.ridge) },
    { whose: "quadratic", error: average((trial) => trial.quadratic) },
    { whose: "trees", error: average((trial) => trial.trees) },
  ];
  return all.filter((b) => Number.isFinite(b.error));
}

/** All that was compared, the best first. */
export function standings(trials: readonly Trial[], lines: readonly Line[]): Standing[] {
  const all = [...baselines(trials), ...lines.map((line) => ({ whose: line.model, error: line.kept }))];
  return all.filter((s) => !Number.isNaN(s.error)).sort((a, b) => a.error - b.error);
}

function errorOf(trial: Trial, whose: Standing["whose"]): number {
  return isModel(whose) ? (trial.kept.get(whose) ?? Number.NaN) : trial[whose];
}

/** In how many trials nothing else that is in all of them was as good. */
export function wins(trials: readonly Trial[], whose: Standing["whose"]): number {
  const others = (["mean", "ridge", "quadratic", "trees", "fm", "gfm", "ifm"] as const).filter((other) => other !== whose && trials.every((trial) => !Number.isNaN(errorOf(trial, other))));
  return trials.filter((trial) => {
    const own = errorOf(trial, whose);
    return !Number.isNaN(own) && others.every((other) => !(errorOf(trial, other) <= own));
  }).length;
}

/** In how many trials it was better than ridge. */
export function belowRidge(trials: readonly Trial[], whose: Standing["whose"]): number {
  return trials.filter((trial) => errorOf(trial, whose) < trial.ridge).length;
}

/** The model to show: best on validation rows where there are some, never chosen by its test rows. */
export function leader(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>((best, line) => (best && !(line.valid < best.valid) ? best : line), undefined);
}

/** How FM and iFM end, on the truth of a scenario. */
export type Ending =
  | "stuck" // FM is less than a quarter below a model without interactions, or above it, and iFM is far below
  | "halfway" // FM captures the positive part of a truth of both signs, iFM is far below
  | "behind" // FM is far above iFM for another reason
  | "both" // both fit the truth
  | "overfit" // ridge is below both: there are too few rows
  | "ahead" // FM is far below iFM: its own assumption holds
  | "level";

interface Ends {
  readonly fm: number;
  readonly ifm: number;
  readonly ridge: number;
  readonly mean: number;
}

/** Less than a tenth of the other's error counts as far below. */
export function ending({ fm, ifm, ridge, mean }: Ends, truth: Spec["scenario"]): Ending {
  if (Math.max(fm, ifm) < 1e-5 * mean) return "both";
  if (Math.min(fm, ifm) > ridge) return "overfit";
  if (ifm >= fm / 10) return fm < ifm / 10 ? "ahead" : "level";
  if (fm > 0.75 * ridge) return "stuck";
  return truth === "mixed" && fm > 0.05 * ridge ? "halfway" : "behind";
}

/** The RMSE that noise alone makes, from the mean's, which holds it too. */
export function floor(mean: number, noise: number): number {
  return (mean * noise) / Math.hypot(1, noise);
}

/** Whether it has factors. */
export function isModel(whose: Standing["whose"]): whose is Model {
  return whose === "fm" || whose === "gfm" || whose === "ifm";
}

/** What paired squared errors on the same rows tell of one beside another. */
export type Outcome = "better" | "level" | "worse";

/** The fewest test rows that can tell anything. */
export const FEWEST = 6;

/**
 * t as error.ts has it, of so many rows: beyond two standard errors, or what
 * these are on few rows, is more than chance explains. The bound is the quantile
 * of Student's t, by the expansion of Cornish and Fisher, to .005.
 */
export function outcome(t: number, rows: number): Outcome {
  if (rows < FEWEST) return "level";
  const free = rows - 1;
  const bound = 2 + 2.5 / free + 3.0625 / free ** 2 + 2.859 / free ** 3;
  return t > bound ? "better" : t < -bound ? "worse" : "level";
}

/** Whether the larger of two errors is within a tenth of the smaller. */
function close(a: number, b: number): boolean {
  return Math.max(a, b) <= CLOSE * Math.min(a, b);
}

/** How one stands beside another on test rows: as a test tells, or, where it does not, ahead or behind by more than a tenth. */
export const BESIDE = ["better", "worse", "level", "ahead", "behind"] as const;
export type Beside = (typeof BESIDE)[number];

export function beside(tells: Outcome, own: number, its: number): Beside {
  if (tells !== "level" || close(own, its)) return tells;
  return own < its ? "ahead" : "behind";
}

/**
 * What a reader should use, of all that was compared, the best first: ridge, else quadratic ridge, else the model that
 * validation rows chose, else the best on test rows. The first three only within a tenth of the lowest test error, below
 * the mean's, and where no test tells that the best is better.
 */
export function advised(all: readonly Standing[], lead: Model, better: (best: Standing["whose"], other: Standing["whose"]) => boolean): Standing | undefined {
  const best = all.find(({ whose }) => whose !== "mean");
  const mean = all.find(({ whose }) => whose === "mean")?.error ?? Number.POSITIVE_INFINITY;
  const instead = (["ridge", "quadratic", lead] as const).map((whose) => all.find((s) => s.whose === whose));
  return best && (instead.find((s) => s && close(s.error, best.error) && s.error < mean && !better(best.whose, s.whose)) ?? best);
}

/** What is to be said of a reader's table before models are compared. */
export type Judgement =
  | "exact" // ridge is as good as exact: a column may be a part of the target
  | "nothing" // none is better than the mean to speak of: the columns do not tell the target
  | "trees" // boosted trees alone are: the columns tell what no model here says
  | "ridge" // factors did not pay on validation rows: the model that leads is ridge itself
  | "compared"; // the model that leads stands beside the others

/** rank is that of the model that leads. */
export function judge(all: readonly Standing[], rank: number): Judgement {
  const of = (whose: Standing["whose"]): number => all.find((s) => s.whose === whose)?.error ?? Number.NaN;
  const best = Math.min(...all.filter((s) => s.whose !== "mean" && s.whose !== "trees").map((s) => s.error));
  if (of("ridge") < 0.01 * of("mean")) return "exact";
  if (best > (1 - LITTLE) * of("mean")) return of("trees") < (1 - LITTLE) * of("mean") ? "trees" : "nothing";
  return rank === 0 ? "ridge" : "compared";
}

/** What each predicts for the same test rows, those of the first trial; nothing of the mean. */
export interface Predicted {
  readonly actual: Float64Array;
  readonly weight: Float64Array; // of the rows; empty where all count the same
  readonly by: ReadonlyMap<Standing["whose"], Float64Array>;
}

/** All that has been predicted so far; null before. */
export function predicted({ predictions, quadratic, trees }: Training): Predicted | null {
  const [first] = predictions.values();
  if (!first) return null;
  const by = new Map<Standing["whose"], Float64Array>([["ridge", first.ridge]]);
  if (fitted(quadratic)) by.set("quadratic", quadratic.predicted);
  const grown = trees.answers.get(0);
  if (grown?.done) by.set("trees", grown.predicted);
  for (const [model, own] of predictions) by.set(model, own.predicted);
  return { actual: first.actual, weight: first.weight, by };
}
