// The words of the reader's table.
import type { Column, Logged, Note, Table } from "../engine/protocol.js";
import type { Spec } from "../state/spec.js";
import { bytes, count, number, percent } from "../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../text/phrase.js";
import { capital, counted, duration } from "../text/strings.js";
import type { Choice } from "../training/series.js";
import type { Beside, Judgement } from "../training/standing.js";

export const data = {
  title: "Now your own table.",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} a table: FM and iFM learn to predict one of its columns from the others, beside the mean and ridge regression, on rows neither has seen.`,
  asks: (target: string) => `This link ${target === "" ? "is about" : `predicts ${target} from`} a table. Choose that file to repeat the run.`,
  dropTitle: (touch: boolean) => (touch ? "Choose a table" : "Drop a table anywhere on this page"),
  kinds: "CSV and other text, JSON, LIBSVM, Excel, Parquet; packed by gzip or zip, too",
  browse: "Choose a file",
  samples: "Or try it with a built-in table:",
  fileError: "This file could not be used",
  kept: (name: string) => `${name} is still loaded.`,
  summary: (name: string, rows: number, columns: number, size: number) => `${name}: ${counted(rows, "row")}, ${counted(columns, "column")}, ${bytes(size)}`,
  separator: "Separator",
  separators: { auto: "guess", comma: "comma ,", semicolon: "semicolon ;", tab: "tab", pipe: "bar |", space: "space" } satisfies Record<Spec["separator"], string>,
  formats: { json: "JSON", libsvm: "LIBSVM", libffm: "libFFM" } satisfies Record<Exclude<Table["format"], "text">, string>,
  header: "First row",
  headers: { auto: "guess", yes: "names the columns", no: "is data" } satisfies Record<Spec["header"], string>,
  charset: "Charset",
  charsets: { auto: "guess", "utf-8": "UTF-8", "utf-16le": "UTF-16 LE", "utf-16be": "UTF-16 BE", "windows-1252": "windows-1252", "latin-1": "Latin-1" } satisfies Record<Spec["charset"], string>,
  guessed: (what: string) => `guess: ${what}`,
  preview: (shown: number) => `The first ${shown === 1 ? "row" : `${shown} rows`}, as written`,
  droppedTitle: (n: number) => `${count(n)} ${n === 1 ? "row is" : "rows are"} left out of training`,
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
  },
  asNumber: "Rows whose cell is not a number are left out.",
  asCategory: "Every value seen often enough becomes a feature of its own.",
  role: { target: "Target", feature: "Feature", weight: "Row weight", ignore: "Ignore" },
  kind: { numeric: "Number", categorical: "Category", sparse: "Sparse" },
  roleOf: (name: string) => `Role of ${name}`,
  kindOf: (name: string) => `${name} is read as`,
  unreadable: (n: number) => `${count(n)} not a number`,
  atLeast: (n: number) => `≥ ${count(n)}`,
  levels: (levels: readonly string[], more: boolean) => [...levels, ...(more ? ["…"] : [])].join(", "),
  more: (n: number) => `Show ${counted(n, "more column")}`,
  scroll: "Columns of the table; scrolls sideways",
  because: (reason: string) => told(reason),
  chosen: (guess: Column["guess"], kind: Column["kind"], reason: string) => `Your choice. The page’s was ${{ target: "target", feature: { numeric: "a feature of numbers", categorical: "a category", sparse: "many features" }[kind], ignore: "to ignore it", weight: "to weigh the rows by it" }[guess]}, because ${reason}.`,
  kept: (name: string, from: string) => `Your choice. The page’s was to ignore it, because ${from === name ? "the rows are split by it" : `${from} is ignored, and it is a part of that`}.`,
  odd: ({ topic, text }: Note) => (topic === "parts" || topic === "one to one" ? told(text) : ended(text)),
  weigh: "Does it say how much a row counts?",
  weighBy: (name: string) => `Weigh the rows by ${name}`,
  use: "Use it",
  useIt: (name: string) => `Use ${name}`,
  ignore: "Ignore",
  ignoreIt: (name: string) => `Ignore ${name}`,
  readAs: { numeric: "Read as numbers", categorical: "Read as categories", sparse: "" } satisfies Record<Column["kind"], string>,
  readAsOf: (name: string, kind: Column["kind"]) => `Read ${name} as ${kind === "numeric" ? "numbers" : "categories"}`,
  asGuessed: "Back to the page’s choice",
  asGuessedOf: (name: string) => `Back to the page’s choice for ${name}`,
};

export const decisions = {
  ask: "Question",
  text: (text: string) => told(text),
  now: "(read so now)",
  answers: (column: string, text: string) => `${column}: ${text}`,
};

export const asks = {
  title: "Before it is trained",
  lead: (cells: number, waits: "answers" | "target" | "nothing") => (waits === "answers" ? `Training waits for ${cells === 1 ? "an answer" : `${count(cells)} answers`}: ${cells === 1 ? "it changes" : "they change"} the numbers, and nothing in the file gives ${cells === 1 ? "it" : "them"}.` : waits === "target" ? "Training waits for your word on what to predict." : "The target cannot be predicted."),
  of: (column: string) => `How is ${column} to be read?`,
  more: (n: number) => `and ${counted(n, "more question")}, beside the columns`,
  target: (name: string) => `Predict ${name}?`,
  another: "Predict another column?",
  because: (reason: string) => `It was taken because ${reason}; others may be meant.`,
  chosen: "You have chosen it.",
  yes: "Yes",
  yesTrain: "Yes, train",
  instead: (name: string) => `Predict ${name} instead`,
  others: "Another column …",
  take: "Predict it",
};

/** Of a reader's table the model that is best on validation rows. */
interface Best {
  readonly name: string;
  readonly error: Quantity;
  readonly where: string; // rows(…)
  readonly measure: string; // of the errors
}

interface Standings extends Best {
  readonly rest: Phrase; // all but the mean and trees, of all trials
  readonly all: string; // across(…)
  readonly ridge: Quantity;
  readonly mean: Quantity;
  readonly hats: boolean;
}

export const verdict = {
  table: {
    exact: (n) => say`Ridge regression predicts the target almost exactly on ${n.all}: ${n.measure} ${n.ridge} against ${n.mean} for the mean. If a column is a part of the target, ignore it.`,
    nothing: (n) => say`On ${n.all} nothing predicts at least 1 % better than the mean (${n.measure} ${n.mean}): ${n.rest}. These columns say little about the target.`,
    trees: (n) => say`On ${n.all} only boosted trees predict at least 1 % better than the mean (${n.measure} ${n.mean}): ${n.rest}.`,
    ridge: (n) => say`Factors did not help on the validation rows, so ${n.name} is ridge regression${n.hats ? " on piecewise-linear bases" : ""} here: ${n.measure} ${n.error} on ${n.where}.`,
    compared: () => [],
  } satisfies Record<Judgement, (n: Standings) => Phrase>,
  beside: (first: Best | null, how: Beside, others: Phrase, models: boolean): Phrase => {
    const says = { better: "predicts better than", worse: "predicts worse than", level: "shows no clear difference from", ahead: "seems better than", behind: "seems worse than" }[how];
    return say`${first ? say`On ${first.where} ${first.name} (${first.measure} ${first.error})` : "It"} ${says} ${others}${how === "worse" && models ? ", though validation rows chose it" : ""}.`;
  },
  unsure: (where: string) => [`${where} are too few to be sure.`],
  use: (name: string, several: boolean, trials: boolean, why: "lowest" | "close" | "simpler"): Phrase => {
    const error = `${several ? "their" : "its"} ${trials ? "mean " : ""}test error is`;
    return [`Use ${name}: ${{ lowest: `${error} the lowest`, close: `${error} within a tenth of the lowest`, simpler: `it is simpler, and ${error} within a tenth of the lowest` }[why]}.`];
  },
  named: (name: string, error: Quantity): Phrase => say`${name} (${error})`,
  plainRidge: "ridge regression on the numbers as they are",
  unpaired: (told: Phrase, measure: string): Phrase => say`Test ${measure}: ${told}.`,
  other: (name: string, error: Quantity): Phrase => say`${name} ${error}`,
  few: (rows: number): Phrase => say`${counted(rows, "test row")} ${rows === 1 ? "is" : "are"} too few to tell which predicts better.`,
  rows: (rows: number, ofTrial: boolean) => `${counted(rows, "test row")}${ofTrial ? " of the first trial" : ""}`,
  across: (rows: number, several: boolean) => `${counted(rows, "test row")}${several ? " a trial" : ""}`,
  means: (trials: number, measure: string, told: Phrase, name: string, won: number): Phrase => say`Over ${count(trials)} trials the mean test ${measure} is ${told}; ${name} is the best in ${quantity("none", won, count(won))} of them.`,
  stopped: (iteration: number, at: readonly string[]) => `Stopped at iteration ${count(iteration)}${at.length === 0 ? "" : ` (${at.join(", ")})`}. What was drawn stays; no model is kept and nothing is concluded.`,
  stoppedEarly: "Stopped before the first iteration.",
  choice: (name: string, choice: Choice, edge: string) => `${name}: ${chosen(choice)}${edge}`,
  choiceSoFar: (name: string, choice: Choice) => `${name}: ${chosen(choice)} so far`,
  edge: (what: string) => ` (${what} at an end of what was tried)`,
  chosen: (choices: string) => `Chosen on validation rows: ${choices}.`,
  calibrated: (names: string, ridge: number) => `The log-loss told of ${names} is that of calibrated probabilities; curves and all else are not calibrated${Number.isNaN(ridge) ? "" : `: ridge would be at ${number(ridge)} then`}.`,
  chosenInEach: "Rank, λ and the iteration that is kept are chosen in each trial, on its own validation rows.",
};

function chosen({ rank, lambda, weights, hats }: Choice): string {
  const encoded = hats ? ", numbers as piecewise-linear bases" : "";
  if (rank === 0) return `ridge itself, no factors, λw ${number(weights, 1)}${encoded}`;
  return weights > 0 ? `rank ${rank}, λf ${number(lambda, 1)}, λw ${number(weights, 1)}${encoded}` : `rank ${rank}, λ ${number(lambda, 1)}`;
}

export const decided = {
  line: (target: string, learnt: string, columns: number, categories: number, ignored: number, split: string) =>
    `Predicts ${target}${learnt === target ? "" : `, learnt as ${learnt},`} from ${counted(columns, "column")}${categories > 0 ? `; ${count(categories)} ${categories === 1 ? "is a category" : "are categories"}` : ""}${ignored > 0 ? `; ${count(ignored)} ${ignored === 1 ? "is" : "are"} ignored` : ""}; ${split}.`,
  split: (split: Spec["split"], by: string) => ({ random: "random split", time: by === "" ? "the last fifth in time tests" : `the last fifth by ${by} tests`, group: by === "" ? "new groups test" : `new values of ${by} test` })[split],
  look: (n: number) => `${counted(n, "finding")} to look at.`,
  columns: "What each column is for",
  instead: "Predict … instead",
  random: "Compare with a random split",
  back: (split: Spec["split"], by: string) => `Back to the split by ${split === "time" ? "time" : "group"}${by === "" ? "" : `, ${by}`}`,
  would: (split: Spec["split"], by: string) => (split === "time" ? `A random split would test on rows between those it trains on, and predict the future worse than it seems.` : `A random split would test on values of ${by} that it also trains on, and predict new ones worse than it seems.`),
  changed: "The settings have changed since this run.",
  again: "Train again",
  compared: (measure: string, one: string, a: Quantity, at: string, other: string, b: Quantity, on: string): Phrase => say`Test ${measure}: ${one} ${a} before (${at}), ${other} ${b} now (${on}).`,
};

export const splits = {
  label: "Test rows",
  by: "by",
  any: "the one that suggests itself",
  kinds: { random: "at random", time: "the last fifth in time", group: "whole groups" } satisfies Record<Spec["split"], string>,
  means: {
    random: () => "The verdict is on rows drawn at random.",
    time: (by: string) => `The verdict is on the last fifth by ${by}: rows that come after those trained on.`,
    group: (by: string) => `The verdict is on values of ${by} that no training row has.`,
  } satisfies Record<Spec["split"], (by: string) => string>,
  reason: (reason: string) => `${reason}.`,
  take: { time: (by: string) => `Test on the last fifth by ${by}`, group: (by: string) => `Test on new values of ${by}` },
};

export const plan = {
  title: "What will be trained",
  planning: "Looking at the settings …",
  sentence: (target: string, features: number, train: number, valid: number, test: number, folds: number, size: number): Phrase => {
    const n = (value: number): Quantity => quantity("none", value, count(value));
    const tests = test === 1 ? "tests" : "test";
    const rows =
      folds > 0
        ? say`${n(train)} rows train; in ${n(folds)} folds they first choose rank and λ, and all train what is chosen. ${n(test)} ${tests}, once.`
        : say`${n(train)} ${train === 1 ? "row trains" : "rows train"}, ${n(valid)} ${valid === 1 ? "chooses" : "choose"} rank and λ, ${n(test)} ${tests}.`;
    return say`Predict ${quantity("none", Number.NaN, target)} from ${n(features)} encoded ${features === 1 ? "feature" : "features"}. ${rows} The design takes ${quantity("none", size, bytes(size))} a model.`;
  },
  candidates: (n: number) => `${counted(n, "candidate")} a model are tried; each stops when it gains nothing more, most within 30 iterations.`,
  search: (seconds: number, candidates: number) => `${capital(duration(seconds))} on an ordinary laptop: ${counted(candidates, "candidate")} a model, most of which stop within 30 iterations.`,
  waitsForAnswers: (n: number) => `Waits for ${n === 1 ? "an answer" : `${count(n)} answers`}.`,
  waitsForTarget: "Waits for your word on the target; Start gives it.",
  toAsked: "Answer",
  steps: (steps: number) => `At most ${count(steps)} iterations a model, all candidates together.`,
  forecast: (seconds: number) => `At most ${duration(seconds)} on an ordinary laptop, and mostly much less: a candidate stops when validation rows gain nothing more.`,
  gfm: "gFM is UVᵀ with its diagonal kept, between FM and iFM: of both signs like iFM, but it spends part of its factors on squares, which two-valued columns do not have.",
  start: "Start",
  error: "These settings cannot be trained",
  solver: "Algorithm 1 needs independent columns; tables are fitted by block ALS.",
  options: "Models and tuning",
};

export const result = {
  title: (target: string) => `Predicting ${target}`,
  lead: (name: string) => `${name} is the best on validation rows.`,
  leadOfFirst: (name: string) => `The rows of the first trial; ${name} is the best on the validation rows of all.`,
  comparing: "Fitting quadratic ridge, to compare …",
  matrix: (target: string) => `The interactions they have learnt, in ${target} per standard deviation of both features`,
  how: (name: string, target: string, parts: readonly string[]) => `Computed live from ${name}: ${target} predicted, ${parts.join(", ")}.`,
  features: (n: number) => counted(n, "encoded feature"),
  rows: (train: number, valid: number, test: number) => [counted(train, "training row"), counted(valid, "validation row"), counted(test, "test row")],
  repeated: (trials: number) => counted(trials, "trial"),
  seed: (seed: number) => `seed ${seed}`,
};

/** Of all that predicts the test rows. */
export const standing = {
  title: "On the test rows, best first",
  titleSoFar: "On the test rows, the best candidates so far",
  who: "Model",
  ofRidge: "against ridge",
  mae: "MAE",
  r2: "R²",
  auc: "AUC",
  accuracy: "Accuracy",
  brier: "Brier",
  classes: (ofTrial: boolean, learnt: string, weight: string) =>
    `${weight === "" ? "" : `Every row counts what its ${weight} says, in all measures and charts; how sure these are goes by the rows. `}Models learn the ${learnt}. The mean is the share of the training rows as one probability for all; ridge is logistic ridge. Log-loss, in nats: the mean of −log of the probability that each row’s own class was given, before any calibration; the rest is of the probabilities that are shown.${ofTrial ? " Of the first trial’s rows:" : ""} AUC is how often of two rows of both classes the right one has the higher probability, accuracy the share of rows on their own side of ½, Brier the mean squared error of the probability.`,
  means: (ofTrial: boolean, auc: boolean, weight: string) =>
    `${weight === "" ? "" : `Every row counts what its ${weight} says, in all measures; how sure these are goes by the rows. `}${ofTrial ? "Of the first trial’s rows: " : ""}MAE is the mean absolute error. R² is 1 where all is exact and 0 where nothing is better than the mean of these rows.${auc ? " AUC is how often the higher of two rows is predicted higher: ½ by chance." : ""}`,
  below: "below ridge in",
  trials: (n: number, of: number) => `${count(n)} of ${count(of)}`,
  quadratic: (columns: number, lambda: number) => `Quadratic ridge: ridge regression on the features, their squares and their products, ${counted(columns, "column")} in all, λ ${number(lambda, 1)}. No ranks and one best fit, but a weight for every pair.`,
  notFitted: (reason: string) => `Quadratic ridge was not fitted: ${reason}`,
};

/** Of a target whose logarithm is learnt, or could be. */
export const logarithm = {
  is: (learnt: string, target: string) => `All but the mean learn ${learnt}: training lowers its error, and pairs and interactions are in its units. Every RMSE is of ${target} itself.`,
  compared: ({ learnt, plain, log, pays }: Logged) =>
    `On validation rows ridge’s RMSE is ${number(log)} where it learns ${learnt}, ${number(plain)} where it does not: ${log < plain ? `${percent(1 - log / plain)} lower${pays ? "" : ", which may be chance"}` : `${percent(log / plain - 1)} higher`}.`,
  train: (what: string) => `Train ${what}`,
};

export const trees = {
  offered: (seconds: number, trials: number) => (seconds > 0 ? `Boosted trees were not grown: here they may take ${duration(seconds)}${trials > 1 ? ` in ${counted(trials, "trial")}` : ""}.` : "Boosted trees were not grown."),
  stopped: (grown: number) => `Boosted trees were stopped after ${count(grown)}.`,
  grow: "Grow boosted trees",
  growing: (grown: number, most: number) => `Growing boosted trees, to compare: ${count(grown)} of at most ${count(most)}`,
  soon: "Growing boosted trees, to compare …",
  stop: "Stop",
  stopHelp: "Stop growing boosted trees",
  grown: (trees: number, leaves: number, ofTrial: boolean) => `Boosted trees: ${counted(trees, "tree")} of at most ${count(leaves)} leaves${ofTrial ? " in the first trial" : ""}, as many as predict the validation rows best. They find interactions by themselves, but name none.`,
  none: "Boosted trees: on validation rows no tree predicts better than the mean.",
  notGrown: (reason: string) => `Boosted trees were not grown: ${reason}`,
};

function told(text: string): string {
  return ended(capital(text));
}

function ended(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
