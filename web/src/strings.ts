// Every text of the page, and no decision: a translation is another file like
// this one. What a sentence says is chosen where it is said.
import { bytes, count, fraction, number, signed } from "./format.js";
import { quantity, say, type Phrase, type Quantity } from "./phrase.js";
import type { Model } from "./series.js";
import type { Spec } from "./spec.js";
import type { Ending, Judgement } from "./standing.js";
import type { Sample, View } from "./view.js";

export const models: Readonly<Record<Model | "mean" | "ridge", string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "the mean", ridge: "ridge regression" };
export const short: Readonly<Record<Model | "mean" | "ridge", string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "mean", ridge: "ridge" };

/** How many of what: 1 row, 1,937 rows. */
function counted(n: number, one: string): string {
  return `${count(n)} ${one}${n === 1 ? "" : "s"}`;
}

export const page = {
  name: "iFM Lab",
  skip: "Skip to the figure",
  nav: { label: "Page", figure: "The figure", table: "Your table", paper: "The paper" },
  theme: { label: "Colours", options: { auto: "Like the system", light: "Light", dark: "Dark" } satisfies Record<View["theme"], string> },
  notices: "About this link",
  dismiss: "Dismiss",
  crashed: (reason: string) => `The engine stopped (${reason}) and was started again. What you had loaded is still here: press Start once more, or try fewer rows.`,
  silent: "without saying why",
  notStarted: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
  paperLost: "The section on the paper could not be loaded, perhaps because the connection was lost; reload the page.",
  noSample: "This frame shows a built-in table; its address names none.",
  drop: "Drop the file anywhere: it stays in your browser",
  footer: {
    live: "Every curve, matrix and number on this page is computed in your browser, while you watch, by the same Go code that the tests run. Nothing is recorded in advance and no file you open leaves this machine.",
    licenses: "Licences of what this page contains",
    paper: "The claim is that of Lin et al., “Which Factorization Machine Modeling is Better: A Theoretical Answer with Optimal Guarantee” (AAAI-19); this page runs it, and says where it is narrower than its words.",
  },
};

export const figure = {
  title: "Flip one sign and FM breaks.",
  lead: "A factorization machine (FM) writes its interactions as UUᵀ, a matrix without negative eigenvalues. Flip the sign of the truth and it has nothing left to fit it with. iFM writes UVᵀ, and does not mind.",
  switch: "Sign of the true interactions",
  scenario: { psd: "PSD", flipped: "Flipped", mixed: "Mixed" } satisfies Record<Spec["scenario"], string>,
  formula: { psd: "+UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" } satisfies Record<Spec["scenario"], string>,
  truth: (scenario: Spec["scenario"], orthonormal: boolean, kept: boolean) =>
    `${orthonormal ? { psd: "QΛQᵀ", flipped: "−QΛQᵀ", mixed: "QΛQᵀ of both signs" }[scenario] : { psd: "UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" }[scenario]} ${kept ? "with" : "without"} its diagonal`,
  sign: { psd: "eigenvalues ≥ 0", flipped: "eigenvalues ≤ 0", mixed: "of both signs" } satisfies Record<Spec["scenario"], string>,
  live: (drawn: boolean, n: number, test: number, d: number, k: number, seed: number, more: readonly string[]) => `${drawn ? "Computed live" : "Drawing the data"}: ${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`, ...more].join(", ")}.`,
  noise: (noise: number) => `noise ${number(noise)}`,
  trials: (trials: number) => counted(trials, "trial"),
  truthOf: { orthonormal: "orthonormal truth", kept: "its diagonal kept" },
  rank: (rank: number) => `models of rank ${rank}`,
  tau: (tau: number) => `τ = ${number(tau)}`,
  rho: (rho: number) => `ρ = ${number(rho)} between neighbours`,
  features: { gaussian: "Gaussian columns", uniform: "uniform columns", laplace: "Laplace columns", exponential: "exponential columns", threepoint: "three-point columns", twopoint: "two-point columns", slider: "columns between Gaussian and ±1" } satisfies Record<Spec["features"], string>,
  solver: { agd: "alternating gradient descent", auto: "a solver chosen by the columns", "gauss-newton": "by Gauss–Newton", scaled: "by scaled gradient descent", algorithm1: "by Algorithm 1, corrected", printed: "by Algorithm 1 as printed" } satisfies Record<Spec["solver"], string>,
  slowNote: "iFM still falls here, about as 1/t: this truth leaves half of its factors nothing to do. On a linear axis it looks converged; the log axis shows that it is not.",
  printedNote: "The misprint concerns gFM alone: iFM’s step has no diagonal.",
  reduced: "Nothing moves by itself, as you asked your system. Press Play to train.",
  settings: "Settings of this run",
};

export const charts = {
  lost: "The charts could not be loaded, perhaps because the connection was lost; reload the page. The data is in the tables.",
};

export const curve = {
  title: "Test RMSE by iteration",
  titleOf: (target: string) => `Test RMSE of ${target} by iteration`,
  x: "iteration",
  cursor: "Iteration under the cursor",
  at: (iteration: number, parts: readonly string[]) => `Iteration ${count(iteration)}: ${parts.join(", ")}`,
  value: (name: string, value: number) => `${name} ${number(value)}`,
  hint: (touch: boolean) => (touch ? "Touch the curves for exact values." : "Point at the curves, or use the arrow keys, for exact values."),
  waiting: {
    failed: "There is nothing to draw.",
    stopped: "Stopped before the first iteration.",
    fitting: "Encoding the rows and fitting ridge regression, the reference line …",
    drawing: "Drawing the data …",
    soon: "The curves appear here as soon as the first iteration is done.",
  },
  band: (trials: number) => `Mean of ${trials} trials, the band from smallest to largest; the reference lines are means too.`,
  kept: (name: string) => `${name} kept`,
  above: (text: string) => `${text} ↑`,
  below: (text: string) => `${text} ↓`,
  describe: {
    log: "Line chart of test RMSE by iteration, logarithmic axis.",
    linear: "Line chart of test RMSE by iteration, linear axis.",
  },
  line: (name: string, start: number, now: number, iterations: number) => `${name} starts at ${number(start)} and stands at ${number(now)} after ${count(iterations)} iterations.`,
  reference: (name: string, value: number) => `Reference line: ${name}, ${number(value)}.`,
  data: "Data of this chart",
  iteration: "Iteration",
};

export const matrix = {
  title: "The interactions they have learnt",
  truth: "True M*",
  caption: "One scale for all.",
  negative: "negative",
  positive: "positive",
  zero: "zero",
  waiting: "not trained yet",
  error: (value: number) => `relative error ${fraction(value)}`,
  diagonal: "keeps its diagonal",
  noDiagonal: "has no diagonal; the truth has one",
  pair: "Pair, strongest first",
  doubted: "Pair, largest disagreement first",
  names: (a: string, b: string) => `${a} × ${b}`,
  entry: (name: string, value: number, sign: string) => `${name} ${signed(value)}, ${sign}`,
  rank: (rank: number) => `rank ${rank}`,
  describe: (name: string, d: number, positive: number, negative: number, most: number) => `Heat map of ${name}, ${d} by ${d}: ${count(positive)} positive and ${count(negative)} negative pairs, the largest ${number(most)} in size.`,
  data: "The strongest pairs as a table",
  doubtedData: "The pairs of largest disagreement as a table",
  columns: { pair: "Pair" },
};

export const controls = {
  label: "Run",
  play: "Play",
  pause: "Pause",
  step: "Step",
  again: "Again",
  stop: "Stop",
  speed: "Speed",
  speeds: { slow: "slow", normal: "normal", instant: "instant" } satisfies Record<View["speed"], string>,
  scale: "Axis",
  scales: { log: "log", linear: "linear" },
  progress: (done: number, of: number) => `Iteration ${count(done)} of ${count(of)}`,
  candidate: (name: string, at: number, of: number) => `${name}: candidate ${at} of ${of}`,
  trials: (name: string, done: number, of: number) => `${name}: ${done} of ${of} trials done`,
};

export const settings: Readonly<Partial<Record<keyof Spec, string>>> = {
  models: "Models",
  solver: "Solver",
  scenario: "True interactions",
  truth: "True factors",
  diagonal: "Diagonal of the truth",
  features: "Columns",
  tau: "τ of the columns",
  share: "Share of the larger value",
  rho: "Correlation of neighbours ρ",
  rank: "Model rank, 0: the truth’s",
  batches: "Rows of an iteration",
  moments: "Moments κ, φ",
  inverse: "Where moments cannot be inverted",
  d: "Features d",
  k: "Rank k",
  n: "Training rows",
  test: "Test rows",
  noise: "Noise, in sd of y",
  seed: "Seed",
  trials: "Trials",
  iterations: "Iterations at most",
  ranks: "Ranks to try",
  lambdas: "Penalties λ to try, per row",
  patience: "Patience, iterations",
  rare: "Levels rarer than this become “other”",
  missing: "Missing cells",
};

/** The options of settings. */
export const options: Readonly<Record<string, string>> = {
  agd: "alternating gradient descent",
  auto: "automatic",
  "gauss-newton": "Gauss–Newton",
  scaled: "scaled gradient descent",
  algorithm1: "Algorithm 1, corrected",
  printed: "Algorithm 1 as printed",
  gaussian: "Gaussian",
  orthonormal: "orthonormal",
  zero: "zero",
  kept: "kept",
  uniform: "uniform",
  laplace: "Laplace",
  exponential: "exponential",
  threepoint: "three points",
  twopoint: "two points",
  slider: "slider from Gaussian to ±1",
  reused: "one batch, reused",
  fresh: "fresh ones each time",
  estimated: "estimated from the rows",
  true: "the true ones",
  refuse: "refuse",
  pseudo: "use a pseudo-inverse",
  psd: "PSD",
  flipped: "flipped",
  mixed: "of both signs",
  ...short,
};
export const settingHelp = (min: string, max: string) => `${min} to ${max}`;
export const missing: Readonly<Record<Spec["missing"], string>> = { flag: "fill in the mean and flag it", drop: "drop the row" };

/** Named things in a row: a, b and c. */
export function list(phrases: readonly Phrase[]): Phrase {
  return phrases.flatMap((phrase, i) => (i === 0 ? phrase : i < phrases.length - 1 ? [", ", ...phrase] : [" and ", ...phrase]));
}

/** The numbers that the sentence of a scenario speaks of. */
interface Ends {
  readonly fm: Quantity;
  readonly ifm: Quantity;
  readonly ridge: Quantity;
  readonly closer: Quantity; // how many times iFM is
}

/** And that of a reader's table. */
interface Standings {
  readonly best: string;
  readonly top: Quantity;
  readonly where: string; // rows(…)
  readonly next: string;
  readonly rest: Phrase; // all others
  readonly belowRidge: Quantity;
  readonly belowMean: Quantity;
  readonly ridge: Quantity;
  readonly mean: Quantity;
}

export const verdict = {
  slow: "Computed without SIMD, which this browser lacks: the same numbers, more slowly.",
  figure: {
    stuck: (n) => say`FM is stuck at a test RMSE of ${n.fm}, no better than ridge regression (${n.ridge}), which knows no interactions at all. iFM is down to ${n.ifm}, ${n.closer} times smaller.`,
    nearlyStuck: (n) => say`FM is stuck at a test RMSE of ${n.fm}, little better than ridge regression (${n.ridge}), which knows no interactions at all. iFM is down to ${n.ifm}, ${n.closer} times smaller.`,
    halfway: (n) => say`FM stops at a test RMSE of ${n.fm}: it has found the positive part of the truth and cannot write the negative one. iFM is down to ${n.ifm}, ${n.closer} times smaller.`,
    behind: (n) => say`FM ends at a test RMSE of ${n.fm}. iFM is down to ${n.ifm}, ${n.closer} times smaller.`,
    both: (n) => say`Both fit the truth: FM ends at a test RMSE of ${n.fm}, iFM at ${n.ifm}.`,
    overfit: (n) => say`Ridge regression (${n.ridge}) is below both here, FM at a test RMSE of ${n.fm} and iFM at ${n.ifm}: the training rows are too few for so many pairs of features.`,
    ahead: (n) => say`Here FM’s assumption holds, and it wins: ${n.fm} against iFM’s ${n.ifm}.`,
    level: (n) => say`FM ends at a test RMSE of ${n.fm} and iFM at ${n.ifm}; ridge regression is at ${n.ridge}.`,
  } satisfies Record<Ending, (n: Ends) => Phrase>,
  flip: " Now flip the sign.",
  noise: (floor: Quantity): Phrase => say` The noise alone makes ${floor}, which no model can go below.`,
  diverged: (name: string, since: number) => ` ${name} diverged: its loss has risen since iteration ${count(since)}.`,
  third: (ends: Phrase): Phrase => say` Beside them, ${ends}.`,
  ends: (name: string, rmse: Quantity): Phrase => say`${name} ends at a test RMSE of ${rmse}`,
  beside: (ends: Phrase, ridge: Quantity, mean: Quantity): Phrase => say`${ends}; ridge regression is at ${ridge} and the mean at ${mean}.`,
  table: {
    exact: (n) => say`Ridge regression predicts the target almost exactly${n.where}: test RMSE ${n.ridge}, where the mean is off by ${n.mean}. Nothing is left for interactions; look whether a column is a part of the target, and ignore it.`,
    nothing: (n) => say`Nothing here beats the mean${n.where}: it is off by ${n.top}, ${n.rest}. These columns do not tell the target.`,
    simple: (n) => say`Ridge regression wins${n.where}: test RMSE ${n.top} against ${n.rest}. On this table interactions do not pay: use the simpler model.`,
    simpleLevel: (n) => say`Ridge regression wins${n.where}: test RMSE ${n.top} against ${n.rest}. Of the others ${n.next} is level with it, so interactions do not pay: use the simpler model.`,
    level: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is only ${n.belowRidge} below ridge regression (${n.ridge}): the simpler model does as well.`,
    unsure: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is ${n.belowRidge} below ridge regression (${n.ridge}), which chance alone may explain: another split can turn it round.`,
    pays: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is ${n.belowRidge} below ridge regression (${n.ridge}) and ${n.belowMean} below the mean (${n.mean}).`,
  } satisfies Record<Judgement, (n: Standings) => Phrase>,
  others: (others: Phrase): Phrase => say` Beside it: ${others}.`,
  chance: " What lies between FM and iFM, chance alone may explain.",
  other: (name: string, rmse: Quantity): Phrase => say`${name} ${rmse}`,
  rows: (rows: number) => ` on ${counted(rows, "test row")}`,
  rowsOfEach: (rows: number, trials: number) => ` on ${count(rows)} test rows in each of ${count(trials)} trials`,
  trials: (trials: number, name: string, won: number): Phrase => say` These are means over ${count(trials)} trials; ${name} is the best in ${quantity("none", won, count(won))} of them.`,
  ring: "A ring marks the iteration that is kept.",
  choice: (name: string, rank: number, lambda: number) => `${name}: rank ${rank}, λ ${number(lambda, 1)}`,
  choiceSoFar: (name: string, rank: number, lambda: number) => `${name}: rank ${rank}, λ ${number(lambda, 1)} so far`,
  chosen: (choices: string) => `Chosen on validation rows: ${choices}.`,
  chosenInEach: "Rank, λ and the iteration that is kept are chosen in each trial, on its own validation rows.",
};

export const data = {
  title: "Now your own table.",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} a CSV file: FM and iFM learn to predict one of its columns from the others, beside the mean and ridge regression, on rows neither has seen.`,
  asks: (target: string) => `This link ${target === "" ? "is about" : `predicts ${target} from`} a table. Choose that file to repeat the run.`,
  dropTitle: (touch: boolean) => (touch ? "Choose a CSV file" : "Drop a CSV file anywhere on this page"),
  browse: "Choose a file",
  private: "It stays in your browser: nothing is uploaded.",
  samples: "Or walk the same way with a built-in table:",
  sample: { penguins: "Penguins", cars: "Cars", diabetes: "Diabetes" } satisfies Record<Sample, string>,
  sampleOf: { penguins: "body mass of birds in Antarctica", cars: "fuel economy, 1970–82", diabetes: "disease progression in a year" } satisfies Record<Sample, string>,
  sampleError: (name: string) => `The built-in table ${name} could not be loaded from this site; check the connection and try again.`,
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
  twoFiles: "More than one file was dropped; the first was taken.",
  targetGone: (wanted: string, used: string) => `The link’s target “${wanted}” is no column of this table; “${used}” is offered instead.`,
  fileError: "This file could not be used",
  kept: (name: string) => `${name} is still loaded.`,
  summary: (name: string, rows: number, columns: number, size: number) => `${name}: ${counted(rows, "row")}, ${counted(columns, "column")}, ${bytes(size)}`,
  separator: "Separator",
  separators: { auto: "guess", comma: "comma ,", semicolon: "semicolon ;", tab: "tab", pipe: "bar |", space: "space" } satisfies Record<Spec["separator"], string>,
  header: "First row",
  headers: { auto: "guess", yes: "names the columns", no: "is data" } satisfies Record<Spec["header"], string>,
  guessed: (what: string) => `guess: ${what}`,
  preview: (shown: number) => `The first ${shown === 1 ? "row" : `${shown} rows`}, as written`,
  badTitle: (n: number) => `${count(n)} ${n === 1 ? "row" : "rows"} could not be read and ${n === 1 ? "is" : "are"} left out`,
  droppedTitle: (n: number) => `${count(n)} ${n === 1 ? "row is" : "rows are"} left out of training`,
  more: (n: number) => `and ${count(n)} more`,
  facts: { line: "Line", column: "Column", field: "Field", found: "Found" },
};

export const roles = {
  title: "What each column is for",
  columns: {
    name: "Column",
    role: "Role",
    kind: "Read as",
    missing: "Missing",
    distinct: "Distinct",
    mean: "Mean",
    sd: "SD",
    min: "Min",
    max: "Max",
    tau: "τ̂",
  },
  tau: "τ̂ = |φ − 1 − κ²|, from the column’s third and fourth moments. Two-valued columns have τ = 0: there a square is no new information, so gFM’s diagonal cannot be told apart from its linear part. FM and iFM have no diagonal and do not need it.",
  role: { target: "Target", feature: "Feature", ignore: "Ignore" },
  kind: { numeric: "Number", categorical: "Category" },
  roleOf: (name: string) => `Role of ${name}`,
  kindOf: (name: string) => `${name} is read as`,
  unreadable: (n: number) => `${count(n)} no number`,
  atLeast: (n: number) => `≥ ${count(n)}`,
  levels: (levels: readonly string[]) => levels.join(", "),
  levelsAndMore: (levels: readonly string[]) => `${levels.join(", ")}, …`,
  more: (n: number) => `Show ${counted(n, "more column")}`,
  scroll: "Columns of the table; scrolls sideways",
};

export const plan = {
  title: "What will be trained",
  planning: "Looking at the settings …",
  sentence: (target: string, features: number, train: number, valid: number, test: number, size: number): Phrase =>
    say`Predict ${quantity("none", Number.NaN, target)} from ${quantity("none", features, count(features))} encoded ${features === 1 ? "feature" : "features"}. ${quantity("none", train, count(train))} ${train === 1 ? "row trains" : "rows train"}, ${quantity("none", valid, count(valid))} ${valid === 1 ? "chooses" : "choose"} rank and λ, ${quantity("none", test, count(test))} ${test === 1 ? "tests" : "test"}. The design takes ${quantity("none", size, bytes(size))} a model.`,
  steps: (steps: number) => `At most ${count(steps)} iterations a model, all candidates together.`,
  start: "Start",
  again: "Train again",
  changed: "The settings have changed since this run.",
  error: "These settings cannot be trained",
  solver: "Algorithm 1 needs independent columns; tables are fitted by alternating gradient descent.",
  options: "Models and tuning",
};

export const result = {
  title: (target: string) => `Predicting ${target}`,
  scatter: (model: Model) => `Predicted against actual, ${short[model]}, the best on validation rows`,
  scatterOfFirst: (model: Model) => `Predicted against actual in the first trial, ${short[model]}, the best on the validation rows of all`,
  actual: (target: string) => `actual ${target}`,
  predicted: "predicted",
  cursor: "Test row under the cursor, largest error first",
  row: (line: number, actual: number, predicted: number) => `Line ${count(line)}: actual ${number(actual, 4)}, predicted ${number(predicted, 4)}, off by ${signed(predicted - actual)}`,
  data: "The largest errors as a table",
  hint: (touch: boolean) => (touch ? "Touch a point for its row." : "Point at a row, or use the arrow keys: largest error first."),
  sampled: (shown: number, all: number) => `${count(shown)} of ${count(all)} test rows drawn.`,
  describe: (model: Model, rows: number, rmse: number, r: number) => `Scatter of predicted against actual for ${counted(rows, "test row")}, ${short[model]}: RMSE ${number(rmse)}, correlation ${r.toFixed(2)}. Points on the diagonal are predicted exactly.`,
  columns: { line: "Line", actual: "Actual", predicted: "Predicted", error: "Error" },
  reference: "Test RMSE, best first",
  who: "Model",
  rmse: "Test RMSE",
  ofRidge: "against ridge",
  below: "below ridge in",
  trials: (n: number, of: number) => `${count(n)} of ${count(of)}`,
  matrix: (target: string) => `The interactions they have learnt, in ${target} per standard deviation of both features`,
  download: (name: string) => `Download the model (${name})`,
  downloadFirst: (name: string) => `Download the first trial’s model (${name})`,
  downloadNote: "A JSON file: the scaling, the weights and the factors, and so all that a prediction needs.",
};
