// Who predicts how well, judged by test RMSE alone: the decisions behind the
// sentences. The words are in panel/strings.ts.
import type { Spec } from "../state/spec.js";
import type { Line, Model, Trial } from "./series.js";

export interface Standing {
  readonly whose: Model | "mean" | "ridge" | "quadratic";
  readonly rmse: number; // test rows, mean over the trials
}

/** Differences in test RMSE below this share are no reason to prefer either. */
const LEVEL = 0.01;

/** The reference lines: the mean, ridge and quadratic ridge, each averaged over the trials that have come; who is missing in one of them is left out. */
export function baselines(trials: readonly Trial[]): Standing[] {
  const average = (of: (trial: Trial) => number): number => trials.reduce((sum, trial) => sum + of(trial), 0) / trials.length;
  const all: Standing[] = [
    { whose: "mean", rmse: average((trial) => trial.mean) },
    { whose: "ridge", rmse: average((trial) => trial.ridge) },
    { whose: "quadratic", rmse: average((trial) => trial.quadratic) },
  ];
  return all.filter((b) => Number.isFinite(b.rmse));
}

/** All that was compared, the best first. */
export function standings(trials: readonly Trial[], lines: readonly Line[]): Standing[] {
  const all = [...baselines(trials), ...lines.map((line) => ({ whose: line.model, rmse: line.kept }))];
  return all.filter((s) => !Number.isNaN(s.rmse)).sort((a, b) => a.rmse - b.rmse);
}

function rmseOf(trial: Trial, whose: Standing["whose"]): number {
  return isModel(whose) ? (trial.kept.get(whose) ?? Number.NaN) : trial[whose];
}

/** In how many trials nothing else was as good. */
export function wins(trials: readonly Trial[], whose: Standing["whose"]): number {
  return trials.filter((trial) => {
    const own = rmseOf(trial, whose);
    return (["mean", "ridge", "quadratic", ...trial.kept.keys()] as const).every((other) => other === whose || !(rmseOf(trial, other) <= own));
  }).length;
}

/** In how many trials it was better than ridge. */
export function belowRidge(trials: readonly Trial[], whose: Standing["whose"]): number {
  return trials.filter((trial) => rmseOf(trial, whose) < trial.ridge).length;
}

/** The model to show: best on validation rows where there are some, never chosen by its test rows. */
export function leader(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>((best, line) => (best && !(line.valid < best.valid) ? best : line), undefined);
}

/** How FM and iFM end, on the truth of a scenario. */
export type Ending =
  | "stuck" // FM is no better than a model without interactions, iFM is far below
  | "nearlyStuck" // FM is a little better than that
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
  if (fm > 0.75 * ridge) return fm > 0.97 * ridge ? "stuck" : "nearlyStuck";
  return truth === "mixed" && fm > 0.05 * ridge ? "halfway" : "behind";
}

/** The RMSE that noise alone makes, from the mean's, which holds it too. */
export function floor(mean: number, noise: number): number {
  return (mean * noise) / Math.hypot(1, noise);
}

/**
 * Whether a predicts the same rows better than b by more than chance explains:
 * by two standard errors of the difference in squared error, or by three in
 * absolute error, where a single row weighs less.
 */
export function ahead(actual: Float64Array, a: Float64Array, b: Float64Array): boolean {
  const squared = lead(actual, a, b, 2);
  return squared > 2 || (squared > 0 && lead(actual, a, b, 1) > 3);
}

/** How many standard errors the mean of a's errors, raised to a power, is below that of b's. Plain loops: there may be hundreds of thousands of rows. */
function lead(actual: Float64Array, a: Float64Array, b: Float64Array, power: 1 | 2): number {
  const n = actual.length;
  const gains = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const y = actual[i] as number;
    const offA = Math.abs((a[i] as number) - y);
    const offB = Math.abs((b[i] as number) - y);
    const gain = power === 2 ? offB * offB - offA * offA : offB - offA;
    gains[i] = gain;
    sum += gain;
  }
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += ((gains[i] as number) - mean) ** 2;
  return mean / Math.sqrt(squares / (n - 1) / n);
}

/** Whether it has factors, and is no simpler than those that have none. */
export function isModel(whose: Standing["whose"]): whose is Model {
  return whose === "fm" || whose === "gfm" || whose === "ifm";
}

/** What the standings of a reader's table say. Of those that are level the first of mean, ridge, quadratic ridge and factorization machines is preferred. */
export type Judgement =
  | "exact" // ridge is as good as exact: a column may be a part of the target
  | "nothing" // the mean is best: the columns do not tell the target
  | "hardly" // the best is no better than the mean to speak of
  | "simple" // ridge is best
  | "simpleLevel" // ridge is best, and another level with it
  | "level" // another is best, but no better than ridge to speak of
  | "unsure" // and better, but by less than chance explains
  | "products" // quadratic ridge is best, and clearly better than ridge
  | "productsLevel" // and a factorization machine level with it
  | "pairs" // a factorization machine is clearly better than ridge, but not than quadratic ridge
  | "pairsUnsure" // and better than that by less than chance explains
  | "pays"; // a factorization machine is clearly better than both

/** sure tells of each simpler model whether the best is better than it by more than chance explains. */
export function judge(all: readonly Standing[], sure: (than: "ridge" | "quadratic") => boolean): Judgement {
  const [best, ...rest] = all;
  const of = (whose: Standing["whose"]): number => all.find((s) => s.whose === whose)?.rmse ?? Number.NaN;
  const level = (rmse: number): boolean => (best?.rmse ?? Number.NaN) > rmse * (1 - LEVEL); // false where it was not fitted
  const near = (some: readonly Standing[]): boolean => some.some((s) => s.whose !== "mean" && level(s.rmse));
  if (of("ridge") < 0.01 * of("mean")) return "exact";
  if (best?.whose === "mean") return "nothing";
  if (level(of("mean"))) return "hardly";
  if (best?.whose === "ridge") return near(rest) ? "simpleLevel" : "simple";
  if (level(of("ridge"))) return "level";
  if (!sure("ridge")) return "unsure";
  if (best?.whose === "quadratic") return near(rest) ? "productsLevel" : "products";
  if (level(of("quadratic"))) return "pairs";
  return Number.isNaN(of("quadratic")) || sure("quadratic") ? "pays" : "pairsUnsure";
}
