// The words of two classes.
import type { Classes } from "../../engine/protocol.js";
import { count, inside, number, percent } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { pointing } from "../strings.js";

/** A probability with three decimals, as a threshold of k/200 needs. */
const probability = (p: number): string => p.toFixed(3);

export const classes = {
  of: (target: string, name: string) => `${target} = ${name}`,
  soon: "It is drawn when the run is over.",
};

export const roc = {
  title: (what: string) => `ROC: how ${what} is told apart at every threshold`,
  x: "false positive rate",
  y: "true positive rate",
  chance: "chance",
  cursor: "Threshold under the cursor",
  hint: pointing("the curve", "a threshold"),
  at: (threshold: number, falsePositive: number, truePositive: number) =>
    threshold > 1 ? "No row is taken for it: both rates are 0." : `Taken for it from probability ${probability(threshold)}: ${percent(truePositive)} of those that are, ${percent(falsePositive)} of those that are not`,
  describe: (what: string, ones: number, zeros: number, told: readonly string[]) => `ROC curves for ${what} on ${counted(ones, "test row")} that are and ${count(zeros)} that are not. Area under the curve: ${told.join(", ")}; chance is 0.5.`,
  area: (name: string, auc: number) => `${name} ${inside(auc, 1, 3)}`,
  key: (name: string, auc: number) => `${name}, AUC ${inside(auc, 1, 3)}`,
  data: "This curve as a table",
  columns: (name: string) => ({ threshold: "Threshold", falsePositive: `False positive rate, ${name}`, truePositive: `True positive rate, ${name}` }),
};

const unseen = (rows: number): string => counted(rows, "row that did not train", "rows that did not train");

export const reliability = {
  title: (what: string) => `Reliability: does a probability of ${what} come true?`,
  x: "predicted probability",
  y: "observed share",
  exact: "as often as predicted",
  cursor: "Part under the cursor, from the least probable rows",
  hint: pointing("a part", "its rows"),
  at: (rows: number, mean: number, share: number, low: number, high: number) => `${counted(rows, "test row")} of probability ${probability(mean)} on average: ${percent(share)} are, interval ${percent(low)} to ${percent(high)}`,
  describe: (what: string, name: string, parts: number, inside: number) =>
    `Reliability of ${name} for ${what}: test rows in ${counted(parts, "part")} by rising probability. In ${count(inside)} of them the observed share’s 95 % interval holds the mean probability.`,
  data: "These parts as a table",
  columns: { rows: "Rows", mean: "Mean probability", share: "Observed share", low: "From", high: "To" },
  calibrated: (name: string, rows: number, plain: number, fitted: number) => `The probabilities of ${name} are calibrated: ${unseen(rows)} showed that they were off. Test log-loss ${number(plain)} before, ${number(fitted)} now.`,
  asTheyAre: (name: string, rows: number) => (rows > 0 ? `The probabilities of ${name} are not calibrated: ${unseen(rows)} show no more than chance that they are off.` : `The probabilities of ${name} are not calibrated: no rows of both classes are left to do it on.`),
};

export const threshold = {
  title: (what: string) => `Rows taken for ${what} at a threshold`,
  label: (what: string) => `From which probability a row is taken for ${what}`,
  value: probability,
  half: "Back to 0.5",
  caption: (what: string, k: string) => `Test rows, taken for ${what} from probability ${k}`,
  who: "By",
  columns: { accuracy: "Accuracy", precision: "Precision", recall: "Recall", specificity: "Specificity", truePositive: "True pos.", falsePositive: "False pos.", falseNegative: "False neg.", trueNegative: "True neg." },
  always: ({ names, ones, zeros }: Pick<Classes, "names" | "zeros" | "ones">) => `Always saying ${ones > zeros ? names[1] : names[0]} is right in ${percent(Math.max(ones, zeros) / (ones + zeros))}.`,
  means: (what: string, not: string) => `Precision: of the rows taken for ${what}, the share that are. Recall: of those that are, the share taken for it. Specificity: of ${not}, the share not taken for it.`,
};
