// The words of test rows.
import { cell, count, number, percent, signed } from "../../text/format.js";
import { counted, short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";

/** Where a test row stands: in a file, or among drawn ones. */
const place = { line: (n: number) => `Line ${count(n)}`, row: (n: number) => `Row ${count(n)}` };

/** Of test rows, one by one. */
export const fit = {
  model: "Model",
  scatter: (name: string) => `Predicted against actual, ${name}`,
  actual: (target: string) => `actual ${target}`,
  predictedOf: (target: string) => `predicted ${target}`,
  predicted: "predicted",
  residual: "predicted − actual",
  soon: "The test rows appear here with the first iteration.",
  cursor: "Test row under the cursor, largest error first",
  place,
  row: (place: string, actual: number, predicted: number) => `${place}: actual ${number(actual, 4)}, predicted ${number(predicted, 4)}, off by ${signed(predicted - actual)}`,
  data: "The largest errors as a table",
  hint: (touch: boolean) => (touch ? "Touch a point for its row." : "Point at a row, or use the arrow keys: largest error first."),
  sampled: (shown: number, all: number) => `${count(shown)} of ${count(all)} test rows drawn.`,
  describeResiduals: (whose: Model | "ridge", rows: number, rmse: number, bias: number) => `Scatter of predicted − actual against predicted for ${counted(rows, "test row")}, ${short[whose]}: RMSE ${number(rmse)}, bias ${signed(bias)}. Points on the zero line are predicted exactly.`,
  describe: (whose: Model | "ridge", rows: number, rmse: number, r: number) => `Scatter of predicted against actual for ${counted(rows, "test row")}, ${short[whose]}: RMSE ${number(rmse)}, correlation ${r.toFixed(2)}. Points on the diagonal are predicted exactly.`,
  columns: { line: "Line", row: "Row", actual: "Actual", predicted: "Predicted", error: "Error" },
  exact: "predicted exactly",
  predictedBy: (target: string, name: string) => `predicted ${target}, ${name}`,
};

export const residuals = {
  title: (target: string) => `Errors on the test rows, predicted − actual ${target}`,
  mode: "What is drawn",
  modes: { histogram: "How many", against: "By prediction" },
  x: (target: string) => `predicted − actual ${target}`,
  y: "test rows",
  soon: "The errors appear here with the first iteration.",
  cursor: "Size of the error under the cursor",
  hint: (touch: boolean) => (touch ? "Touch the bars for counts." : "Point at the outlines, or use the arrow keys, for exact counts."),
  count: (name: string, n: number) => `${name} ${count(n)}`,
  at: (range: string, parts: readonly string[]) => `Off by ${range}: ${parts.join(", ")}`,
  between: (low: number, high: number) => `${cell(low)} to ${cell(high)}`,
  below: (high: number) => `${cell(high)} or less`,
  above: (low: number) => `${cell(low)} or more`,
  describe: (rows: number) => `Histogram of predicted − actual for ${counted(rows, "test row")}, one outline a model.`,
  spread: (name: string, rmse: number, bias: number, within: number, worst: number, place: string) => `${name}: RMSE ${number(rmse)}, bias ${signed(bias)}, ${percent(within)} within one standard deviation of it, worst ${signed(worst)} at ${place.toLowerCase()}.`,
  place,
  data: "These counts as a table",
  residual: "Predicted − actual",
  from: "predicted − actual from",
  to: "to",
  facts: { rmse: "RMSE", bias: "Bias", within: "Within ± 1 sd", worst: "Worst" },
};

export const strongest = {
  title: (name: string) => `The strongest interactions ${name} has learnt`,
  soon: "The strongest interactions are named here when the run is over.",
  columns: { pair: "Pair", bar: "Bar", value: "Strength", sign: "Together" },
  positive: "more",
  negative: "less",
  level: (column: string, level: string) => `${column} = ${level}`,
  other: (column: string) => `${column} = another`,
  missing: (column: string) => `${column} missing`,
  near: (column: string, knot: number) => `${column} near ${number(knot)}`,
  note: (target: string) => `In ${target}, for a number one standard deviation higher and for a category that applies. xᵀMx counts each pair twice: both together change the prediction by twice the strength, beyond what each does alone. Two levels of one column never occur together and are left out.`,
  says: {
    numbersUp: (a: string, b: string, target: string) => `The higher ${a}, the more ${b} raises ${target}, or the less it lowers it.`,
    numbersDown: (a: string, b: string, target: string) => `The higher ${a}, the more ${b} lowers ${target}, or the less it raises it.`,
    levelUp: (a: string, b: string, target: string) => `Where ${a}, a higher ${b} raises ${target} more than elsewhere, or lowers it less.`,
    levelDown: (a: string, b: string, target: string) => `Where ${a}, a higher ${b} lowers ${target} more than elsewhere, or raises it less.`,
    levelsUp: (a: string, b: string, target: string) => `${a} and ${b} together mean a higher ${target} than the two add up to.`,
    levelsDown: (a: string, b: string, target: string) => `${a} and ${b} together mean a lower ${target} than the two add up to.`,
  },
};
