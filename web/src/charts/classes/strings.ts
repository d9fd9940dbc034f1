// The words of classes.
import type { Classes } from "../../engine/protocol.js";
import { count, inside, number, percent } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { pointing } from "../strings.js";

/** A probability with three decimals, as a threshold of k/200 needs. */
const probability = (p: number): string => p.toFixed(3);

export const classes = {
  of: (target: string, name: string) => `${target} = ${name}`,
  soon: "The chart appears after the run.",
};

/** What saying the commonest class of every row reaches. */
function always({ names, counts }: Pick<Classes, "names" | "counts">): string {
  const most = Math.max(...counts);
  return `Always predicting ${names[counts.indexOf(most)]} is right for ${percent(most / counts.reduce((sum, n) => sum + n, 0))}.`;
}

/** Of more than two classes. */
export const confusion = {
  rightly: "the predicted class",
  title: (name: string) => `Test rows by actual and predicted class (confusion matrix), ${name}`,
  actual: "Actual",
  predicted: "Predicted",
  how: "How to read this",
  recall: "Recall",
  precision: "Precision",
  means: (all: Pick<Classes, "names" | "counts">) => `The predicted class is the likeliest one. Darker cells hold a larger share of their row. Recall: the share of a class’s rows that are predicted as that class. Precision: the share of the rows predicted as a class that belong to it. ${always(all)}`,
};

export const roc = {
  title: (what: string) => `ROC: classifying ${what} at every threshold`,
  x: "false positive rate",
  y: "true positive rate",
  chance: "chance",
  cursor: "Threshold under the cursor",
  hint: pointing("the curve", "a threshold"),
  at: (threshold: number, falsePositive: number, truePositive: number) =>
    threshold > 1 ? "No row is classified as positive: both rates are 0." : `Threshold ${probability(threshold)}: true positive rate ${percent(truePositive)}, false positive rate ${percent(falsePositive)}`,
  describe: (what: string, ones: number, zeros: number, told: readonly string[]) => `ROC curves for ${what}: ${counted(ones, "positive test row")}, ${count(zeros)} negative. Area under the curve: ${told.join(", ")}; chance is 0.5.`,
  area: (name: string, auc: number) => `${name} ${inside(auc, 1, 3)}`,
  key: (name: string, auc: number) => `${name}, AUC ${inside(auc, 1, 3)}`,
  data: "This curve as a table",
  columns: (name: string) => ({ threshold: "Threshold", falsePositive: `False positive rate, ${name}`, truePositive: `True positive rate, ${name}` }),
};

const unseen = (rows: number): string => counted(rows, "held-out row");

export const reliability = {
  title: (what: string) => `Reliability: how often ${what} comes true`,
  x: "predicted probability",
  y: "observed share",
  exact: "as often as predicted",
  cursor: "Bin under the cursor, from the least probable rows",
  hint: pointing("a bin", "its rows"),
  at: (rows: number, mean: number, share: number, low: number, high: number) => `${counted(rows, "test row")} of mean probability ${probability(mean)}: observed share ${percent(share)}, interval ${percent(low)} to ${percent(high)}`,
  describe: (what: string, name: string, parts: number, inside: number) =>
    `Reliability of ${name} for ${what}: test rows in ${counted(parts, "bin")} of rising probability. In ${count(inside)} of them the 95 % interval of the observed share covers the mean probability.`,
  data: "The bins as a table",
  columns: { rows: "Rows", mean: "Mean probability", share: "Observed share", low: "From", high: "To" },
  calibrated: (name: string, rows: number, plain: number, fitted: number) => `${name}’s probabilities are calibrated, because ${unseen(rows)} showed that they were off. Test log-loss: ${number(plain)} before, ${number(fitted)} now.`,
  asTheyAre: (name: string, rows: number) => (rows > 0 ? `${name}’s probabilities need no correction, as far as ${unseen(rows)} can show.` : `${name}’s probabilities are used as they are, because no held-out rows of both classes are left to calibrate them.`),
};

export const threshold = {
  title: (what: string) => `Rows classified as ${what} at a threshold`,
  label: (what: string) => `Classify as ${what} from probability`,
  value: probability,
  half: "Back to 0.5",
  caption: (what: string, k: string) => `Test rows, classified as ${what} from probability ${k}`,
  who: "Model",
  columns: { accuracy: "Accuracy", precision: "Precision", recall: "Recall", specificity: "Specificity", truePositive: "True pos.", falsePositive: "False pos.", falseNegative: "False neg.", trueNegative: "True neg." },
  always,
  means: (what: string, not: string) => `Precision: the share of rows classified as ${what} that are. Recall: the share of ${what} rows classified as such. Specificity: the share of ${not} rows classified as such.`,
};
