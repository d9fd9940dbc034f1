// What two classes are told apart by: names of who does it, and the counts at a threshold.
import type { Classes, Told } from "../../engine/protocol.js";
import type { Model } from "../../training/series.js";

/** Who tells classes: the model that is looked at, and the baselines beside it. */
export type Teller = Model | "ridge" | "trees";

export const THRESHOLDS = 200; // steps from probability 0 to 1

/** Who tells the same test rows apart, the one that is looked at first. */
export interface Tellers extends Pick<Classes, "names" | "zeros" | "ones"> {
  readonly told: readonly (readonly [Teller, Told])[];
}

/** What is known of a model and of the baselines; of trees what has come since the model was asked. */
export function tellers({ names, zeros, ones, told }: Classes, trees: Told | null, model: Model, first: Teller): Tellers {
  const all = [...told.filter(({ whose }) => whose !== "trees" || !trees), ...(trees ? [trees] : [])];
  const named = all.map((one) => [one.whose === "model" ? model : one.whose, one] as const);
  return { names, zeros, ones, told: [...named.filter(([whose]) => whose === first), ...named.filter(([whose]) => whose !== first)] };
}

/** What test rows count by their class, and whether their probability is at the threshold or above. */
export interface Counts {
  readonly truePositive: number;
  readonly falseNegative: number;
  readonly falsePositive: number;
  readonly trueNegative: number;
}

/** At the threshold k/200. */
export function counts({ ones, zeros }: Pick<Classes, "ones" | "zeros">, { onesFrom, zerosFrom }: Told, k: number): Counts {
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
