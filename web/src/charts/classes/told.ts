// What two classes are told apart by: names of who does it, and the counts at a threshold.
import type { Classes, Told } from "../../engine/protocol.js";
import type { Model } from "../../training/series.js";

/** Who tells classes: the model that is looked at, and the baselines beside it. */
export type Teller = Model | "ridge" | "trees";

export const THRESHOLDS = 200; // steps from probability 0 to 1

/** Whose each of them is, the model first. */
export function tellers(classes: Classes, model: Model): (readonly [Teller, Told])[] {
  return classes.told.map((told) => [told.whose === "model" ? model : told.whose, told] as const);
}

/** Test rows by their class, and whether their probability is at the threshold or above. */
export interface Counts {
  readonly truePositive: number;
  readonly falseNegative: number;
  readonly falsePositive: number;
  readonly trueNegative: number;
}

/** At the threshold k/200. */
export function counts({ ones, zeros }: Classes, { onesFrom, zerosFrom }: Told, k: number): Counts {
  const truePositive = onesFrom[k] ?? 0;
  const falsePositive = zerosFrom[k] ?? 0;
  return { truePositive, falseNegative: ones - truePositive, falsePositive, trueNegative: zeros - falsePositive };
}

/** Shares of test rows; NaN where there are none to share. */
export interface Rates {
  readonly accuracy: number;
  readonly precision: number; // of those taken for class 1
  readonly recall: number; // of class 1: the true positive rate
  readonly specificity: number; // of class 0: 1 − the false positive rate
}

export function rates({ truePositive: tp, falseNegative: fn, falsePositive: fp, trueNegative: tn }: Counts): Rates {
  return { accuracy: (tp + tn) / (tp + fn + fp + tn), precision: tp / (tp + fp), recall: tp / (tp + fn), specificity: tn / (tn + fp) };
}
