// Every text of the page, and no decision: a translation is another file like
// this one. What a sentence says is chosen where it is said.
import type { Labels } from "./form.js";
import { bytes, cell, count, fraction, number, percent, signed } from "./format.js";
import type { Family, Shape } from "./lesson/distribution.js";
import type { Reach, Shown } from "./lesson/moments.js";
import type { Ionosphere } from "./lesson/ionosphere.js";
import type { Phase } from "./lesson/runner.js";
import type { Part } from "./lesson/surface.js";
import { quantity, say, type Phrase, type Quantity } from "./phrase.js";
import type { Model } from "./series.js";
import type { Spec } from "./spec.js";
import type { Ending, Judgement } from "./standing.js";
import type { Chapter, Sample, View } from "./view.js";
import type { Method } from "./vtec/quoted.js";
import type { Source } from "./vtec/surveyed.js";

export const models: Readonly<Record<Model | "mean" | "ridge" | "quadratic", string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "the mean", ridge: "ridge regression", quadratic: "quadratic ridge" };
export const short: Readonly<Record<Model | "mean" | "ridge" | "quadratic", string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "mean", ridge: "ridge", quadratic: "quadratic ridge" };

/** Texts with others added. A part of the page that says none of them leaves them out, which the bundler does not dare with a spread. */
/* @__NO_SIDE_EFFECTS__ */
function joined<A extends object, B extends object>(texts: A, others: B): Omit<A, keyof B> & B {
  return { ...texts, ...others };
}

/** How many of what: 1 row, 1,937 rows. */
function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export const themes: Readonly<Record<View["theme"], string>> = { auto: "Like the system", light: "Light", dark: "Dark" };

export const page = {
  name: "iFM Lab",
  skip: "Skip to the figure",
  nav: { label: "Page", figure: "The figure", table: "Your table", lesson: "The lesson" },
  theme: { label: "Colours", options: themes },
  notices: "About this link",
  dismiss: "Dismiss",
  crashed: (reason: string) => `The engine stopped (${reason}) and was started again. What you had loaded is still here: press Start once more, or try fewer rows.`,
  silent: "without saying why",
  notStarted: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
  sweep: "the link’s sweep is a grid of runs, and the figure shows one of them; the chapter “How many samples” runs a grid",
  undo: "Undo",
  unsaved: "It could not be fetched, perhaps because the connection was lost; try again.",
  undone: "The last change is undone.",
  share: "Share",
  partLost: (name: string) => `“${name}” could not be loaded, perhaps because the connection was lost; reload the page.`,
  soon: "The table is being opened …",
  noSample: "This frame shows a built-in table; its address names none.",
  drop: "Drop the file anywhere: it stays in your browser",
  footer: {
    offline: "This page as one file (1.9 MB) that works without a network",
    live: "Every curve, matrix and number on this page is computed in your browser, while you watch, by the same Go code that the tests run. Nothing is recorded in advance and no file you open leaves this machine.",
    embeds: "This in your own pages",
    licenses: "Licences of what this page contains",
    paper: "The claim is that of Lin et al., “Which Factorization Machine Modeling is Better: A Theoretical Answer with Optimal Guarantee” (AAAI-19); this page runs it, and says where it is narrower than its words.",
  },
};

export const figure = {
  title: "Flip one sign and FM breaks.",
  lead: "A factorization machine (FM) gives each pair of features a weight: an entry of UUᵀ, which has no negative eigenvalues. Flip the sign of the truth and FM has nothing left to fit it with. iFM takes UVᵀ, and does not mind.",
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
  hidden: "The link of this frame hides every part of the figure.",
};

export const words = {
  title: "What the words mean",
  all: [
    ["RMSE", "Root mean squared error: how far a prediction is off, in units of the target. Test RMSE is taken over rows that no model has learnt from."],
    ["Ridge regression", "Linear regression whose weights are kept small. It knows no interactions and is the line to beat. What does no better than the mean of the target has learnt nothing."],
    ["Interaction", "What two features do to the target together, beyond what each does alone. M holds a number for each pair."],
    ["FM", "Factorization machine: M is UUᵀ without its diagonal."],
    ["iFM", "The paper’s improved form: M is UVᵀ without its diagonal."],
    ["gFM", "The generalized form: M is UVᵀ with its diagonal, a weight for each feature’s square. Choose it among the models."],
    ["Rank k", "The columns of U and V: how many patterns of features M is made of."],
    ["Eigenvalue", "The weight of such a pattern in M: above zero it raises the target, below zero it lowers it."],
    ["PSD", "Positive semidefinite: no eigenvalue below zero."],
    ["λ", "The penalty on the size of U and V, which keeps a model from learning noise; chosen on rows set aside for it."],
  ] as const,
};

export const charts = {
  lost: "The charts could not be loaded, perhaps because the connection was lost; reload the page. The data is in the tables.",
};

/** Of the control that saves a chart. */
export const saving = {
  save: "Save",
  label: (chart: string) => `Save: ${chart}`,
  kinds: { svg: "Picture, SVG", png: "Picture, PNG", csv: "Data, CSV", json: "The whole run, JSON", tex: "Table, LaTeX", md: "Table, Markdown" },
  nothing: "There is nothing to save yet.",
  making: (done: string) => `Making the file: ${done}`,
  failed: (reason: string) => `The file could not be made${reason === "" ? "" : `: ${reason}`}.`,
  feature: "feature",
  other: "other feature",
  share: "Link and embed",
  negative: "negative",
  positive: "positive",
  source: "source",
  link: "link",
};

/** What charts say in their files alone. */
export const saved = {
  rmse: (name: string, unit: string) => `${name} test RMSE${unit === "" ? "" : `, in units of ${unit}`}`,
  of: (name: string, what: string) => `${name} ${what}`,
  mean: (column: string) => `${column}, mean over the trials`,
  low: (column: string) => `${column}, smallest`,
  high: (column: string) => `${column}, largest`,
  baseline: (name: string) => `baseline ${name}`,
  target: "target",
  theTarget: "the target",
  drawn: (scenario: Spec["scenario"], live: string) => `${figure.scenario[scenario]} truth, ${figure.formula[scenario]}. ${live}`,
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
  ghost: (unlike: string) => `Faint: the run before (${unlike}).`,
  ghostEnds: (unlike: string, parts: readonly string[]) => `Faint, the run before (${unlike}), which ended at ${parts.join(", ")}.`,
  setting: (name: string, value: string) => `${name}: ${value === "" ? "none" : value}`,
  others: (n: number) => `${count(n)} more`,
  before: (name: string) => `${name} before`,
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
  diagonal: "cannot represent a zero diagonal",
  noDiagonal: "no diagonal, unlike the truth",
  gfm: (kept: boolean) => `gFM is UVᵀ as it is, its diagonal kept; FM and iFM set theirs to zero. ${kept ? "This truth has a diagonal, which gFM alone can represent." : "This truth has none: a gFM of the same rank fits the other entries as well as its own diagonal lets it."}`,
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

export const spectrum = {
  title: "Their eigenvalues",
  about: "Of each matrix, before its diagonal is left out, the largest first. Below zero, FM’s UUᵀ can have none at all.",
  scale: (most: number) => `One scale for all, from −${number(most, 2)} to +${number(most, 2)}.`,
  ring: "Rings: the truth’s.",
  arrow: "An arrow: beyond the scale.",
  cursor: "Eigenvalue, largest first",
  slot: (at: number, of: number) => `Eigenvalue ${count(at)} of ${count(of)}`,
  none: (name: string) => `${name} 0`,
  counts: (above: number, below: number) => `${above === 0 ? "none" : count(above)} above zero, ${below === 0 ? "none" : count(below)} below`,
  cannot: "none below zero: FM cannot",
  describe: (name: string, above: number, below: number, largest: number, smallest: number, cannot: string) =>
    `Eigenvalues of ${name}: ${above === 0 ? "none" : count(above)} clearly above zero and ${below === 0 ? "none" : count(below)} clearly below, from ${signed(largest)} to ${signed(smallest)}.${cannot === "" ? "" : ` In its lower half: ${cannot}.`}`,
  data: "The eigenvalues as a table",
  column: "Largest first",
};

export const controls = {
  label: "Run",
  play: "Play",
  pause: "Pause",
  step: "Step",
  again: "Again",
  restart: "Restart",
  restartHelp: "The same run from its start: the same data, the same start of each model",
  seed: "New seed",
  seedHelp: "Other data and other starts; the seed stands in the address",
  ghost: "Ghost",
  ghostHelp: "The run before, as faint lines",
  stop: "Stop",
  speed: "Speed",
  speeds: { slow: "slow", normal: "normal", instant: "instant" } satisfies Record<View["speed"], string>,
  scale: "Axis",
  scales: { log: "log", linear: "linear" },
  progress: (done: number, of: number) => `Iteration ${count(done)} of ${count(of)}`,
  each: (name: string, done: number) => `${count(done)} (${name})`,
  progressOfEach: (each: readonly string[], of: number) => `Iteration ${each.join(", ")} of ${count(of)}`,
  repeated: "same data, same start",
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
export const options: Readonly<Record<string, string>> = joined(short, {
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
});
/** What stands beneath an input. */
export const bounds = {
  range: (min: string, max: string) => `${min} to ${max}`,
  held: (now: string, min: string, max: string) => `Held to ${now}: it goes from ${min} to ${max}.`,
  whole: (now: string) => `Held to ${now}: whole numbers only.`,
  noNumber: (now: string) => `That is not a number: ${now} stays.`,
  most: (most: number) => `The first ${most} are kept.`,
};
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
  readonly closer: Phrase; // what iFM’s is beside it: smaller(…) or rounding
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
  readonly belowQuadratic: Phrase; // alsoBelow(…), where it was fitted
  readonly ridge: Quantity;
  readonly quadratic: Quantity;
  readonly mean: Quantity;
}

export const verdict = {
  slow: "Computed without SIMD, which this browser lacks: the same numbers, more slowly.",
  figure: {
    stuck: (n) => say`FM is stuck at a test RMSE of ${n.fm}, no better than ridge regression (${n.ridge}), which knows no interactions at all. iFM is down to ${n.ifm}, ${n.closer}.`,
    nearlyStuck: (n) => say`FM is stuck at a test RMSE of ${n.fm}, little better than ridge regression (${n.ridge}), which knows no interactions at all. iFM is down to ${n.ifm}, ${n.closer}.`,
    halfway: (n) => say`FM stops at a test RMSE of ${n.fm}: it has found the positive part of the truth and cannot write the negative one. iFM is down to ${n.ifm}, ${n.closer}.`,
    behind: (n) => say`FM ends at a test RMSE of ${n.fm}. iFM is down to ${n.ifm}, ${n.closer}.`,
    both: (n) => say`Both fit the truth: FM ends at a test RMSE of ${n.fm}, iFM at ${n.ifm}.`,
    overfit: (n) => say`Ridge regression (${n.ridge}) is below both here, FM at a test RMSE of ${n.fm} and iFM at ${n.ifm}: the training rows are too few for so many pairs of features.`,
    ahead: (n) => say`Here FM’s assumption holds, and it wins: ${n.fm} against iFM’s ${n.ifm}.`,
    level: (n) => say`FM ends at a test RMSE of ${n.fm} and iFM at ${n.ifm}; ridge regression is at ${n.ridge}.`,
  } satisfies Record<Ending, (n: Ends) => Phrase>,
  smaller: (times: Quantity): Phrase => say`${times} times smaller`,
  rounding: ["exact but for rounding"] as Phrase,
  flip: " Now flip the sign.",
  noise: (floor: Quantity): Phrase => say` The noise alone makes ${floor}, which no model can go below.`,
  diverged: (name: string, since: number) => ` ${name} diverged: its loss has risen since iteration ${count(since)}.`,
  third: (ends: Phrase): Phrase => say` Beside them, ${ends}.`,
  ends: (name: string, rmse: Quantity): Phrase => say`${name} ends at a test RMSE of ${rmse}`,
  beside: (ends: Phrase, ridge: Quantity, mean: Quantity): Phrase => say`${ends}; ridge regression is at ${ridge} and the mean at ${mean}.`,
  table: {
    exact: (n) => say`Ridge regression predicts the target almost exactly${n.where}: test RMSE ${n.ridge}, where the mean is off by ${n.mean}. Nothing is left for interactions; look whether a column is a part of the target, and ignore it.`,
    nothing: (n) => say`Nothing here beats the mean${n.where}: it is off by ${n.top}, ${n.rest}. These columns say nothing about the target.`,
    hardly: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is only ${n.belowMean} below the mean (${n.mean}): these columns say little about the target.`,
    simple: (n) => say`Ridge regression wins${n.where}: test RMSE ${n.top} against ${n.rest}. On this table interactions do not pay: use the simpler model.`,
    simpleLevel: (n) => say`Ridge regression wins${n.where}: test RMSE ${n.top} against ${n.rest}. Of the others ${n.next} is level with it, so interactions do not pay: use the simpler model.`,
    level: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is only ${n.belowRidge} below ridge regression (${n.ridge}): the simpler model does as well.`,
    unsure: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is ${n.belowRidge} below ridge regression (${n.ridge}), which chance alone may explain: another split can turn it round.`,
    products: (n) => say`Quadratic ridge wins${n.where}: test RMSE ${n.top} against ${n.rest}. That is ${n.belowRidge} below ridge regression: interactions pay here, factors do not. It gives each pair of features a weight of its own, with no rank to choose and one best fit: use the simpler model.`,
    productsLevel: (n) => say`Quadratic ridge wins${n.where}: test RMSE ${n.top} against ${n.rest}. Of the others ${n.next} is level with it, so interactions pay here, but factors do not. It gives each pair of features a weight of its own, with no rank to choose: use the simpler model.`,
    pairs: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is ${n.belowRidge} below ridge regression (${n.ridge}), so interactions pay; but quadratic ridge (${n.quadratic}), which gives each pair of features a weight of its own, is level with it: the simpler model does as well.`,
    pairsUnsure: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is ${n.belowRidge} below ridge regression (${n.ridge}), so interactions pay. Its lead over quadratic ridge (${n.quadratic}), which gives each pair of features a weight of its own, may be chance alone.`,
    pays: (n) => say`${n.best} predicts best${n.where}: test RMSE ${n.top}. That is ${n.belowRidge} below ridge regression (${n.ridge})${n.belowQuadratic} and ${n.belowMean} below the mean (${n.mean}).`,
  } satisfies Record<Judgement, (n: Standings) => Phrase>,
  others: (others: Phrase): Phrase => say` Beside it: ${others}.`,
  alsoBelow: (share: Quantity, quadratic: Quantity): Phrase => say`, ${share} below quadratic ridge (${quadratic})`,
  chance: " The difference between FM and iFM may be chance alone.",
  other: (name: string, rmse: Quantity): Phrase => say`${name} ${rmse}`,
  rows: (rows: number) => ` on ${counted(rows, "test row")}`,
  rowsOfEach: (rows: number, trials: number) => ` on ${count(rows)} test rows in each of ${count(trials)} trials`,
  trials: (trials: number, name: string, won: number): Phrase => say` These are means over ${count(trials)} trials; ${name} is the best in ${quantity("none", won, count(won))} of them.`,
  stopped: (iteration: number, at: readonly string[]) => `Stopped at iteration ${count(iteration)}${at.length === 0 ? "" : ` (${at.join(", ")})`}. What was drawn stays; no model is kept and nothing is concluded.`,
  stoppedEarly: "Stopped before the first iteration.",
  ring: "A ring marks the iteration that is kept.",
  choice: (name: string, rank: number, lambda: number) => `${name}: rank ${rank}, λ ${number(lambda, 1)}`,
  choiceSoFar: (name: string, rank: number, lambda: number) => `${name}: rank ${rank}, λ ${number(lambda, 1)} so far`,
  chosen: (choices: string) => `Chosen on validation rows: ${choices}.`,
  chosenInEach: "Rank, λ and the iteration that is kept are chosen in each trial, on its own validation rows.",
};

/** Of opening a file, which is the page's own work: what its parts say is loaded with them. */
export const opening = {
  sampleError: (name: string) => `The built-in table ${name} could not be loaded from this site; check the connection and try again.`,
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
  folder: "This is a folder, want one file of a table; open the folder and drop the file inside.",
  twoFiles: "More than one file was dropped; the first was taken.",
  targetGone: (wanted: string, used: string) => `The link’s target “${wanted}” is no column of this table; “${used}” is offered instead.`,
  unkept: "What keeps and opens models could not be loaded, perhaps because the connection was lost; reload the page.",
};

export const data = {
  title: "Now your own table.",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} a CSV file: FM and iFM learn to predict one of its columns from the others, beside the mean and ridge regression, on rows neither has seen.`,
  asks: (target: string) => `This link ${target === "" ? "is about" : `predicts ${target} from`} a table. Choose that file to repeat the run.`,
  dropTitle: (touch: boolean) => (touch ? "Choose a CSV file" : "Drop a CSV file anywhere on this page"),
  browse: "Choose a file",
  private: "It stays in your browser: nothing is uploaded.",
  samples: "Or try it with a built-in table:",
  sample: { penguins: "Penguins", cars: "Cars", diabetes: "Diabetes", signs: "Drawn: interactions of both signs", binary: "Drawn: ±1 columns (τ = 0)" } satisfies Record<Sample, string>,
  sampleOf: { penguins: "body mass of birds in Antarctica", cars: "fuel economy, 1970–82", diabetes: "disease progression in a year", signs: "600 rows, 10 columns, a known truth", binary: "600 rows, 10 columns, a known truth" } satisfies Record<Sample, string>,
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
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

export const keeping = {
  title: "Take the model with you",
  model: "Model",
  best: (name: string) => `${name}, best on validation rows`,
  download: "Download model (.json)",
  python: "Python script (.py)",
  what: "The model file holds the scaling, the weights and the factors: drop it on this page to open it again. The script predicts a CSV file without this page; it needs Python and nothing else.",
  firstTrial: "Both are of the first trial.",
  another: "Predict a file",
  needs: (columns: readonly string[], more: number, named: boolean) =>
    `${named ? "It must have the columns" : "Its columns go by their place, as in the table the model was trained on; it must have"} ${columns.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}. All others are passed over.`,
  choose: "Choose a CSV file to predict",
  failed: "This file could not be predicted",
  stays: (name: string) => `What was predicted for ${name} is still below.`,
  done: (name: string, rows: number) => `${name}: ${counted(rows, "row")} predicted.`,
  rows: (name: string, rows: number): Phrase => say`${name}: ${quantity("none", rows, counted(rows, "row"))} predicted.`,
  error: (name: string, rows: number, rmse: number, target: string, compared: number, model: Model): Phrase =>
    say`${name}: ${quantity("none", rows, counted(rows, "row"))} predicted, with an RMSE of ${quantity(model, rmse)} on the ${quantity("none", compared, counted(compared, "row"))} that say what ${target} is.`,
  flatters: "Rows that the model was trained on make that look better than it is.",
  levels: (zero: string, one: string) => `0 stands for ${zero} and 1 for ${one}.`,
  odd: (n: number) => `${counted(n, "cell")} could not be used as written`,
  first: (n: number) => (n === 1 ? "The first prediction" : `The first ${count(n)} predictions`),
  columns: { line: "Line", predicted: (target: string) => `${target}, predicted`, actual: "actual" },
  save: (rows: number) => `Save all ${count(rows)} as CSV`,
  open: "Open a saved model",
  saved: (model: string, target: string) => `A saved ${model} that predicts ${target}`,
  holds: (name: string, rank: number, columns: number, features: number, size: number): Phrase =>
    say`${name}: rank ${quantity("none", rank, count(rank))}, ${quantity("none", columns, counted(columns, "column"))} encoded as ${quantity("none", features, counted(features, "feature"))}, ${quantity("none", size, bytes(size))}.`,
  matrix: (target: string) => `The interactions it has learnt, in ${target} per standard deviation of both features`,
  close: "Close it",
  wide: (features: number) => `The interactions of ${count(features)} features are too many to draw.`,
  noModel: (why: string) => `This JSON file is not a model saved from this page (${why}). Tables are read as CSV.`,
  unread: (name: string, why: string) => `${name} could not be read (${why}); is it still where it was?`,
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
  tau: "τ̂ = |φ − 1 − κ²|, with κ = E z³ and φ = E z⁴ of the standardized column: 2 for a Gaussian one, 0 for one of two values, and so for every category. There z² says nothing that z does not, and gFM’s diagonal cannot be told apart from its linear part. FM and iFM have no diagonal and do not need it.",
  twoValues: "two values: τ = 0",
  tauChapter: "See it in the chapter on the diagonal.",
  asNumber: "Rows whose cell is not a number are left out.",
  asCategory: "Every value seen often enough becomes a feature of its own.",
  role: { target: "Target", feature: "Feature", ignore: "Ignore" },
  kind: { numeric: "Number", categorical: "Category" },
  roleOf: (name: string) => `Role of ${name}`,
  kindOf: (name: string) => `${name} is read as`,
  unreadable: (n: number) => `${count(n)} not a number`,
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
  forecast: (seconds: number) => `At most ${duration(seconds)} on an ordinary laptop, and mostly much less: a candidate stops when validation rows gain nothing more.`,
  gfm: "gFM is UVᵀ with its diagonal kept, between FM and iFM: of both signs like iFM, but it spends part of its factors on squares, which two-valued columns do not have.",
  start: "Start",
  again: "Train again",
  changed: "The settings have changed since this run.",
  error: "These settings cannot be trained",
  solver: "Algorithm 1 needs independent columns; tables are fitted by alternating gradient descent.",
  options: "Models and tuning",
};

/** Where a test row stands: in a file, or among drawn ones. */
const place = { line: (n: number) => `Line ${count(n)}`, row: (n: number) => `Row ${count(n)}` };

export const result = {
  title: (target: string) => `Predicting ${target}`,
  model: "Model",
  scatter: (name: string) => `Predicted against actual, ${name}`,
  lead: (name: string) => `${name} is the best on validation rows.`,
  leadOfFirst: (name: string) => `The rows of the first trial; ${name} is the best on the validation rows of all.`,
  ridgeHas: "Ridge regression has no interactions.",
  actual: (target: string) => `actual ${target}`,
  predicted: "predicted",
  predictedOf: (target: string) => `predicted ${target}`,
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
  reference: "Test RMSE, best first",
  referenceSoFar: "Test RMSE of the best candidates so far",
  who: "Model",
  rmse: "Test RMSE",
  ofRidge: "against ridge",
  below: "below ridge in",
  trials: (n: number, of: number) => `${count(n)} of ${count(of)}`,
  quadratic: (columns: number, lambda: number) => `Quadratic ridge: ridge regression on the features, their squares and their products, ${counted(columns, "column")} in all, λ ${number(lambda, 1)}. No ranks and one best fit, but a weight for every pair.`,
  notFitted: (reason: string) => `Quadratic ridge was not fitted: ${reason}`,
  comparing: "Fitting quadratic ridge, to compare …",
  matrix: (target: string) => `The interactions they have learnt, in ${target} per standard deviation of both features`,
  exact: "predicted exactly",
  predictedBy: (target: string, name: string) => `predicted ${target}, ${name}`,
  how: (name: string, target: string, parts: readonly string[]) => `Computed live from ${name}: ${target} predicted, ${parts.join(", ")}.`,
  features: (n: number) => counted(n, "encoded feature"),
  rows: (train: number, valid: number, test: number) => [counted(train, "training row"), counted(valid, "validation row"), counted(test, "test row")],
  repeated: (trials: number) => counted(trials, "trial"),
  seed: (seed: number) => `seed ${seed}`,
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

export const predicted = {
  title: "Predicted against actual",
  note: "Test rows of the first trial; y as it was drawn.",
  lost: "These charts could not be loaded, perhaps because the connection was lost; reload the page.",
};

// The chapters, which are loaded when they come near.

/** A rough time, as a reader plans with it. */
function duration(seconds: number): string {
  if (seconds < 3) return "a few seconds";
  if (seconds < 50) return `about ${count(5 * Math.ceil(seconds / 5))} seconds`;
  if (seconds < 90) return "about a minute";
  return seconds < 5400 ? `about ${count(Math.round(seconds / 60))} minutes` : `about ${count(Math.round(seconds / 3600))} hours`;
}

/** What was taken over how many trials, with its band where there is one. */
function over(what: string, trials: number, whole: boolean): string {
  if (!whole) return `${what} of the runs that came to an end`;
  return trials === 1 ? "1 trial" : `${what} of ${counted(trials, "trial")}, the band from smallest to largest`;
}

/** Training rows, and whether they are what was asked for. */
function rows(n: number, held: boolean, what = "training row"): string {
  return `${counted(n, what)}${held ? " (held: 10 at least, and no more than fit into memory)" : ""}`;
}

export const section = {
  title: "The lesson",
  lead: "The whole paper in eight chapters. Each asks you first, then runs in your browser, then explains what happened with the numbers of that run; what was recorded in advance, the paper’s Table 1 above all, is marked as quoted. Where a claim is narrower than its words, the chapter shows it.",
  contents: "Chapters",
  words: "U and V have a row for each of the d features and k columns, the rank. κ and φ are the means of x³ and x⁴ of a standardized column. PSD (positive semidefinite) means: no negative eigenvalue.",
};

export const chapter = {
  run: "Run",
  again: "Run again",
  stop: "Stop",
  settings: "Settings of this chapter",
  share: "Link and embed",
  formulas: "Formulas",
  silent: "What the run says to the question will stand here, in its own numbers.",
  guess: "Guess, and it runs:",
  answer: (found: string) => `The answer of this run: “${found}”`,
  right: (guess: string) => `You guessed “${guess}”, and this run says so too.`,
  wrong: (guess: string, found: string) => `You guessed “${guess}”; this run says “${found}”`,
  undecided: "This run, with these settings, does not decide the question.",
  unknown: (key: string, title: string) => `the link’s parameter “${key}” is not known in the chapter “${title}” and was ignored`,
  progress: (done: number, of: number) => `${count(done)} of ${counted(of, "run")} done`,
  over: (done: number, of: number, seconds: number) => (done < of || seconds === 0 ? `Stopped: ${count(done)} of ${counted(of, "run")} came to an end.` : `${counted(of, "run")} in ${number(seconds, 2)} s.`),
  stale: (cost: string) => `The settings have changed since this run. ${cost}`,
  live: (how: string) => `Live: computed in this browser. ${how.charAt(0).toUpperCase()}${how.slice(1)}`,
  idle: "Live: computed in this browser once you press Run.",
  times: (n: number) => ` (${count(n)} runs)`,
  others: (n: number) => `${count(n)} more kinds of error came up.`,
};

export const labels: Labels = {
  keys: joined(settings, { rows: "Training rows ÷ dk", tau: "τ of three-point or slider columns", taus: "τ", ratios: "n ÷ dk", ks: "Ranks k", model: "Model", sweep: "Upright axis", compared: "Models" }),
  options: joined(options, { rank: "rank k", tau: "τ of the columns", two: "FM and iFM", three: "FM, gFM and iFM" }),
};

export const chart = {
  data: "Data of this chart",
  hint: (touch: boolean) => (touch ? "Touch the chart for exact values." : "Point at the chart, or use the arrow keys, for exact values."),
  cursor: (x: string) => `${x} under the cursor`,
  at: (place: string, parts: readonly string[]) => `${place}: ${parts.join(", ")}`,
  describe: (y: string, x: string, scale: "log" | "linear") => `Line chart of ${y} by ${x}, ${scale === "log" ? "logarithmic" : "linear"} axis.`,
  line: (name: string, from: string, first: number, to: string, last: number) => `${name}: ${number(first)} at ${from}, ${number(last)} at ${to}.`,
  range: "from – to",
  band: (low: number, high: number) => `${number(low)} – ${number(high)}`,
  axis: (y: string) => `Upright axis: ${y}.`,
};

const waiting: Readonly<Record<Phase, string>> = {
  idle: "Press Run.",
  running: "The first rows are being drawn …",
  stopped: "Stopped before there was anything to draw.",
  done: "There is nothing to draw.",
};

type Scenario = "psd" | "flipped" | "mixed";

const panel: Readonly<Record<Scenario, string>> = { psd: "(a)", flipped: "(b)", mixed: "(c)" };

export const interaction = {
  title: "What an interaction is",
  lead: "Two columns, x₁ and x₂, and a target y with a product in it. Because of the product, what x₁ does to y depends on x₂: that is an interaction. Linear regression has no word for it. A factorization machine has: m = 2M₁₂, made of its factors.",
  question: "y has a linear part and a product m·x₁x₂; both columns are standard normal. How much of the product can the best plane b + w₁x₁ + w₂x₂ explain?",
  guesses: { all: "All of it: the two weights take it up", half: "About half of it", nothing: "Nothing" },
  source: "Equations 1 and 2 of the paper, for two features. The truth, its linear part and its product, is drawn anew for each seed.",
  cost: "2 runs, less than a second.",
  waiting: { idle: "Press Run.", running: "Learning …", stopped: "Stopped before the model was learnt.", done: "There is nothing to draw." } satisfies Record<Phase, string>,
  table: "The weight of x₁x₂, and how far y is predicted on the test rows",
  who: "Who",
  weight: "m, of x₁x₂",
  rmse: "Test RMSE",
  share: "Of y’s variance explained",
  truth: "the truth",
  plane: "the plane (ridge regression)",
  none: "has none",
  parts: (sd: Quantity, second: Quantity): Phrase => say`The sd of y is ${sd}, that of its product alone ${second}.`,
  ridge: (rmse: Quantity, share: Quantity): Phrase => say`The plane (ridge regression) leaves a test RMSE of ${rmse}: it explains ${share} of the product’s variance.`,
  because: ["That is nothing, up to chance. The slope of the product in x₁ turns round with the sign of x₂, and a plane has one slope for both."] as Phrase,
  drowned: ["With so few rows, or so much noise, chance is too large to tell."] as Phrase,
  learnt: (name: string, rmse: Quantity, m: Quantity): Phrase => say`${name} ends at ${rmse} with m = ${m}`,
  both: (ends: readonly Phrase[], m: Quantity, noise: Quantity | null): Phrase => say`${list(ends)}; the true m is ${m}${noise ? say`, and noise alone makes ${noise}` : ""}.`,
  sign: ["With two columns FM’s m = 2u₁u₂ can have either sign, so FM does as well. From three columns on it cannot always: at rank 1 the product of its three pairs, (u₁u₂)(u₁u₃)(u₂u₃), is never negative. That is the next chapter."] as Phrase,
  live: (n: number, test: number, noise: number, rank: number, seed: number) => `${[counted(n, "training row"), counted(test, "test row"), "d = 2", `models of rank ${rank}`, figure.noise(noise), `seed ${seed}`].join(", ")}; solver: ${labels.options["agd"]}. The maps and lines show iFM’s model.`,
};

export const surface = {
  title: "What iFM has learnt: a plane and a saddle",
  parts: { linear: "Linear part", product: "Interaction", sum: "Their sum" } satisfies Record<Part, string>,
  formula: { linear: "b + w₁x₁ + w₂x₂", product: "m·x₁x₂", sum: "y" } satisfies Record<Part, string>,
  negative: "negative",
  positive: "positive",
  caption: "One scale for all. x₁ and x₂ in standard deviations.",
  axis: { x: "x₁", y: "x₂" },
  cursor: { x: "x₁ of the cursor", y: "x₂ of the cursor" },
  without: "Leave the interaction out",
  place: (x: string, y: string) => `x₁ = ${x}, x₂ = ${y}`,
  entry: (name: string, value: string) => `${name} ${value}`,
  lines: "y against x₁, for a few x₂",
  across: (formula: string) => `${formula}; x₁ across and x₂ up, both from −2 to 2`,
  along: (crossing: string, most: string) => `${crossing} x₁ across from −2 to 2, y up from −${most} to ${most}.`,
  held: (y: number) => `x₂ = ${signed(y, 1)}`,
  moved: (y: number) => `x₂ = ${signed(y, 2)}, yours`,
  parallel: "Parallel: x₁ does the same whatever x₂ is.",
  cross: (x: string) => `They cross at x₁ = ${x}: the slope of x₁ depends on x₂.`,
  lean: "Not parallel: the slope of x₁ depends on x₂. They cross beyond this picture.",
  hint: (touch: boolean) => (touch ? "Touch a map or the lines for exact values, or move the sliders." : "Point at a map or at the lines, or move the sliders with the arrow keys, for exact values."),
  data: "These pictures as a table",
  corner: (x: number, y: number, value: string) => `${value} at x₁ = ${signed(x, 1)}, x₂ = ${signed(y, 1)}`,
  describe: (name: string, ends: readonly string[]) => `Heat map of the ${name.toLowerCase()} over x₁ and x₂ from −2 to 2: ${ends.join("; ")}.`,
  line: (y: number, from: string, to: string) => `for x₂ = ${signed(y, 1)} y goes from ${from} to ${to}`,
  chart: (told: readonly string[], crossing: string) => `Line chart of y against x₁ from −2 to 2: ${told.join("; ")}. ${crossing}`,
};

export const figure1 = {
  title: "The PSD bias",
  question: "Negate the target: y becomes −y. What happens to FM’s test error?",
  guesses: { same: "Nothing: it learns −y as well as y", worse: "It gets worse, but interactions still help", stuck: "It is stuck where a model without interactions is" },
  source: "Figure 1 of the paper, at its sizes: d = 100, k = 5, 10 trials.",
  lead: "FM and iFM learn three truths. In (a) the true matrix has no negative eigenvalue. In (b) it is the same matrix with its sign flipped. In (c) it has both signs. The charts show the test RMSE by iteration. The paper draws a linear axis; the log axis shows what that hides.",
  cost: (runs: number, seconds: number, cores: number) => `${counted(runs, "run")}, ${duration(seconds)} where ${cores === 1 ? "one core is" : `${count(cores)} cores are`} free.`,
  heading: { psd: "(a) M* = UUᵀ without its diagonal", flipped: "(b) M* = −UUᵀ without its diagonal", mixed: "(c) M* = UVᵀ without its diagonal" } satisfies Record<Scenario, string>,
  row: { psd: "(a) UUᵀ", flipped: "(b) −UUᵀ", mixed: "(c) UVᵀ" } satisfies Record<Scenario, string>,
  waiting,
  axis: "Axis",
  scales: { linear: "linear", log: "log" },
  x: "iteration",
  y: "test RMSE",
  at: (iteration: number) => `Iteration ${count(iteration)}`,
  truth: "Truth",
  endings: "Test RMSE at the end ÷ sd of the truth’s second-order part",
  reading: "1 is what the best linear model reaches: no interaction learnt. 1/√2 ≈ 0.71 in (c) is half of the variance, the half that FM can write.",
  slow: (half: number, end: number, factor: Quantity) => say`In (a) and (b) iFM falls only by a factor of ${factor} between iterations ${count(half)} and ${count(end)}, about like 1/t (a factor of 2), not geometrically: there the true matrix has one sign, the half of iFM’s factors that would write the other has nothing to do, and such a spare half makes the minimum flat. A linear axis hides that.`,
  one: (model: string, scenario: Scenario) => `${model} in ${panel[scenario]}`,
  unlearnt: ["FM does not learn the truth of (a) either, so this run does not tell what the sign does. Try more rows or more iterations."] as Phrase,
  tooFew: (names: readonly string[], n: number): Phrase => say`${list(names.map((name) => [name]))} ${names.length === 1 ? "ends" : "end"} above 1, worse than with no interactions at all: ${counted(n, "training row")} ${n === 1 ? "is" : "are"} too few.`,
  tooShort: (names: readonly string[], iterations: number): Phrase => say`${list(names.map((name) => [name]))} ${names.length === 1 ? "ends" : "end"} above 1, worse than with no interactions at all, and still ${names.length === 1 ? "falls" : "fall"}: ${counted(iterations, "iteration")} ${iterations === 1 ? "is" : "are"} too few.`,
  same: "iFM’s curves in (a) and (b) are the same bit for bit: flip y, and V flips with it.",
  ends: (n: { readonly fmA: Quantity; readonly fmB: Quantity; readonly fmC: Quantity; readonly ifmB: Quantity; readonly ifmC: Quantity }): Phrase =>
    say`Let 1 be what is left without interactions. FM ends at ${n.fmA} in (a), at ${n.fmB} in (b) and at ${n.fmC} in (c). iFM ends at ${n.ifmB} in (b) and at ${n.ifmC} in (c).`,
  live: (n: number, held: boolean, test: number, d: number, k: number, trials: number, whole: boolean, solver: string, seed: number) =>
    `${[rows(n, held), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${over("mean", trials, whole)}; solver: ${labels.options[solver]}.`,
};

export const signs = {
  title: "The spectrum",
  lead: "The eigenvalues of a symmetric matrix tell which patterns of columns raise y and which lower it. FM learns UUᵀ and iFM learns UVᵀ, made symmetric; both leave the diagonal out afterwards, and what is shown here is before that.",
  question: "The truth has negative eigenvalues as well as positive ones. How many of the negative ones will FM find?",
  guesses: { none: "None", some: "Some of them", all: "All of them" },
  source: "Section 2 of the paper for the bias, where it sets the diagonal aside. That enough rank undoes the bias is not in the paper.",
  cost: (runs: number, seconds: number) => `${counted(runs, "run")}, ${duration(seconds)}.`,
  waiting,
  truth: "True M*",
  ranked: (name: string, rank: number) => `${name}, rank ${rank}`,
  second: "And with more rank?",
  more: "FM’s diagonal is left out, so it may be anything. Add a large enough c to the truth’s diagonal and no eigenvalue is negative any more; off the diagonal nothing has changed. A U of high enough rank can write that. Each point is a run of its own, on the same rows.",
  heading: "Test RMSE ÷ sd of the truth’s second-order part",
  x: "rank of the model",
  noise: "noise alone",
  at: (rank: number) => `Rank ${count(rank)}`,
  table: "By rank: numbers in the factors, test RMSE ÷ sd of the second-order part, ‖M − M*‖ / ‖M*‖",
  rank: "Rank",
  numbers: { fm: "Numbers in U", ifm: "Numbers in U, V" },
  ends: (name: string) => `${name}: RMSE`,
  errors: (name: string) => `${name}: M`,
  counts: (name: string, above: Quantity, below: Quantity): Phrase => say`${name}, has ${above} eigenvalues clearly above zero and ${below} clearly below.`,
  equal: (fm: number, ifm: number): Phrase => [fm === ifm ? `Each has ${count(fm)} numbers in its factors.` : `They have ${count(fm)} and ${count(ifm)} numbers in their factors.`],
  bias: (k: number, fm: Quantity, need: number, ifm: Quantity): Phrase => say`Where 1 is no interaction learnt, FM of rank ${String(k)} ends at ${fm} and iFM of rank ${String(need)} at ${ifm}.`,
  hidden: (fm: Quantity, truth: Quantity): Phrase => say`FM does better than eigenvalues of one sign seem to allow: its largest is ${fm}, the truth’s ${truth}, and the excess goes into the diagonal, which is left out.`,
  level: (rank: number, fm: number, ifm: number, n: number): Phrase => [`From rank ${rank} on FM is level with that iFM: the PSD bias is a bias at low rank. But it takes ${count(fm)} numbers instead of ${count(ifm)}, learnt from the same ${counted(n, "row")}.`],
  price: (fm: Quantity, ifm: Quantity): Phrase => say`More numbers learn more of the noise: FM’s M is then off by ${fm}, that iFM’s by ${ifm}.`,
  never: (rank: number, left: Quantity, enough: boolean): Phrase => say`Up to rank ${count(rank)} FM does not come level: it ends at ${left}.${enough ? " That rank could write the truth; the rows, or the iterations, are too few to find it." : ""}`,
  silent: ["The paper does not say so: it sets the diagonal aside before it argues."] as Phrase,
  live: (n: number, test: number, d: number, k: number, noise: number, solver: string, iterations: number, seed: number) =>
    `${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `${count(Math.ceil(k / 2))} positive and ${count(Math.floor(k / 2))} negative eigenvalues`, ...(noise > 0 ? [figure.noise(noise)] : []), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
};

export const algorithm = {
  title: "Algorithm 1, as printed and as corrected",
  question: "As printed, Algorithm 1 lacks one term. How far from the truth is it when the run ends?",
  guesses: { shrinks: "Nearer than at the start", stays: "About as far", grows: "Farther, and more so with each iteration" },
  source: "Algorithm 1 and Theorem 3, its rate, of the paper; the missing term is −½P⁽⁰⁾(r)·I.",
  lead: "Algorithm 1 is the paper’s own method. The chart shows how far from the truth each of its iterations is: for gFM as printed, for gFM with the missing term put back, and for iFM. It needs standardized, independent columns, so it runs here on drawn rows only.",
  cost: (runs: number, seconds: number) => `${counted(runs, "run")}, ${duration(seconds)}.`,
  waiting,
  heading: "Recovery error, ‖w − w*‖ / ‖w*‖ + ‖M − M*‖ / ‖M*‖",
  x: "iteration",
  y: "recovery error",
  at: (iteration: number) => `Iteration ${count(iteration)}`,
  name: { gfm: "gFM, corrected", printed: "gFM, as printed", ifm: "iFM" },
  corrected: { gfm: "Corrected gFM", ifm: "iFM" },
  floor: "long-run rate of iFM, n → ∞",
  rates: "What an iteration multiplies the error by",
  run: "Run",
  rate: "measured",
  shaped: "× √(n ÷ kd)",
  reading: "Measured from iteration 2, for iFM over the last half, to the last whose error is above 10⁻¹² of the first. The theorem’s rate falls as 1/√n: times √(n ÷ kd) it should stay where it is, whatever n. gFM has a truth with its diagonal kept, iFM one without.",
  shrinks: (rate: Quantity, shaped: Quantity) => say`Corrected, gFM multiplies its error by ${rate} an iteration; times √(n ÷ kd) that is ${shaped}.`,
  scales: ["Try four times the rows: the second number hardly moves."] as Phrase,
  stays: (rate: Quantity) => say`Corrected, gFM multiplies its error by ${rate} an iteration here, so it does not converge: the rows are too few, or these columns’ moments too near to those of a ±1 column.`,
  grows: (times: Quantity) => say`As printed, it ends ${times} times as far from the truth as it began.`,
  trace: (factor: Quantity) => say`Without the missing term each iteration multiplies the error of the trace by about −k/2, here ${factor}.`,
  growsByChance: ["For k = 2 it is the chance of few rows alone that enlarges it: with more of them it only keeps its size."] as Phrase,
  left: (names: readonly string[], n: number, near: boolean): Phrase => say`${list(names.map((name) => [name]))} left all numbers: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few${near ? ", or these columns’ moments too near to those of a ±1 column" : ""}.`,
  printedLost: ["As printed it left all numbers."] as Phrase,
  printedRankOne: ["As printed it converges, k being 1: the error of the trace is halved and turned round then, not enlarged. Try k = 3."] as Phrase,
  printedRankTwo: ["As printed it comes no closer: k being 2, the error of the trace is turned round at its full size again and again. Try k = 3."] as Phrase,
  printedShrinks: (rate: Quantity) => say`As printed it multiplies its error by ${rate} an iteration; the error of the trace is not yet most of it.`,
  printedStays: ["As printed it comes no closer in these iterations."] as Phrase,
  printedTurns: (rate: Quantity) => say`As printed it moves away, by a factor of ${rate} an iteration.`,
  floored: (rate: Quantity, floor: Quantity) => say`iFM multiplies its error by ${rate} in the last iterations. In the paper that goes to 0 as the rows grow; here it tends to ${floor}, not to 0, however many rows there are.`,
  ifmStays: (rate: Quantity, n: number) => say`iFM multiplies its error by ${rate} in the last iterations, so it does not converge: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few.`,
  live: (n: number, held: boolean, d: number, k: number, seed: number, fresh: boolean, features: Spec["features"], tau: number) =>
    `${[`${rows(n, held, "row")}${fresh ? " drawn anew for each iteration" : ", the same for each iteration"}`, `d = ${d}`, `k = ${k}`, `${figure.features[features]}${Number.isNaN(tau) ? "" : `, τ = ${number(tau)}`}`, `seed ${seed}`].join(", ")}; solver: Algorithm 1.`,
};

export const moments = {
  title: "The diagonal and τ",
  question: "The columns come nearer and nearer to ±1. What does gFM lose?",
  guesses: { nothing: "Nothing to speak of", matrix: "Its matrix, while its predictions stay good", both: "Its matrix and its predictions" },
  source: "Definition 2 (moment invertibility), Theorem 3 and Proposition 1 of the paper. The proof of Proposition 1 holds for the diagonal alone.",
  lead: "Of the three models gFM alone has a diagonal: its entry for a column multiplies the column’s square. To learn it, the square must say something that the column itself does not. Regress x² on x, for a column of mean 0 and variance 1: the variance that is left over is τ = φ − 1 − κ². It is 2 for a Gaussian column. It is 0 for every column of two values, such as yes and no.",
  holds: "The solver’s trouble and the model’s",
  honest: [
    "Gradient descent, which runs here at first, learns the diagonal at a pace that τ sets. Algorithm 1, the paper’s method and the other choice of solver, divides by τ instead. What it divides is known up to chance, about 1/√n from n rows, so that τ√n has to be large; the theorem asks for n like 1/τ². As in the theorem it is given the true moments and fresh rows in each iteration: a table has neither, and moments that are estimated break it earlier.",
    "The paper’s Proposition 1 says that at τ = 0 gFM cannot be learnt. Its argument holds for the diagonal only: the rest of M shows in the rows, and a low rank may pin the diagonal down from the rest. So part of what you see here is the solver’s trouble and not the model’s. iFM has no diagonal and no τ to divide by. Each model is given a truth of its own kind.",
  ],
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 400 ? "a minute or more" : "some seconds"}.`,
  waiting,
  x: "τ",
  show: "Show",
  shown: { errorM: "error of M", errorW: "error of w", rmse: "test RMSE" } satisfies Record<Shown, string>,
  heading: { errorM: "‖M − M*‖ / ‖M*‖", errorW: "‖w − w*‖ / ‖w*‖", rmse: "test RMSE ÷ sd of y" } satisfies Record<Shown, string>,
  line: (name: string, ratio: number) => `${name}, n = ${number(ratio, 2).replace(/\.0$/, "")} dk`,
  table: (what: string) => `${what} at the end, median over trials`,
  refused: (n: number, of: number) => (n === of ? "refused" : `${count(n)} of ${count(of)} refused`),
  diverged: (n: number, of: number) => (n === of ? "diverged" : `${count(n)} of ${count(of)} diverged`),
  gfm: (ratio: number, most: string, far: Quantity, least: string, near: Quantity) => say`With n = ${number(ratio, 2).replace(/\.0$/, "")} dk, gFM’s error of M is ${far} at τ = ${most} and ${near} at τ = ${least}.`,
  single: (ratio: number, tau: string, gfm: Quantity, ifm: Quantity, several: boolean) => say`With n = ${number(ratio, 2).replace(/\.0$/, "")} dk and τ = ${tau}, gFM’s error of M is ${gfm}, iFM’s ${ifm}. ${several ? "At no other τ did gFM come to an end." : "Give more than one τ to see what it changes."}`,
  besideNone: "Press Run below to see what gFM makes of such columns.",
  noFit: "none",
  beside: (tau: string, ratio: number, gfm: string, ifm: string) => `The dashed line on the chart below is this column. At the nearest τ of the run, ${tau}, with n = ${number(ratio, 2).replace(/\.0$/, "")} dk the error of M is ${gfm} for gFM, ${ifm} for iFM.`,
  keeps: ["So gFM loses nothing to speak of here: it finds M within 1 %, or as well as far from ±1."] as Phrase,
  gone: (taus: readonly string[], ratio: number): Phrase => say`At τ = ${list(taus.map((tau) => [tau]))} no run of gFM with n = ${number(ratio, 2).replace(/\.0$/, "")} dk came to an end: every one diverged or was refused, so it has neither M nor predictions there.`,
  reach: (all: readonly Reach[], further: boolean): Phrase => say`gFM still finds M within 1 % in every trial ${list(all.map(({ ratio, tau, root }) => say`down to τ = ${tau} with n = ${number(ratio, 2).replace(/\.0$/, "")} dk (τ√n = ${root})`))}${further ? ": more rows reach further down" : ""}.`,
  predicts: (rmse: Quantity) => say`Yet gFM predicts well there, with a test RMSE of ${rmse} sd. An error that does not show in predictions sits where such columns cannot tell: on the diagonal.`,
  chance: ["Which diagonal it ends at is chance: others fit these rows exactly as well."] as Phrase,
  astray: (rmse: Quantity) => say`gFM’s test RMSE at the smaller τ is ${rmse} sd.`,
  ifm: (far: Quantity, near: Quantity) => say`iFM’s error of M is ${far} and ${near}.`,
  refusals: (n: number, of: number, known: boolean) =>
    [`${count(n)} of gFM’s ${counted(of, "run")} ${n === 1 ? "was" : "were"} refused, because τ ${known ? "is" : "as the rows show it is"} too small to divide by. That is a result, not a fault; to see what dividing gives, choose ${known ? "the pseudo-inverse" : "the true moments or the pseudo-inverse"}.`] as Phrase,
  lost: (n: number, of: number) => [`${count(n)} of gFM’s ${counted(of, "run")} diverged.`] as Phrase,
  pace: (iterations: number): Phrase => [`That is the pace of gradient descent, which τ sets: the smaller τ, the less of the diagonal is learnt in ${counted(iterations, "iteration")}. Choose Algorithm 1 in the settings to see what dividing by τ does instead, or Gauss–Newton, for which only τ = 0 is too small.`] as Phrase,
  others: ["Is it the model or the solver? Choose Gauss–Newton in the settings, which divides by no τ, and run again: what is left of the trouble then shows at τ = 0 alone, in M and not in the test RMSE."] as Phrase,
  held: (points: number): Phrase => [`${counted(points, "pair")} of τ and n ${points === 1 ? "has" : "have"} other rows than asked for: a run takes 10 at least, and no more than fit into memory.`],
  live: (features: Spec["features"], d: number, k: number, trials: number, whole: boolean, solver: string, fresh: boolean, known: boolean, pseudo: boolean, seed: number) =>
    `${[figure.features[features], `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${over("median", trials, whole)}; solver: ${labels.options[solver]}${solver === "algorithm1" ? `, ${fresh ? "fresh rows each iteration" : "one batch reused"}, ${known ? "true" : "estimated"} moments${pseudo ? ", pseudo-inverse" : ""}` : ""}.`,
};

export const samples = {
  title: "How many samples",
  question: "A truth of rank k has about d·k numbers. As k grows, how many rows does each of its numbers need?",
  guesses: { falls: "Fewer", stays: "About as many", rises: "More: a higher rank is harder" },
  source: "Theorem 3 of the paper promises enough rows, not the fewest: this map shows where success begins.",
  lead: "The map shows how often the truth is found from n training rows. n is counted in units of d·k, the numbers in one factor matrix. Found means: w and M are both within 1 % when the run ends. This depends on the solver as much as on the model, so every map names its solver. Choose a cell to open its run in the figure.",
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 1000 ? "a minute or more" : "some seconds"} with Gauss–Newton; other solvers take longer.`,
  caption: (model: string, solver: string, trials: number, whole: boolean) => `${labels.options[model]} by ${labels.options[solver]}: found, of ${whole ? counted(trials, "trial") : "the trials that came to an end"}`,
  corner: (row: string) => `${row} ↓ n ÷ dk →`,
  open: (name: string, found: number, of: number) => `${name}: found in ${count(found)} of ${counted(of, "trial")}; open this run in the figure`,
  first: (name: string, ratio: Quantity) => say`for ${name} from n = ${ratio} dk on`,
  never: (name: string): Phrase => [`for ${name} nowhere on this map`],
  nowhere: ["Nowhere on this map is the truth found in every trial."] as Phrase,
  firsts: (firsts: readonly Phrase[]): Phrase => say`The truth is found in every trial ${list(firsts)}.`,
  trend: {
    falls: (low: number, from: Quantity, high: number, to: Quantity) => say`From k = ${count(low)} to k = ${count(high)} that falls from ${from} to ${to} rows for each of its numbers.`,
    stays: (low: number, from: Quantity, high: number, to: Quantity) => say`From k = ${count(low)} to k = ${count(high)} that hardly changes: ${from} and ${to} rows for each of its numbers.`,
    rises: (low: number, from: Quantity, high: number, to: Quantity) => say`From k = ${count(low)} to k = ${count(high)} that rises from ${from} to ${to} rows for each of its numbers.`,
  },
  total: (low: string, few: Quantity, high: string, many: Quantity): Phrase => say`In rows it is ${few} for k = ${low} and ${many} for k = ${high}: a higher rank needs more rows, but fewer for each of its numbers.`,
  below: ["All of this map is found, so it does not tell where success begins. Try fewer rows."] as Phrase,
  heldAt: (name: string, n: number) => `${name}, held at ${counted(n, "row")}`,
  held: (points: number): Phrase => [`* ${counted(points, "cell")} ${points === 1 ? "has" : "have"} other rows than asked for: a run takes 10 at least, and no more than fit into memory.`],
  missed: (refused: number, diverged: number) =>
    `${[...(refused > 0 ? [`${counted(refused, "run")} ${refused === 1 ? "was" : "were"} refused, because τ is too small to divide by`] : []), ...(diverged > 0 ? [`${counted(diverged, "run")} diverged`] : [])].join(", and ")}; ${refused + diverged === 1 ? "it counts" : "they count"} as not found.`,
  data: { n: "n ÷ dk", over: "runs", found: "found" },
  single: "k = 1 has a single eigenvalue, positive",
  live: (features: Spec["features"], truth: string, scenario: string, single: boolean, d: number, k: number, trials: number, solver: string, iterations: number, seed: number) =>
    `${[figure.features[features], `${labels.options[truth]} truth, ${labels.options[scenario]}${single ? ` (${samples.single})` : ""}`, `d = ${d}`, ...(Number.isNaN(k) ? [] : [`k = ${k}`]), counted(trials, "trial"), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
};

export const distribution = {
  family: "Columns",
  families: { slider: "from Gaussian to ±1", threepoint: "three points" } satisfies Record<Family, string>,
  ends: { slider: { from: "Gaussian", to: "±1" }, threepoint: { from: "two thirds are 0", to: "±1" } } satisfies Record<Family, { readonly from: string; readonly to: string }>,
  slider: (from: string, to: string) => `The column, from “${from}” to “${to}”`,
  value: (family: Family, parameter: number, tau: number) => `${{ slider: "a", threepoint: "p" }[family]} = ${number(parameter, 4)}, τ = ${number(tau)}`,
  heading: { slider: "Density of x = a·(±1) + √(1 − a²)·Gaussian", threepoint: "Shares of −1/√p, 0 and 1/√p" } satisfies Record<Family, string>,
  column: "this column",
  gaussian: "Gaussian",
  x: "x, in standard deviations",
  density: "density",
  ofGaussian: "density of a Gaussian",
  ofRows: "share of the rows",
  cursor: "x under the cursor",
  dense: (x: number, density: number, gaussian: number) => `x = ${cell(x)}: density ${number(density)}, of a Gaussian ${number(gaussian)}`,
  shared: (x: number, share: number) => `x = ${cell(x)}: share of the rows ${number(share)}`,
  peak: (height: number) => `↑ ${number(height, 2)}`,
  share: (share: number) => `${number(100 * share, 3).replace(/\.0+$/, "")} %`,
  data: "Data of this picture",
  names: {
    parameter: { slider: "a, weight of ±1", threepoint: "p, share not 0" } satisfies Record<Family, string>,
    kappa: "κ = E x³",
    phi: "φ = E x⁴",
    tau: "τ = φ − 1 − κ²",
  },
  told: {
    start: {
      slider: "Gaussian: x² differs from row to row, and x does not tell it. gFM’s diagonal shows.",
      threepoint: "Three points: x² is 0 in two rows of three and 3 in the others, and x does not tell it in a straight line. gFM’s diagonal shows.",
    } satisfies Record<Family, string>,
    between: "The rows gather at −1 and 1. x² differs less and less from 1, so there is less and less to learn the diagonal from.",
    end: "±1: x² is 1 in every row, so a square tells nothing. The diagonal merges into the bias; for two other values, such as 0 and 1, into the bias and the linear term.",
  },
  live: "Live: from the formula of this column, as you move it.",
  describe: ({ kappa, phi, tau, points, density }: Shape) =>
    `${density ? "Density of a column, on a Gaussian one: " : "Shares of the values of a column: "}${density ? `at −1 and 1 it is ${number(density(1), 2)}, at 0 ${number(density(0), 2)}` : points.map(({ x, share }) => `${number(share, 2)} at ${number(x, 3)}`).join(", ")}. κ is ${number(kappa)}, φ ${number(phi)}, τ ${number(tau)}.`,
};

export const columns = {
  title: "Your own columns",
  none: "No table is open, so there is nothing to list.",
  open: "Open a table, and its columns appear here.",
  caption: (name: string) => `τ̂ of the columns of ${name}, the smallest first`,
  column: "Column",
  tau: "τ̂",
  root: "τ̂√n",
  means: "Its square, for gFM’s diagonal",
  summary: (name: string, none: number, of: number, small: number): Phrase =>
    say`In ${name}, ${quantity("none", none, count(none))} of ${quantity("none", of, count(of))} ${of === 1 ? "column has" : "columns have"} τ = 0${small > 0 ? say`, and ${quantity("none", small, count(small))} more a τ̂ too small for so many rows` : []}.`,
  meaning: "There gFM’s diagonal cannot be told from the bias and the linear part: it may predict as well as any, but what stands on its diagonal means nothing. FM and iFM have no diagonal.",
  fine: "Each of them has a square that says something of its own, so gFM’s diagonal can be learnt.",
  caution: "τ̂ comes from the rows at hand, and the theorem is about independent columns, which those of a table are not: read it as a warning, not as a verdict.",
  standing: {
    two: "two values: says nothing",
    levels: "levels, each a yes-or-no column: says nothing",
    small: "hardly differs: too little for so many rows",
    near: "differs little: learnt with luck",
    clear: "says something of its own",
  },
  more: (n: number) => `Show ${counted(n, "more column")}`,
};

export const tables = {
  title: "Your data",
  question: "On three real tables, three seeded splits each: on how many does iFM beat ridge regression by more than 1 % on average?",
  guesses: { none: "None of them", some: "One or two", all: "All three" },
  source: "The paper’s own data, vTEC, is not public, so these are three public tables instead. They lie in web/samples, with their sources. In the paper’s Table 1 too, ridge regression is ahead of iFM on one of its days.",
  lead: "Drawn rows prove a point; real tables decide what to use. Birds, cars and patients: 60\u00a0% of the rows train, 20\u00a0% choose rank and penalty, 20\u00a0% test. Ridge regression knows no interactions. What does it cost, or save, to know them?",
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 60 ? "half a minute or more" : "some seconds"}.`,
  waiting: joined(waiting, { running: "The tables are being read and split …" }) satisfies Record<Phase, string>,
  caption: "Test RMSE ÷ ridge’s, mean over the splits",
  table: "Table",
  predicts: (target: string, rows: number) => `${target}, ${counted(rows, "row")}`,
  rmse: (value: number) => `RMSE ${number(value)}`,
  below: (n: number, of: number) => `${count(n)} of ${count(of)} below`,
  best: "best",
  reading: "Below 1 is better than ridge regression, and so many splits are below. “mean” predicts the mean of the training rows for every row. Quadratic ridge has a weight of its own for every square and product.",
  gain: (name: string, gain: Quantity): Phrase => say`${name} (${{ ...gain, text: `${number(Math.abs(100 * gain.value), Math.abs(gain.value) < 0.1 ? 2 : 3)} % ${gain.value < 0 ? "above" : "below"}` }})`,
  won: (named: Phrase): Phrase => say`iFM beats ridge regression by more than 1 % on ${named}.`,
  wonNone: ["iFM beats ridge regression by more than 1 % on none of the tables."] as Phrase,
  level: (named: Phrase): Phrase => say`It is level with it, within 1 %, on ${named}.`,
  lost: (named: Phrase): Phrase => say`It is behind by more than 1 % on ${named}.`,
  product: (name: string, quadratic: Quantity, ifm: Quantity): Phrase => say`${name} (${quadratic} of ridge’s error against ${ifm})`,
  products: (named: Phrase): Phrase => say`Quadratic ridge is ahead of iFM on ${named}.`,
  difference: (difference: Quantity, spread: Quantity): Phrase => say`${ofRidge(difference)} ± ${ofRidge(spread)}`,
  tied: (names: Phrase, differences: Phrase): Phrase => say`FM and iFM are within each other’s noise on ${names}: iFM’s error less FM’s, in parts of ridge’s, is ${differences} from split to split.`,
  ahead: (name: string, model: string, by: Quantity): Phrase => say`${model} is ahead of the other by ${ofRidge(by)} of ridge’s error on ${name}`,
  apart: (named: Phrase): Phrase => say`${named}, more than chance explains on splits of one table.`,
  oneSplit: ["One split says nothing of chance: ask for more of them in the settings."] as Phrase,
  missing: (n: number): Phrase => [`${counted(n, "table")} could not be had and ${n === 1 ? "does" : "do"} not count.`],
  why: ["On such tables FM’s sign constraint has little to break: their columns are few, some only yes or no, and both models start from ridge regression."] as Phrase,
  live: (tables: readonly { readonly name: string; readonly target: string; readonly size: number }[], trials: number, solver: string, ranks: readonly number[], lambdas: number, patience: number, seed: number) =>
    `${[...tables.map(({ name, target, size }) => `${name}: ${target}, ${counted(size, "row")}`), counted(trials, "split"), `seed ${seed}`].join("; ")}. Ranks ${ranks.join(", ")} and ${counted(lambdas, "penalty", "penalties")} tried, patience ${count(patience)}; solver: ${labels.options[solver]}.`,
  bridge: "Now your own",
  bridgeLead: "The same comparison on a file of yours, which stays in your browser:",
  own: "Open your own table.",
  open: (name: string) => `Open ${name} with these settings`,
};

/** A share of ridge’s error. */
function ofRidge(of: Quantity): Quantity {
  return { ...of, text: `${of.value < 0 ? "−" : ""}${number(Math.abs(100 * of.value), 2)} %` };
}

export const splits = {
  heading: "Every split: test RMSE ÷ ridge’s",
  x: "÷ ridge’s; left of 1 is better",
  line: (name: string, model: string) => `${name}, ${model}`,
  data: "Data of this chart",
  describe: "Dot plot of test RMSE divided by ridge regression’s, a dot for each split, and a bar from 1 to their mean.",
  one: (line: string, mean: number, low: number, high: number) => `${line}: ${number(mean)} on average, from ${number(low)} to ${number(high)}.`,
  table: "Table",
  split: "Split",
  cursor: "Split under the cursor",
  at: (line: string, split: number, rmse: number, ridge: number) => `${line}, split ${split}: test RMSE ${number(rmse, 4)} ÷ ridge’s ${number(ridge, 4)} = ${(rmse / ridge).toFixed(3)}`,
  units: "Test RMSE, in the units of each target.",
};

/** Of the dialog that says how to show a piece of the lab elsewhere. */
export const sharing = {
  title: "Share",
  close: "Close",
  piece: "What",
  groups: { lab: "The page", figure: "The figure", table: "Your table", lesson: "The lesson" },
  pieces: { lab: "The whole lab", figure: "The figure", curve: "Its curves alone", maps: "Its heat maps alone", spectrum: "Its eigenvalues alone", table: "What training found" },
  chapters: { interaction: "What an interaction is", psd: "The PSD bias", spectrum: "The spectrum", diagonal: "The diagonal and τ", samples: "How many samples", algorithm: "Algorithm 1, as printed and as corrected", vtec: "vTEC: a net under the ionosphere", data: "Your data" } satisfies Record<Chapter, string>, // their own titles are beside their texts, where the page need not load them
  named: (piece: "lab" | "figure" | "curve" | "maps" | "spectrum" | "table") =>
    ({
      lab: "iFM Lab: factorization machines on drawn and on your own data",
      figure: "iFM Lab: FM and iFM learn the same data",
      curve: "iFM Lab: test RMSE of FM and iFM by iteration",
      maps: "iFM Lab: the interactions that FM and iFM have learnt",
      spectrum: "iFM Lab: the eigenvalues of what FM and iFM have learnt",
      table: "iFM Lab: FM, iFM and ridge regression on a table",
    })[piece],
  chapter: (title: string) => `${title}: a chapter of iFM Lab`,
  own: "Your own file stays with you: what was found in it is in no link. A link to the whole lab carries your settings, the names of your columns among them, and asks for the file.",
  link: "Link",
  copyLink: "Copy link",
  local: (host: string) => `This address works on this computer alone (${host}): others reach it once the page is on a server, or take the offline file.`,
  kept: (address: string) => `This file keeps the address ${address}, which works only on the computer that it came from: send the file itself.`,
  file: "This page is a file: a link to it works on this computer alone. Send the file itself.",
  form: "Where to",
  forms: { html: "Web page", course: "Course page", element: "Component", reveal: "Reveal", jupyter: "Jupyter", quarto: "Quarto", myst: "MyST", card: "Chat, forum", oembed: "oEmbed", offline: "Offline file" },
  notes: {
    html: "A frame for any HTML page. It starts when a reader scrolls to it, and shares nothing with your page.",
    course: "Choose “HTML” or “source” in the editor of Moodle, Canvas or another course page. No script, a fixed height, and a link in case the frame is taken out.",
    element: "An element that finds its own height, can be played and paused by your scripts, and tells them what it computes. Its script and its frame come from this lab. Where a page’s policy forbids the script, a link is seen instead; the policy that allows both:",
    reveal: "A slide of Reveal.js, which is 700 px high; it is loaded when it comes near. After a click into the frame the keys are the frame’s: the slides turn again after a click beside it. In Quarto’s slides take Quarto.",
    jupyter: "A cell of Jupyter, JupyterLab or Colab.",
    quarto: "For .qmd files, also of slides; PDF and Word get a link. Unpack the extension beside your document first:",
    myst: "For mystmd and Jupyter Book 2, which choose the height by themselves.",
    card: "A link that chats and forums show with a title and a picture. It leads to the whole page, not to this piece alone.",
    oembed: "WordPress makes a frame of a pasted link by itself, a sandboxed one, which is enough. Discourse and course systems do once their administrator allows this address. Notion, Medium and Teams know a list of their own and show the card at most. What they ask:",
    offline: "One HTML file of 1.9 MB with everything in it, this state too: it works without a network, from a memory stick or a course’s file area.",
  },
  policy: (host: string) => `script-src ${host}; frame-src ${host}`,
  open: "Open iFM Lab",
  fallback: "The height is the one that it has until the frame has told its own.",
  extension: "ifm-lab-quarto.zip",
  needsServer: "Needs the lab’s own server; a plain file server has no cards.",
  code: "To paste",
  copy: "Copy",
  copied: "Copied.",
  done: "Copied",
  selected: "The browser does not let this page copy. The text is selected: press Ctrl+C, or ⌘C.",
  save: "Save the file",
  saving: "Putting the file together …",
  saved: "Saved as ifm-lab.html.",
  perhaps: "The frame that this page is in may forbid downloads. If no file has come,",
  ownTab: "open the page in its own tab",
  notSaved: (reason: string) => `The file could not be saved${reason === "" ? "" : `: ${reason}`}.`,
  height: "Height, px",
  follow: "As high as it needs (adds a script)",
  shows: "It shows",
  around: { title: "Title", switch: "Switch", controls: "Controls", verdict: "Verdict", matrices: "Heat maps, eigenvalues" },
  theme: "Colours",
  preview: "Preview",
  widths: { desktop: "Desktop", phone: "Phone" },
  width: "Width of the preview",
  needs: (height: number) => `Here it needs ${count(height)} px.`,
  use: (height: number) => `Set the height to ${count(height)} px`,
  examples: "Every form, live",
};

/** Of the page of examples; its own text is web/embeds.html. */
export const examples = {
  code: "What is to be pasted",
  copy: "Copy",
  copied: "Copied.",
  selected: "The browser does not let this page copy. The text is selected: press Ctrl+C, or ⌘C.",
  noServer: "This server does not answer: the lab’s own does.",
};

/** What a frame tells the page around it. */
export const embed = {
  guarded: "The reader has opened a file, and the page around the frame can change nothing any more.",
};

/** Why the engine did not start. */
export const unstarted = {
  worker: "the web worker that the engine runs in",
  wasm: "WebAssembly, which the engine is written in",
  fetch: "this page to fetch its engine",
  forbidden: (what: string, directive: string, sources: string) => `The engine could not be started: the Content-Security-Policy under which this page is served forbids ${what}. Whoever runs the server can allow it: ${directive} needs ${sources}`,
  missing: (file: string, status: number) => `The engine could not be started: the server has no ${file} (${status}). It belongs to the folder that this page lies in; reload the page, or ask whoever runs the server to copy the whole folder.`,
  unreachable: (file: string) => `The engine could not be started: ${file} could not be fetched, perhaps because the connection was lost; reload the page.`,
  reason: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
};

export const offline = {
  lost: "The file could not be fetched, perhaps because the connection was lost; try again.",
  changed: "its script is not the one that was built into it",
  damaged: (reason: string) => `This file could not be unpacked: ${reason}. Perhaps it was cut short on its way; fetch it again. It needs a browser of 2023 or later.`,
  old: "This browser is too old to unpack this file: it has no DecompressionStream. Open it in a browser of 2023 or later, such as Firefox 113 or Safari 16.4.",
};

// The chapter on vTEC.

export const vtec = {
  title: "vTEC: a net under the ionosphere",
  question: "Six methods learn the ionosphere over a net of stations, anew every minute, and predict for a station that they have not seen. The paper calls iFM “uniformly better”. On how many of the days will it be the best of the six?",
  guesses: { all: "On every day", most: "On most of them", few: "On half of them, or fewer" },
  source: "The section on vTEC estimation of the paper, and its Table 1.",
  lead: "The vertical total electron content (vTEC) says by how much the ionosphere delays the signals of satellites; who knows it finds positions to a centimetre. The paper’s data, 17 stations over 14 days, is not public. Here its whole protocol runs on a simulated sky, or on a sky of your own.",
};

const NOISE = 0.0022; // m in a double difference of the test station a mm of noise, measured on the simulator
const numerals = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** A time to come, "" where it is not known. */
function forecast(seconds: number): string {
  return Number.isFinite(seconds) ? duration(seconds) : "";
}

const methods: Readonly<Record<Method, string>> = { ridge: "Ridge", lasso: "LASSO", elasticnet: "Elastic net", kernel: "Kernel", fm: "FM", ifm: "iFM" };

const whereFrom: Readonly<Record<Source, string>> = { simulated: "a simulated sky", maps: "your own IONEX maps", disturbed: "your own IONEX maps with simulated disturbances on top", points: "your own pierce points", file: "a file that iFM Lab has simulated" };

/** The net under a sky and what disturbs it, as far as the settings say it. */
function underIt({ sky, systems, waves, spacing, latitude, longitude, phase }: Ionosphere): string[] {
  return [
    ...(sky === "points" ? [] : [`the test station at ${cell(latitude)}°, ${cell(longitude)}°`, `${cell(spacing)} km apart`, systems === 1 ? "GPS" : "GPS and a second system of satellites", `noise ${cell(phase)} mm`]),
    ...(sky === "simulated" || sky === "disturbed" ? [`disturbances × ${cell(waves)}`] : []),
  ];
}

export const survey = {
  methods,
  fileNeeded: "These settings are about a file of yours. Open it below, or press “Use the simulated sky” there.",
  soon: "The sky is being drawn …",
  testDay: (n: number) => `TestDay${n}`,
  pause: "Pause",
  resume: "Go on",
  every: (n: number, seconds: number) => `${Number.isNaN(n) ? "Every minute" : `All ${count(n)} windows`}${forecast(seconds) === "" ? "" : `: ${forecast(seconds)}`}`,
  cost: (windows: number, positions: number, seconds: number, workers: number) => `${counted(windows, "window")}${positions > 0 ? `, and ${count(positions)} more in which positions are tried` : ""}: ${forecast(seconds) === "" ? `some seconds where ${workers === 1 ? "one core is" : `${count(workers)} cores are`} free` : forecast(seconds)}.`,
  costOfPoints: "As many windows as the file has, at most.",
  progress: (over: number, of: number, left: number) => `${count(over)} of ${counted(of, "window")}${forecast(left) === "" ? "" : `, ${forecast(left)} left`}`,
  paused: (over: number, of: number) => `Paused after ${count(over)} of ${counted(of, "window")}; nothing is lost.`,
  over: (over: number, of: number, seconds: number) => (over < of ? `Stopped: ${count(over)} of ${counted(of, "window")} came to an end.` : `${counted(of, "window")} in ${number(seconds, 2)} s.`),
  stale: (cost: string) => `The settings have changed since this run. ${cost}`,
  chart: "RMSE by day, metres",
  day: "test day",
  rmse: "RMSE, m",
  waiting: { idle: "Press Run.", running: "The first windows are on their way …", paused: "Paused before there was anything to draw.", stopped: "Stopped before there was anything to draw.", done: "There is nothing to draw." } satisfies Record<Phase | "paused", string>,
  unused: (windows: number, positions: number) => `${[...(windows > 0 ? [counted(windows, "window")] : []), ...(positions > 0 ? [`positions in ${counted(positions, "window")}`] : [])].join(" and ")} could not be used`,
  unusedOne: (what: "window" | "fix", day: string, time: string, reason: string) => `${day}, ${time} UT${what === "fix" ? ", position" : ""}: ${reason}`,
  unusedMore: (n: number) => `${count(n)} more`,
  none: "No window could be used, so there is nothing to compare; the list above says why.",
  lowest: (name: string, rmse: Quantity, days: number, zero: Quantity): Phrase => say`${name} has the lowest RMSE ${days === 1 ? "of the day" : `on average over ${count(days)} days`}: ${rmse} m, where predicting 0 leaves ${zero} m.`,
  behind: (more: Quantity): Phrase => say`iFM’s is ${more} more.`,
  more: (share: number) => `${number(100 * share, 2)} %`,
  ask: (methods: number, days: number) =>
    methods < 2
      ? "iFM is to be compared with other methods here. Choose it and one more at least among the settings below: on how many of the days will it be the best of them?"
      : `${["", "", "Two", "Three", "Four", "Five", "Six"][methods] ?? ""} methods learn the ionosphere over a net of stations, anew every minute, and predict for a station that they have not seen. The paper calls iFM “uniformly better”. ${days === 1 ? `Will it be the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? ""} on that day?` : `On how many of the ${numerals[days] ?? count(days)} days will it be the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? ""}?`}`,
  guessesOfOne: { all: "Yes", few: "No" },
  won: (methods: number, won: Quantity, days: number, level: number): Phrase =>
    say`iFM is the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? count(methods)} on ${won} of ${counted(days, "day")}${level > 0 ? `, level with another on ${level === 1 ? "one" : (numerals[level] ?? count(level))} of them` : ""}.`,
  after: (over: number, of: number) => `After ${count(over)} of ${counted(of, "window")}:`,
  against: (ifm: Quantity, ridge: Quantity, by: Quantity, gain: number, level: boolean, won: Quantity, days: number): Phrase =>
    say`Its RMSE is ${ifm} m, ridge regression’s ${ridge} m: ${level ? say`they are level, within ${by}` : say`${by} ${gain > 0 ? "below" : "above"} it`}. iFM is ahead of it on ${won} of ${counted(days, "day")}.`,
  share: (share: number) => `${(100 * share).toFixed(1)} %`,
  points: (points: number, error: number) => `${signed(points, 2)}${Number.isNaN(error) ? "" : ` ± ${number(error, 2)}`} points`,
  rtk: (ifm: Quantity, ridge: Quantity, points: Quantity, tried: number, windows: number, error: boolean, sure: boolean): Phrase =>
    say`Of ${counted(tried, "simulated attempt")} at a position, in ${counted(windows, "window")}, ${ifm} come within a centimetre with iFM’s corrections and ${ridge} with ridge regression’s: ${points}${error ? " (± one standard error)" : ""}${sure ? "" : ", which may be chance"}.`,
  calm: "There are no travelling disturbances in this sky, which bend it over the net: there is less to gain than with them.",
  lost: (n: number) => `${counted(n, "window")} could not be used and ${n === 1 ? "does" : "do"} not count; they are listed with their reasons.`,
  live: (settings: Ionosphere, over: number, windows: number, days: number, stations: number, source: Source = settings.sky) =>
    `${[
      whereFrom[source],
      counted(days, "day"),
      `${over < windows ? `after ${count(over)} of ` : ""}${counted(windows, "window")}, one every ${settings.stride === 1 ? "minute" : `${count(settings.stride)} minutes`}`,
      counted(stations, "station"),
      ...underIt(settings),
      `seed ${settings.seed}`,
    ].join(", ")}.`,
  honest: "What to know before you quote this",
  badges: { simulated: "simulated", quoted: "quoted", measured: "quoted, from our measurements", live: "live" },
  notes: [
    ["live", "Everything on the map, in the first table, in the chart and in the verdict is computed in this browser. What is marked as quoted is not."],
    ["simulated", "The default takes every 20th window, and penalties that were chosen beforehand, on days 1 to 5, which are none of the test days. Ridge, LASSO, elastic net and kernel ridge all chose the least penalty of the paper’s grid."],
    ["simulated", "The simulator’s level, of its disturbances and its noise, was chosen so that ridge regression lands near the paper’s 0.016 at the default settings. That the levels agree is no result; how the methods compare is."],
    ["simulated", "The default has GPS only, 5 to 9 satellites at a time where the paper has 10 to 20. With both systems of satellites, which is a setting, FM and iFM are about level."],
    ["simulated", "iFM gains where travelling disturbances bend the field across the net. Without them, their amplitude at 0, it gains nothing and may lose a little, and positions get a little worse."],
    ["simulated", "In the paper kernel ridge is clearly the worst; here it is level with the linear methods at the default settings."],
    ["measured", "None of the six is the last word: a Gaussian process that is given the mean and the covariance by which this simulator draws its skies and its noise, though not what it has drawn, is off by 0.0083 m, where iFM, the best of them, is off by 0.0147. That is for the nine days of seed 1, every 20th minute."],
    ["live", "On IONEX maps alone, a value every 2.5° by 5° and two hours, such waves are smoothed away and there is less to gain. Maps with simulated disturbances on top are a mode of their own, and say so."],
    ["simulated", "The paper’s RTK row comes from a commercial engine. Ours is a stand-in: positions from one epoch, always with both systems of satellites, from each neighbour of the test station in turn, ambiguities by integer least squares, within 1 cm of the truth. A standard error says by how much a difference of two methods would vary by chance; it is taken from how windows differ."],
    ["quoted", "“Uniformly better” holds for the paper’s average. On its TestDay1 ridge regression is ahead of iFM, and on TestDay3 FM is level with it."],
  ] as readonly (readonly ["simulated" | "quoted" | "measured" | "live", string])[],
  method: "What is done in a window",
  observed: "No TEC is observed, only double differences of it: between two satellites a, b and two stations c, d. What all signals of a satellite share, and all of a station, such as the errors of their clocks, cancels out of them:",
  encoded: "The pierce points of a window, where the signals of the m satellites cross the ionosphere, are put into as many clusters, m, by K-means. A point x is encoded by its place, latitude α and longitude β, relative to the centre of its cluster g, by zeros for all other clusters, and by functions of the signal’s zenith angle θ and azimuth γ:",
  fitted: "Each method fits a function F of that, so that F’s own double differences match those among the training stations. It is tried on the double differences between the test station and its neighbours:",
  tuned: "Penalties and ranks",
  tunedNote: "As tuned on days 1 to 5 of the simulated sky, which are none of the test days: penalties from 10⁻⁶ to 10⁶, ranks from 1 to 10. For both systems of satellites, which positions always have, FM and iFM were tuned apart.",
};

/** What stands beside the inputs of that chapter. */
export const vtecLabels: Labels = {
  keys: {
    methods: "Methods", stride: "Minutes between two windows", fixes: "Minutes between two positions (0: none)", days: "Test days", systems: "Satellites (1: GPS, 2: GPS and a second system)", latitude: "Latitude of the test station, °", longitude: "Longitude, °",
    spacing: "Between neighbours, km", waves: "Disturbances ×", phase: "Noise, mm", edge: "Stations are joined up to this distance, km", station: "Test station", unit: "Unit of the TEC", mapping: "Its direction",
    ridge: "Ridge, λ", lasso: "LASSO, α", elasticnet: "Elastic net, α", netratio: "Elastic net, share of ‖w‖₁", kernel: "Kernel, α", gamma: "Kernel, γ", fmrank: "FM, rank", fmlambda: "FM, λ of the factors", fmlinear: "FM, λ of w", ifmrank: "iFM, rank", ifmlambda: "iFM, λ of the factors", ifmlinear: "iFM, λ of w", fixfmrank: "FM with both systems, rank", fixfmlambda: "FM with both systems, λ", fixifmrank: "iFM with both systems, rank", fixifmlambda: "iFM with both systems, λ", seed: "Seed",
  },
  options: { auto: "as the file says", tecu: "TECU", metres: "metres at L1", vertical: "vertical", slant: "along the signal" },
};

/** The map of that chapter. */
export const sky = {
  title: { tec: "The electron content over the net", bend: "What bends it" },
  controls: "Time and colours of the map",
  play: "Play the map",
  pause: "Pause the map",
  day: "Day",
  time: "Time",
  colours: "Colours of the map",
  whats: { tec: "TEC", bend: "What bends it" },
  at: (day: string, time: string, local: string) => `${day}, ${time} UT${local === "" ? "" : ` (${local} at the test station)`}`,
  unit: "TECU",
  caption: { tec: "Vertical TEC, one scale for the whole day.", bend: "TEC less the plane of a square as large as the net around each place: what a linear model cannot follow there. One scale for the whole day." },
  signals: { tec: "Vertical TEC that the signals see, one scale for the whole day; the field between them is not known.", bend: "The field between the signals is not known, and so not what bends it." },
  marks: { test: "test station", station: "training station", point: "where a signal pierces the ionosphere" },
  counts: (satellites: number, points: number) => `${counted(satellites, "satellite")} in use, ${counted(points, "pierce point")}.`,
  hint: (touch: boolean) => (touch ? "Touch the map for exact values." : "Point at the map, or use the arrow keys, for exact values."),
  unusable: (reason: string) => `No signals at this time: ${reason}`,
  cursor: "Place on the map; the arrow keys move it",
  place: (latitude: string, longitude: string, tec: number, bend: number) => (Number.isNaN(tec) ? `${latitude}, ${longitude}: nothing is known here` : `${latitude}, ${longitude}: TEC ${number(tec, 4)} TECU, ${number(Math.abs(bend), 2)} TECU ${bend < 0 ? "below" : "above"} the plane around it`),
  live: (settings: Ionosphere, time: string, stations: number, source: Source) => `${[whereFrom[source], time, counted(stations, "station"), ...underIt(settings), `seed ${settings.seed}`].join(", ")}.`,
  describe: (d: { readonly time: string; readonly low: number; readonly high: number; readonly stations: number; readonly test: string; readonly satellites: number; readonly points: number; readonly strongest: { readonly value: number; readonly latitude: string; readonly longitude: string } | null; readonly unusable: string }) =>
    [
      `Map of ${counted(d.stations, "station")} around the test station ${d.test} at ${d.time}.`,
      Number.isNaN(d.low) ? "The field between the signals is not known." : `The TEC goes from ${number(d.low)} to ${number(d.high)} TECU.`,
      d.unusable === "" ? `${counted(d.satellites, "satellite")} in use, ${counted(d.points, "pierce point")}.` : `No signals: ${d.unusable}`,
      d.strongest ? `It bends most at ${d.strongest.latitude}, ${d.strongest.longitude}: ${signed(d.strongest.value, 2)} TECU from the plane around it.` : "",
    ].join(" "),
  data: "Data of this map",
  fieldTable: "The field at some places",
  pointTable: "All pierce points",
  corner: "Latitude",
  columns: { day: "day", time: "time, UT", latitude: "latitude, °", longitude: "longitude, °", tec: "TEC, TECU", bend: "TEC less the plane around it, TECU", satellite: "satellite", station: "station", delay: "vertical delay, m" },
  write: { maps: "Save this day as IONEX", points: "Save this day as pierce points" },
  writing: "Writing the file …",
  written: (name: string) => `Saved as ${name}.`,
};

/** Its table. */
export const tally = {
  methods,
  caption: (source: Source) => `RMSE of the double differences at the test station, metres of delay at L1${source === "disturbed" ? "; your maps with simulated disturbances" : ""}`,
  noise: (mm: number) => `The noise of ${cell(mm)} mm a signal at the zenith makes about ${number(NOISE * mm, 2)} m in a double difference, which nobody can predict.`,
  badge: { simulated: "Simulated", maps: "Your data", disturbed: "Your data, simulated disturbances", points: "Your data", file: "Simulated (file)", quoted: "Quoted" },
  day: "Day",
  windows: "Windows",
  zero: "Zero",
  average: "Average",
  rtk: "Simulated RTK",
  commercial: "RTK",
  best: "best",
  lost: (n: number) => `(${count(n)} could not be used)`,
  starred: "* Some could not be used: see the list below.",
  reading: "Zero predicts no difference at all. Bold and underlined: the best of its row as it is printed. Windows: done and all. RTK: attempts that give a position within 1 cm; nothing is marked before 12 windows.",
  quoted: "Table 1 of the paper",
  quotedNote: "From Lin et al., Table 1, on data that is not public: real days, 17 stations, all 12,960 windows, RTK by a commercial engine. The paper states no unit of the RMSE. Nothing of it is computed here.",
  testDay: (n: number) => `TestDay${n}`,
  partly: (over: number, of: number) => `(${count(over)} of ${counted(of, "window")})`,
  unit: "unit",
  units: { rmse: "m", rtk: "% of positions" },
  done: "windows done",
  all: "windows",
};

/** A reader's own sky. */
export const ownSky = {
  title: "Your own sky",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} an IONEX file (.i, .inx, packed by gzip or not), or a table of pierce points: time, sat, station, lat, lon, zenith, azimuth, tec. The buttons under the map write both, so you can see what they look like.`,
  asks: { maps: "This link is about IONEX maps. Choose that file to repeat the run.", points: "This link is about a table of pierce points. Choose that file to repeat the run." },
  dropTitle: (touch: boolean) => (touch ? "Choose a file" : "Drop a file here"),
  browse: "Choose a file",
  private: "It stays in your browser: nothing is uploaded.",
  several: "More than one file was dropped; the first was taken.",
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
  unusable: "This file could not be used:",
  kept: (name: string) => `${name} is still in use.`,
  open: (name: string) => `${name} is still open; what it lacks stands below.`,
  replaced: (before: string, now: string) => `${now} has taken the place of ${before}.`,
  simulate: "Use the simulated sky",
  again: "Read it again",
  found: { maps: (name: string, size: string) => `${name}: IONEX maps, ${size}`, points: (name: string, size: string) => `${name}: pierce points, ${size}` },
  bad: (n: number) => `${counted(n, "line")} could not be read and ${n === 1 ? "is" : "are"} left out`,
  use: "What the experiment runs on",
  uses: { maps: "These maps", disturbed: "These maps, with simulated disturbances on top", points: "These pierce points", simulated: "The simulated sky" },
  place: "Where the net stands under your maps:",
  middle: "as the file says, or in the middle",
  close: "Put the file away",
};
