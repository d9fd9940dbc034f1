// Who predicts how well, judged by test RMSE alone: the decisions behind the
// sentences. The words are in strings.ts.
import type { Line, Model, Trial } from "./series.js";

export interface Standing {
  readonly whose: Model | "mean" | "ridge";
  readonly rmse: number; // test rows, mean over the trials
}

/** Differences in test RMSE below this share are no reason to prefer either. */
const LEVEL = 0.01;

/** The reference lines: the mean and ridge, each averaged over the trials that have come. */
export function baselines(trials: readonly Trial[]): Standing[] {
  const average = (of: (trial: Trial) => number): number => trials.reduce((sum, trial) => sum + of(trial), 0) / trials.length;
  const all: Standing[] = [
    { whose: "mean", rmse: average((trial) => trial.mean) },
    { whose: "ridge", rmse: average((trial) => trial.ridge) },
  ];
  return all.filter((b) => Number.isFinite(b.rmse));
}

/** All that was compared, the best first. */
export function standings(trials: readonly Trial[], lines: readonly Line[]): Standing[] {
  const all = [...baselines(trials), ...lines.map((line) => ({ whose: line.model, rmse: line.kept }))];
  return all.filter((s) => !Number.isNaN(s.rmse)).sort((a, b) => a.rmse - b.rmse);
}

function rmseOf(trial: Trial, whose: Standing["whose"]): number {
  return whose === "mean" || whose === "ridge" ? trial[whose] : (trial.kept.get(whose) ?? Number.NaN);
}

/** In how many trials nothing else was as good. */
export function wins(trials: readonly Trial[], whose: Standing["whose"]): number {
  return trials.filter((trial) => {
    const own = rmseOf(trial, whose);
    return (["mean", "ridge", ...trial.kept.keys()] as const).every((other) => other === whose || !(rmseOf(trial, other) <= own));
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
  | "halfway" // FM captures a part, iFM is far below
  | "ahead" // FM is far below iFM: its own assumption holds
  | "level";

/** Less than a tenth of the other's error counts as far below. */
export function ending(fm: number, ifm: number, ridge: number): Ending {
  if (ifm < fm / 10) return fm > 0.97 * ridge ? "stuck" : fm > 0.75 * ridge ? "nearlyStuck" : "halfway";
  return fm < ifm / 10 ? "ahead" : "level";
}

/** What the standings of a reader's table say. */
export type Judgement =
  | "nothing" // the mean is best: the columns do not tell the target
  | "simple" // ridge is best
  | "simpleLevel" // ridge is best, and a factorization machine level with it
  | "level" // a factorization machine is best, but no better than ridge to speak of
  | "pays"; // and clearly better

export function judge([best, ...rest]: readonly Standing[]): Judgement {
  if (best?.whose === "mean") return "nothing";
  const ridge = rest.find((s) => s.whose === "ridge")?.rmse ?? Number.NaN;
  if (best?.whose !== "ridge") return (best?.rmse ?? Number.NaN) > ridge * (1 - LEVEL) ? "level" : "pays";
  const next = rest[0];
  return next && next.whose !== "mean" && next.rmse < best.rmse * (1 + LEVEL) ? "simpleLevel" : "simple";
}
