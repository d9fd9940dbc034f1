// The words of test rows.
import { cell, count, number, percent, power, signed } from "../../text/format.js";
import { counted, duration, ended, measured, short } from "../../text/strings.js";
import type { Importance, Intervals, Measure, Pairs, SkippedPair } from "../../engine/protocol.js";
import type { Model } from "../../training/series.js";
import type { Predictor } from "./rows.js";
import { pointing } from "../strings.js";

const NAMED = 4; // of many

const product = (a: string, b: string): string => `${a} × ${b}`;

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
  soon: "The test rows appear here after the first iteration.",
  cursor: "Test row under the cursor, largest error first",
  place,
  row: (place: string, actual: number, predicted: number) => `${place}: actual ${cell(actual)}, predicted ${number(predicted, 4)}, error ${signed(predicted - actual)}`,
  data: "The largest errors as a table",
  hint: (touch: boolean) => (touch ? "Touch a point for its row." : "Point at a dot to see its row."),
  sampled: (shown: number, all: number) => `Shows ${count(shown)} of ${count(all)} test rows.`,
  describeResiduals: (whose: Predictor, rows: number, rmse: number, bias: number) => `Scatter of predicted − actual against predicted for ${counted(rows, "test row")}, ${short[whose]}: RMSE ${number(rmse)}, bias ${signed(bias)}. Points on the zero line are exact.`,
  describe: (whose: Predictor, rows: number, rmse: number, r: number) => `Scatter of predicted against actual for ${counted(rows, "test row")}, ${short[whose]}: RMSE ${number(rmse)}, correlation ${number(r, 2)}. Points on the diagonal are exact.`,
  cursorWhy: "Test row under the cursor, largest error first; Enter explains the prediction",
  hintWhy: (touch: boolean) => `${touch ? "Touch" : "Click"} a point to explain it.`,
  why: (place: string) => `${place}: why this prediction`,
  columns: { line: "Line", row: "Row", actual: "Actual", predicted: "Predicted", error: "Error" },
  exact: "predicted exactly",
  classes: (name: string) => `Probabilities of the test rows, ${name}`,
  are: (target: string, name: string) => `${target} = ${name}`,
  probability: (name: string) => `probability of ${name}`,
  by: (what: string, name: string) => `${what}, ${name}`,
  ownProbability: "probability of the actual class",
  itsProbability: "P(actual)",
  classRow: (place: string, actual: string, name: string | null, probability: number) => `${place}: ${actual}, ${name === null ? "its probability" : `probability of ${name}`} ${probability.toFixed(3)}`,
  describeClasses: (whose: Predictor, rows: number, names: readonly string[]) =>
    names.length > 2
      ? `Probability of the actual class for ${counted(rows, "test row")}, ${short[whose]}, in ${count(names.length)} bands, from below: ${names.join(", ")}.`
      : `Probabilities of ${names[1]} for ${counted(rows, "test row")}, ${short[whose]}, in two bands: rows with ${names[1]} above, rows with ${names[0]} below.`,
  predictedBy: (target: string, name: string) => `predicted ${target}, ${name}`,
  largest: "Largest errors",
  wrong: (n: number, rows: number) => `${n === 0 ? `None of ${counted(rows, "test row")} is predicted wrongly. Those` : `Only ${count(n)} of ${counted(rows, "test row")} ${n === 1 ? "is" : "are"} predicted wrongly. The others`} listed are the least certain.`,
  forgotten: "The model of this run is gone. Train again.",
  averageRow: "Explain the average row",
};

/** Of one row that the reader chose. */
export const reasons = {
  title: (name: string, line: number) => `Why ${name} predicts this for ${line === 0 ? "the average row" : `line ${count(line)}`}`,
  soon: "Explaining the prediction …",
  probability: (name: string, probability: string, quantity: string, was: string) => `Probability of ${name}: ${probability}${was} (${quantity}).`,
  probabilityOf: (name: string) => `Probability of ${name}`,
  says: (predicted: string, quantity: string, was: string) => `Predicted: ${predicted}${was}${quantity === "" ? "" : ` (${quantity})`}.`,
  was: (before: string) => `, before the change ${before}`,
  actual: (actual: string) => `Actual: ${actual}.`,
  interval: (level: number, low: string, high: string) => `${share(level)} interval: ${low} to ${high}.`,
  lower: (level: number) => `${share(level)} interval from`,
  upper: "to",
  columns: { part: "Part", bar: "Bar", adds: "Adds" },
  average: "Average prediction of the training rows",
  meanRow: "The mean row",
  predicted: "Prediction",
  missing: "missing",
  pair: product,
  both: (a: string, b: string) => `${a}, ${b}`,
  others: (n: number) => counted(n, "other"),
  how: "How to read this",
  note: (target: string, average: boolean) =>
    average
      ? `In ${target}. A column adds the difference its cell makes on average over the training rows. A pair adds what its two cells make together beyond that. Over the training rows, each part averages 0.`
      : `In ${target}. The model file has no averages of its training rows. The mean row has every number at its mean and every category at the mean of its levels. A column adds the change its own cell makes to that row. A pair adds the further change its two cells make together.`,
  close: "Close",
  closeHelp: "Close the explanation of this prediction",
};

/** Of a row whose cells are changed. */
export const whatIf = {
  title: "What if: change cells",
  file: { before: "As in the file", back: (column: string, text: string) => `${column} as in the file: ${text || "missing"}`, backAll: "All as in the file" },
  average: { before: "Average row", back: (column: string, text: string) => `${column} as in the average row: ${text || "missing"}`, backAll: "All as in the average row" },
  after: "Changed",
  slider: (column: string) => `${column}, slider`,
  missing: "missing",
  range: (least: string, most: string) => `${least} to ${most}`,
  any: "any number",
  levels: (n: number) => counted(n, "level"),
  beyond: (range: string) => `beyond the training rows (${range})`,
  unseen: (level: string) => `few training rows or none have ${level}`,
  change: (before: string, after: string) => `${before} → ${after}`,
  more: (n: number) => `Show all ${count(n)} cells`,
};

/** Of columns and pairs by importance. */
export const importance = {
  title: "Columns and pairs by importance",
  soon: "They are listed after the run.",
  says: (name: string, measure: Measure, target: string) => `Rise: how much ${name}’s test ${measured[measure]}${measure === "rmse" ? ` of ${target}` : ""} grows if the cells of a column are shuffled. Choose a column or pair to see what it adds.`,
  list: "Columns and pairs by importance; choose one to see what it adds",
  rows: ({ columns, with: others }: Importance) => columns.map((column, i) => (others[i] ? product(column, others[i]) : column)),
  names: { column: "Column or pair", rise: "Rise", interval: "95 % interval" },
  interval: (low: number, high: number) => `${signed(low, 2)} to ${signed(high, 2)}`,
  few: "too few rows",
  more: (n: number) => `Show all ${count(n)}`,
  how: "How importance is measured",
  note: "The cells of one column are shuffled among the test rows, five times. Rise: the model’s error on the shuffled rows minus its error on the rows as they are. The parts of a date are shuffled together. For a pair (×), what its two columns add together is shuffled, and what each adds alone stays. Only the strongest pairs are listed. A column that the model does not use has exactly 0. If two columns carry the same information, each looks less important, because the other still has it.",
};

/** Of what a column adds, by its cell. */
export const shapes = {
  title: (column: string, quantity: string) => `What ${column} adds to ${quantity}`,
  adds: (quantity: string) => `adds to ${quantity}`,
  none: "This column stands for many features. Its weights are in the model file.",
  data: "Data of this chart",
  cells: { missing: "missing", other: "another" },
  cursor: (column: string) => `${column} under the cursor`,
  at: (place: string, effect: number, band: readonly [number, number] | null, share: number, near: boolean) => `${place}: ${signed(effect)}${band ? `, in all fits ${signed(band[0])} to ${signed(band[1])}` : ""}${Number.isNaN(share) ? "" : `; ${percent(share)} of the training rows ${near ? "are near" : "have it"}`}`,
  density: "Grey: where the training rows are.",
  average: "The effect averages 0 over the training rows. Interactions with other columns are not included.",
  meanRow: "0 is the mean row: the model file has no averages of its training rows.",
  band: (isLine: boolean) => `${isLine ? "Band" : "Whiskers"}: from the lowest to the highest effect of this model and of four more fits, each without about a quarter of the rows (the same fits give the prediction intervals). This shows how much the effect depends on the rows. A confidence interval would be wider, because any two fits share most of their rows.`,
  some: (shown: number, all: number) => `Shows the ${count(shown)} of ${count(all)} levels farthest from 0.`,
  describe: (column: string, quantity: string, low: string, least: number, high: string, most: number) => `What ${column} adds to ${quantity}: least at ${low}, ${signed(least)}; most at ${high}, ${signed(most)}.`,
  columns: { adds: "Adds", low: "Lowest of all fits", high: "Highest of all fits", share: "Share of the training rows" },
};

/** Of prediction intervals. */
export const ranges = {
  title: "Prediction intervals",
  soon: "Prediction intervals are computed after the run.",
  stages: {
    training: (step, of, model) => `Intervals: training ${short[model]} again${of > 0 ? `, ${count(step)} of ${counted(of, "candidate")}` : ""} …`,
    folds: (step, of, model) => `Intervals: fitting ${short[model]} without some of the rows, ${count(step)} of ${count(of)} …`,
    done: (_step, _of, model) => `Intervals: measuring ${short[model]}’s errors …`,
  } satisfies Record<Intervals["stage"], (step: number, of: number, model: Model) => string>,
  stop: "Stop",
  stopHelp: "Stop computing intervals",
  offered: (seconds: number) => `Prediction intervals need four more fits of each model. This may take ${duration(seconds)}.`,
  stopped: "The intervals were stopped.",
  begin: "Compute intervals",
  failed: (reason: string) => `The predictions have no intervals. ${ended(reason)}`,
  ridge: "FM, gFM and iFM have intervals; the baselines have none.",
  covers: (covered: number, rows: number, held: number, level: number, width: number) =>
    `${count(covered)} of ${count(rows)} actual values lie inside their ${share(level)} interval: ${share(held)}${Math.abs(held - covered / rows) > 1e-9 ? " by weight" : ""}. Mean width: ${number(width)}.`,
  how: "How it is computed",
  interval: (from: number, to: number) => `The share of rows covered has the 95 % confidence interval ${share(from)} to ${share(to)}.`,
  folds: (rows: number, folds: number) => `Each interval comes from the errors on ${counted(rows, "training and validation row")}, each predicted by one of ${count(folds)} fits that did not see it (conformal prediction).`,
  later: (rows: number) => `Each interval comes from the errors on ${counted(rows, "validation row")}, which are later than all training rows (conformal prediction).`,
  holds: {
    random: "The coverage, the share of rows inside their interval, is an average over all rows. For some kinds of rows it may be lower.",
    group: "Rows of one group stayed together. New groups that differ from these may have lower coverage.",
    time: "If the data changes with time, coverage may be lower.",
  } satisfies Record<"random" | "time" | "group", string>,
  row: (low: number, high: number, actual: number, level: number) => `; ${share(level)} interval ${number(low, 4)} to ${number(high, 4)}, ${low <= actual && actual <= high ? "which covers it" : "which misses it"}`,
  describe: (level: number) => ` Bars are the ${share(level)} intervals. Those that cross the diagonal cover the actual value.`,
  lower: "lower",
  upper: "upper",
  columns: { lower: "Lower", upper: "Upper" },
};

/** Of test errors by the levels of a column. */
export const errorsBy = {
  title: "Errors by column",
  column: "Split by",
  none: "no column",
  choose: "Choose a column to see the test errors of its levels.",
  caption: (name: string, measure: Measure, target: string, column: string) => `${name}’s test ${measured[measure]}${measure === "rmse" ? ` of ${target}` : ""} by ${column}`,
  columns: { level: "Level", rows: "Rows", interval: "95 % interval", covered: "Covered", right: "Right", difference: "Difference" },
  all: "All test rows",
  missing: "missing",
  few: (level: string) => `${level}, few rows`,
  pooled: (n: number) => `${counted(n, "level")} with few rows`,
  interval: (low: number, high: number) => `${number(low)} to ${number(high)}`,
  tooFew: "too few rows",
  differs: { "-1": "smaller than elsewhere", 0: "", 1: "larger than elsewhere" },
  how: "How the errors are compared",
  note: "Only test rows count. Numbers and dates of more than ten values are cut at their quartiles. Levels with fewer than ten test rows are pooled. A difference is named if the error differs from that of all other test rows, at the 5 % level for all levels together.",
};

/** A share to a tenth of a percent. */
function share(value: number): string {
  return `${String(Number((100 * value).toFixed(1)))}\u00a0%`;
}

export const residuals = {
  title: (target: string) => `Errors on the test rows, predicted − actual ${target}`,
  mode: "Chart",
  modes: { histogram: "Histogram", against: "By prediction" },
  x: (target: string) => `predicted − actual ${target}`,
  y: "test rows",
  soon: "The errors appear here after the first iteration.",
  cursor: "Size of the error under the cursor",
  hint: (touch: boolean) => `${touch ? "Touch" : "Hover"} for exact counts.`,
  count: (name: string, n: number) => `${name} ${count(n)}`,
  at: (range: string, parts: readonly string[]) => `Error ${range}: ${parts.join(", ")}`,
  between: (low: number, high: number) => `${cell(low)} to ${cell(high)}`,
  below: (high: number) => `${cell(high)} or less`,
  above: (low: number) => `${cell(low)} or more`,
  describe: (rows: number) => `Histogram of predicted − actual for ${counted(rows, "test row")}, one outline per model.`,
  spread: (name: string, rmse: number, bias: number, within: number, worst: number, place: string) => `${name}: RMSE ${number(rmse)}, bias ${signed(bias)}, ${percent(within)} within one standard deviation of it, worst ${signed(worst)} at ${place.toLowerCase()}.`,
  place,
  data: "These counts as a table",
  residual: "Predicted − actual",
  from: "predicted − actual from",
  to: "to",
  facts: { rmse: "RMSE", bias: "Bias", within: "Within ± 1 sd", worst: "Worst" },
};

/** Of what pairs of columns add, and of the test that names pairs. */
export const pairs = {
  title: "Test of all pairs, without a model.",
  soon: "The pairs are tested after the run, independently of the models.",
  stages: {
    columns: "Reading the columns",
    main: "Fitting single columns",
    pairs: "Multiplying columns",
    tests: "Testing pairs of columns",
    strengths: "Measuring the pairs found",
    done: "Measuring the pairs found",
  } satisfies Record<Pairs["stage"], string>,
  going: (stage: string, found: number) => `${stage}${found > 0 ? `, ${count(found)} found` : ""} …`,
  stop: "Stop",
  stopHelp: "Stop testing pairs of columns",
  offered: (seconds: number) => `The pairs have not been tested. The test may take ${duration(seconds)}.`,
  stopped: "The test was stopped. It names no pair.",
  begin: "Test pairs of columns",
  failed: (reason: string) => `Pairs were not tested. ${ended(reason)}`,
  none: (tested: number) => `None of ${counted(tested, "pair")} is by itself clearly more than chance.`,
  untried: (pairs: number) => `${pairs === 1 ? "The only pair was not tested" : `None of ${count(pairs)} pairs was tested`}.`,
  nothing: "There are no pairs of columns to test.",
  found: (named: readonly string[], tested: number) => `${count(named.length)} of ${counted(tested, "pair")} ${named.length === 1 ? "stands" : "stand"} out: ${some(named)}.`,
  more: (n: number) => `${count(n)} more ${n === 1 ? "was" : "were"} not tested.`,
  dependent: (n: number, all: boolean) => `${all ? counted(n, "pair") : `${count(n)} more`} could not be tested: in ${n === 1 ? "its" : "their"} columns, rows that belong together (neighbours in the file, or a group) are alike.`,
  /** How the test ended; dependent is how many pairs rows that depend on each other leave open. */
  ended(named: readonly string[], tested: number, all: number, dependent = 0): string {
    if (all === 0) return this.nothing;
    const told = tested - dependent;
    if (told === 0) return dependent > 0 ? this.dependent(dependent, true) : this.untried(all);
    return [named.length === 0 ? this.none(told) : this.found(named, told), tested < all ? this.more(all - tested) : "", dependent > 0 ? this.dependent(dependent, false) : ""].filter(Boolean).join(" ");
  },
  columns: { pair: "Pair", share: "Share of variance", interval: "Interval", p: "p" },
  name: product,
  interval: (low: number, high: number) => `${percent(low)} to ${percent(high)}`,
  p: (p: number) => (p > 0 ? number(p, 2) : `< ${power(-307)}`),
  list: "Pairs that stand out",
  about: (rows: number, alpha: number) => `Pairs are also tested without a model. Each pair’s product is tested by an F test on ${counted(rows, "training row")}, after the effects of single columns. In a table without interactions, the test names at least one pair with probability ${percent(alpha)}. Share: the pair’s share of the target’s variance. About 93 % of such intervals contain the true share.`,
  full: "The search stopped after naming this many. The other pairs were not tested.",
  untested: (told: readonly string[]) => `Not tested: ${told.join("; ")}.`,
  out: (names: readonly string[]) => `columns beyond the most informative ones (${some(names)})`,
  why: {
    many: (names) => `too many products for the rows (${some(names)})`,
    rare: (names) => `no product occurs often enough (${some(names)})`,
    alias: (names) => `the products carry nothing that the columns do not already have (${some(names)})`,
    depends: (names) => `neighbouring rows, or the rows of a group, are alike (${some(names)})`,
    one: (names) => `one column nearly follows from the other (${some(names)})`,
    weak: (names) => `others scored higher, and all would take too long (${some(names)})`,
  } satisfies Record<SkippedPair["why"], (names: readonly string[]) => string>,
  surface: (a: string, b: string, quantity: string) => `What ${a} and ${b} together add to ${quantity}`,
  beyond: (a: string, b: string) => `${a} is down the side and ${b} along the top. The effect is beyond what each adds alone, and averages 0 over the training rows.`,
  never: "–",
  neverMeans: "–: no test rows.",
  cell: (value: number) => signed(value, 2),
  extremes: (high: string, most: number, low: string, least: number) => `Highest at ${high}: ${signed(most, 2)}. Lowest at ${low}: ${signed(least, 2)}.`,
  at: (a: string, place: string, b: string, other: string) => `${a} ${place}, ${b} ${other}`,
};

/** The first few of many. */
function some(names: readonly string[]): string {
  return names.length > NAMED ? `${names.slice(0, NAMED).join(", ")} and ${count(names.length - NAMED)} more` : names.join(", ");
}

const plusMinus = (error: number, spread: number): string => `${number(error)}${Number.isFinite(spread) ? ` ± ${number(spread, 2)}` : ""}`;

/** Of the candidates that a search has tried. */
export const search = {
  title: (folds: number, measure: Measure, target: string) => `Candidates: ${measured[measure]}${target === "" || measure === "log-loss" ? "" : ` of ${target}`} ${folds > 0 ? `over ${counted(folds, "fold")}` : "on validation rows"}`,
  model: "Model",
  soon: "The candidates appear here one by one as they are tried.",
  cursor: "Candidate under the cursor",
  hint: pointing("a candidate", "its numbers"),
  data: "Data of this chart",
  rank: (rank: number) => `rank ${count(rank)}`,
  ridge: "linear",
  chosen: "chosen",
  leads: "leads so far",
  none: "none",
  x: (als: boolean) => (als ? "factor penalty" : "penalty, per row"),
  numbers: (hats: boolean) => (hats ? "as curves" : "as they are"),
  encoding: (hats: boolean, narrow: boolean) => (narrow ? (hats ? "curves" : "as they are") : hats ? "numbers as curves" : "numbers as they are"),
  again: ", from new random factors",
  candidate: (rank: number, lambda: number, weights: number, hats: boolean) =>
    `${rank === 0 ? "linear" : `rank ${count(rank)}, ${weights > 0 ? "factor " : ""}penalty ${number(lambda, 1)}`}${weights > 0 ? `, weight penalty ${number(weights, 1)}` : ""}${hats ? ", numbers as curves" : ""}`,
  at: (what: string, error: number, spread: number, folds: number, iteration: number, mark: string) =>
    `${what}: ${plusMinus(error, spread)}${folds > 0 ? `, mean of ${counted(folds, "fold")}` : ""}, iteration ${count(iteration)}${mark === "" ? "" : ` (${mark})`}`,
  lead: (name: string, what: string, error: number, spread: number, folds: number, whole: boolean) =>
    `${name}: ${whole ? "chosen" : "best so far"} is ${what}. ${folds > 0 ? `Mean error over ${counted(folds, "fold")}, ± its standard error` : "Error on validation rows"}: ${plusMinus(error, spread)}.`,
  close: (n: number, of: number) => (n === 0 ? `No other of the ${count(of)} candidates is within one standard error.` : `${count(n)} of the ${count(of)} candidates ${n === 1 ? "is" : "are"} within one standard error and may be as good.`),
  first: "First trial only.",
  describe: (folds: number, measure: Measure) => `Line chart of ${measured[measure]} ${folds > 0 ? `over ${counted(folds, "fold")}, with its standard error,` : "on validation rows"} by penalty, one line per rank and encoding.`,
  range: (rank: number, low: number, high: number) => `Rank ${count(rank)} is ${low === high ? `at ${number(low)}` : `between ${number(low)} and ${number(high)}`}.`,
  columns: {
    numbers: "Numbers",
    rank: "Rank",
    lambda: "Factor penalty",
    weights: "Weight penalty",
    error: (measure: Measure) => `Validation ${measured[measure]}`,
    spread: "Standard error",
    folds: "Folds",
    iteration: "Iteration",
  },
};
