// The words of the reader's table.
import type { Column, Logged, Note, Table } from "../engine/protocol.js";
import type { Spec } from "../state/spec.js";
import { count, number, percent } from "../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../text/phrase.js";
import { capital, counted, duration, ended, models } from "../text/strings.js";
import type { Choice, Whose } from "../training/series.js";
import type { Beside } from "../training/standing.js";

/** What each is called where a reader compares them. */
export function nameOf(whose: Whose, isClasses: boolean): string {
  return whose === "ridge" && isClasses ? "logistic regression" : models[whose];
}

export const door = {
  title: "Does it matter on your table?",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} a table. FM, iFM and other models train on it in your browser.`,
  asks: (target: string) => `This link ${target === "" ? "is about" : `predicts ${target} from`} a table. Choose that file to repeat the run.`,
  drop: (touch: boolean) => (touch ? "Choose a table" : "Drop a file anywhere"),
  kinds: "CSV, Excel, JSON or Parquet, zipped or not. It stays on this computer.",
  browse: "Choose a file",
  paste: "Paste rows",
  pasted: "Rows, as copied from a spreadsheet or a CSV file",
  take: "Use these rows",
  samples: "Or start with one of these",
  level: "On most public tables FM and iFM are level.",
  why: "Why?",
  refused: (says: string) => ended(says),
  kept: (name: string) => `${name} is still open.`,
  edited: "Open the edited file",
  coming: (name: string) => `Opening ${name} …`,
};

/** The line about the open table. */
export const file = {
  read: (rows: number, columns: number) => `: ${counted(rows, "row")}, ${counted(columns, "column")}`,
  predicting: "; predicting ",
  target: "Change target",
  columns: "Columns",
  another: "Open another",
};

export const reading = {
  title: "How the file was read",
  separator: "Separator",
  separators: { auto: "guess", comma: "comma ,", semicolon: "semicolon ;", tab: "tab", pipe: "bar |", space: "space" } satisfies Record<Spec["separator"], string>,
  formats: { json: "JSON", libsvm: "LIBSVM" } satisfies Record<Exclude<Table["format"], "text">, string>,
  header: "First row",
  headers: { auto: "guess", yes: "names the columns", no: "is data" } satisfies Record<Spec["header"], string>,
  charset: "Charset",
  charsets: { auto: "guess", "utf-8": "UTF-8", "utf-16le": "UTF-16 LE", "utf-16be": "UTF-16 BE", "windows-1252": "windows-1252", "latin-1": "Latin-1", "windows-1251": "windows-1251", shift_jis: "Shift-JIS", gbk: "GBK" } satisfies Record<Spec["charset"], string>,
  guessed: (what: string) => `guess: ${what}`,
  preview: (shown: number) => `The first ${shown === 1 ? "row" : `${shown} rows`}, as written`,
  dropped: (n: number) => `${count(n)} ${n === 1 ? "row is" : "rows are"} left out of training`,
};

export const roles = {
  columns: { name: "Column", role: "Used as", kind: "Read as", missing: "Missing", values: "Values" },
  asNumber: "Rows whose cell is not a number are left out.",
  asCategory: "Every frequent value becomes a feature.",
  role: { target: "target", feature: "feature", weight: "row weight", ignore: "left out" },
  kind: { numeric: "number", categorical: "category", sparse: "sparse" },
  roleOf: (name: string) => `Role of ${name}`,
  kindOf: (name: string) => `${name} is read as`,
  unreadable: (n: number) => `${count(n)} not a number`,
  range: (min: string, max: string, mean: string) => `${min} to ${max}, mean ${mean}`,
  levels: (levels: readonly string[], distinct: number, isExact: boolean) => `${isExact ? "" : "≥ "}${count(distinct)}: ${levels.join(", ")}${distinct > levels.length ? ", …" : ""}`,
  more: (n: number) => `Show ${counted(n, "more column")}`,
  scroll: "Columns of the table",
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all",
  selectHelp: "Tick columns to change several at once. Hold Shift for a range.",
  selected: (n: number) => `${counted(n, "column")} selected`,
  useAll: "Use as features",
  ignoreAll: "Leave out",
  unselect: "Clear the selection",
  because: (reason: string, role: string) => told(role === "target" ? `suggested as the target, because ${reason}` : reason),
  chosen: (guess: Column["guess"], kind: Column["kind"], reason: string) => `Your choice. The page suggested ${{ target: "target", feature: roles.kind[kind], ignore: "left out", weight: "row weight" }[guess]}: ${reason}.`,
  kept: (name: string, from: string) => `Your choice. The page suggested leaving it out: ${from === name ? "the rows are split by it" : `it is a part of ${from}`}.`,
  odd: ({ topic, text }: Note) => (topic === "parts" || topic === "one to one" ? told(text) : ended(text)),
  weigh: "Is it a row weight?",
  weighBy: (name: string) => `Weigh the rows by ${name}`,
  use: "Use it",
  useIt: (name: string) => `Use ${name}`,
  ignore: "Leave it out",
  ignoreIt: (name: string) => `Leave out ${name}`,
  readAs: { numeric: "Read as numbers", categorical: "Read as categories", sparse: "" } satisfies Record<Column["kind"], string>,
  readAsOf: (name: string, kind: Column["kind"]) => `Read ${name} as ${kind === "numeric" ? "numbers" : "categories"}`,
  asGuessed: "Undo",
  asGuessedOf: (name: string) => `Undo the choice for ${name}`,
};

export const rules = {
  title: (rules: number) => `Keep only some rows${rules > 0 ? ` (${counted(rules, "rule")})` : ""}`,
  list: "Rows are kept if",
  out: (rows: number) => `leaves out ${counted(rows, "row")}`,
  note: "All other rows are left out. An empty value means a missing cell.",
  column: "Column of the rule",
  operator: "Operator",
  operators: { "=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥" },
  value: "Value",
  missing: (name: string, is: boolean) => `${name} is ${is ? "" : "not "}missing`,
  add: "Add rule",
  long: "All rules together are too long for a link. Remove a rule first.",
  remove: "Remove",
  removeOf: (rule: string) => `Remove the rule ${rule}`,
};

export const decisions = {
  ask: "Question",
  text: (text: string) => told(text),
  now: "(current)",
  answers: (column: string, text: string) => (column === "" ? text : `${column}: ${text}`),
};

export const asks = {
  title: "Before training",
  change: "What should be predicted?",
  lead: (cells: number) => `Please answer ${cells === 1 ? "a question" : `${count(cells)} questions`} first.`,
  of: (column: string) => (column === "" ? "Which rows should be used?" : `How should ${column} be read?`),
  more: (n: number) => `and ${counted(n, "more question")} in the list of columns`,
  target: (name: string) => `Predict ${name}?`,
  another: "Predict another column?",
  because: (reason: string) => `Suggested because ${reason}.`,
  chosen: "You chose it.",
  yes: "Yes",
  yesTrain: "Yes, train",
  instead: (name: string) => `Predict ${name}`,
  others: "Another column …",
  take: "Predict it",
};

const side = { ahead: "ahead of", behind: "behind" };

export const verdict = {
  exact: (name: string) => `${capital(name)} is almost exact.`,
  exactly: (ridge: Quantity, mean: Quantity): Phrase => say`Its error is ${ridge}, against ${mean} for the mean.`,
  isPart: "If a column is part of the target, leave it out.",
  nothing: "No model beats the mean by 1 %.",
  saysLittle: (target: string) => `These columns say little about ${target}.`,
  onlyTrees: "Only boosted trees beat the mean.",
  lowest: (name: string, error: Quantity): Phrase => say`${capital(name)} has the lowest test error, ${error}.`,
  few: (rows: number) => `${counted(rows, "test row")} ${rows === 1 ? "is" : "are"} too few to compare models. A table of 30 rows gives 6, which is enough.`,
  rare: (rarer: number, rows: number, target: string, commonest: string, other: string | undefined) =>
    `${rarer === 0 ? "None" : `Only ${count(rarer)}`} of ${counted(rows, "test row")} ${rarer < 2 ? "has" : "have"} ${other === undefined ? `a ${target} other than ${commonest}` : `${target} = ${other}`}: too few to compare models.`,
  more: "The table needs about 30 such rows, or 10 and ten trials.",
  isRidge: (model: string, ridge: string, hats: boolean) => `Interactions did not help on validation rows, so ${model} is ${hats ? "regression with curves" : ridge} here.`,
  level: (names: string) => `${names} are level.`,
  models: {
    better: (lead, others, by) => say`${lead} beats ${others} by ${less(by)}.`,
    worse: (lead, others, by, several) => say`${others} ${several ? "beat" : "beats"} ${lead} by ${less(by)}, although ${lead} was best on validation rows.`,
    ahead: (lead, others, by) => say`${lead} is ${less(by)} ahead of ${others}, perhaps by chance.`,
    behind: (lead, others, by) => say`${lead} is ${less(by)} behind ${others}, perhaps by chance.`,
  } satisfies Record<Exclude<Beside, "level">, (lead: string, others: string, by: number, several: boolean) => Phrase>,
  simple: {
    better: (n, name, ridge, by) => say`${subject(n, name)} ${n > 1 ? "beat" : "beats"} ${ridge} by ${less(by)}.`,
    worse: (n, name, ridge, by) => say`${capital(ridge)} beats ${n > 1 ? subject(n, name).toLowerCase() : name} by ${less(by)}.`,
    level: (n, name, ridge) => [`${n === 1 ? `${name} is not` : n === 2 ? "Neither is" : "None is"} clearly better than ${ridge}.`],
    ahead: (n, name, ridge, by) => say`${subject(n, name)} ${n > 1 ? "are" : "is"} ${less(by)} ${side.ahead} ${ridge}, perhaps by chance.`,
    behind: (n, name, ridge, by) => say`${subject(n, name)} ${n > 1 ? "are" : "is"} ${less(by)} ${side.behind} ${ridge}, perhaps by chance.`,
  } satisfies Record<Beside, (n: number, name: string, ridge: string, by: number) => Phrase>,
  use: (name: string) => `Use ${name}.`,
  simplest: (name: string) => `Use ${name}, the simplest that comes close to the best.`,
  stopped: (iteration: number) => `Stopped at iteration ${count(iteration)}.`,
  stoppedEarly: "Stopped before the first iteration.",
  noModel: "There is no result and no model.",
};

function subject(n: number, name: string): string {
  return n === 1 ? name : n === 2 ? "Both" : "All three";
}

function less(by: number): Quantity {
  return quantity("none", by, percent(by));
}

/** Beside the verdict, before and while a run goes on. */
export const run = {
  ready: "Ready to train.",
  waits: "Training waits for you.",
  training: "Training …",
  paused: "Paused.",
  failed: "Training failed.",
  start: "Start",
  stop: "Stop",
  again: "Train again",
  withChanges: "Train with changes",
  verdict: "Verdict",
  changed: "The settings have changed since this run.",
  error: "Not ready to train.",
  planning: "Looking at the settings …",
  rows: (train: number, valid: number, test: number, folds: number) =>
    folds > 0 ? `${counted(train, "row")} for training and validation in ${count(folds)} folds, ${count(test)} for testing.` : `${counted(train, "row")} for training, ${count(valid)} for validation, ${count(test)} for testing.`,
  waitsForAnswers: (n: number) => `Waits for ${n === 1 ? "an answer" : `${count(n)} answers`}.`,
  waitsForTarget: "Choose what to predict, or press Start to accept the suggestion.",
  comparing: "Fitting regression with pairs, to compare …",
  folds: (done: number, of: number) => `Cross-validation: ${count(done)} of ${count(of)} folds`,
  candidate: (name: string, at: number, of: number) => `${name}: candidate ${at} of ${of}`,
  trials: (name: string, done: number, of: number) => `${name}: ${done} of ${of} trials done`,
};

/** The errors on test rows. */
export const board = {
  title: (measure: string, rows: number) => `Error (${measure}) on ${rows > 0 ? counted(rows, "test row") : "test rows"}`,
  always: (of: number, rows: number, name: string, right: number) => `. Always predicting ${name} is right for ${percent(right)}: ${count(of)} of ${counted(rows, "test row")}.`,
  nats: "nats",
  r2: (value: number) => `best R² ${decimals(value)}`,
  auc: (value: string) => `best AUC ${value}`,
  between: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
  whisker: "Where a whisker (95 %) reaches the dotted line, the difference may be chance.",
  soFar: "The best candidates so far.",
  noCurves: "no better than lines",
  mean: "Always guessing the mean:",
  meanClasses: "Always predicting the class frequencies:",
  splits: (name: string, won: number, of: number) => `${name} is best in ${count(won)} of ${counted(of, "split")}.`,
  titleOver: (measure: string, splits: number) => `${capital(measure)}, mean of ${counted(splits, "split")}`,
  row: (name: string, error: number, best: string, low: number, high: number) => `${name}: ${number(error, 4)}. Difference from ${best}: ${number(low, 2)} to ${number(high, 2)}`,
  all: "All numbers",
  who: "Model",
  ofRidge: "Against linear",
  difference: "From the best",
  interval: (low: number, high: number) => `${number(low, 2)} to ${number(high, 2)}`,
  mae: "MAE",
  r2Head: "R²",
  aucHead: "AUC",
  accuracy: "Accuracy",
  brier: "Brier",
  below: "Splits below linear",
  of: (n: number, of: number) => `${count(n)} of ${count(of)}`,
  weights: (weight: string) => (weight === "" ? "" : `Rows are weighted by ${weight}. `),
  logLoss: (quantity: string) => `Models learn the ${quantity.replace(/^the /, "")}. Log-loss: the mean of −log of the probability of each row’s true class.`,
  classes: (isMany: boolean) =>
    `AUC: how often a random row of one class has a higher probability than a random row of ${isMany ? "the others; the mean over classes" : "the other"}. Accuracy: the share of rows ${isMany ? "whose likeliest class is right" : "classified correctly at ½"}. Brier: the mean squared error of the probability${isMany ? ", summed over the classes" : ""}. In brackets: 95 % intervals.`,
  means: (auc: boolean) => `MAE is the mean absolute error. R² is 1 if every prediction is exact, and 0 if all predict the mean of these rows.${auc ? " AUC is how often the higher of two rows is predicted higher: ½ by chance." : ""}`,
  first: "On the first split",
  calibrated: (names: string) => ` For ${names}, the log-loss is that of calibrated probabilities.`,
  quadratic: (columns: number, lambda: number) => `Regression with pairs: linear regression on the features, their squares and their products (${counted(columns, "column")}, penalty λ ${number(lambda, 1)}).`,
  close: " A model comes close to the best if its error is at most 10 % higher and no other model is clearly better than it.",
  notFitted: (reason: string) => `Regression with pairs was not fitted. ${ended(reason)}`,
};

export function decimals(value: number): string {
  return Math.abs(value) < 0.005 ? "0.00" : Math.abs(value) < 1000 ? value.toFixed(2).replace("-", "−") : number(value);
}

/** The best advice. */
export const advice = {
  try: "Try it",
  logarithm: ({ plain, log }: Logged) => `Learn the logarithm: validation error ${number(log)} instead of ${number(plain)}.`,
  isLogarithm: (quantity: string) => `The models learn ${quantity}.`,
  learn: (what: string) => `Learn ${what} itself`,
  split: { time: (by: string) => `This table has dates. To test on the future, split by ${by}.`, group: (by: string) => `Values of ${by} repeat. To test on new ones, split by ${by}.` },
  codes: (target: string, n: number) => `${target} has only ${count(n)} different values. If they are codes or grades, learn them as classes.`,
  classes: "Learn classes",
  look: (n: number) => `${counted(n, "column")} may give the target away.`,
  columns: "Look",
};

/** The same on other splits of the rows. */
export const repeats = {
  splits: 9,
  going: "Training on other splits of the rows",
  so: (done: number) => `${count(done)} of ${count(repeats.splits)} more splits`,
  start: (seconds: number) => `Repeat on ${count(repeats.splits)} more splits${seconds > 0 ? ` (up to ${duration(seconds)})` : ""}`,
};

export const trees = {
  offered: (seconds: number) => (seconds > 0 ? `may take ${duration(seconds)}` : ""),
  stopped: (grown: number) => `stopped after ${count(grown)}`,
  grow: "Grow",
  growHelp: "Grow boosted trees",
  growing: (grown: number, most: number) => `Growing boosted trees: ${count(grown)} of at most ${count(most)}`,
  soon: "Growing boosted trees …",
  stop: "Stop",
  stopHelp: "Stop growing boosted trees",
  grown: (trees: number, leaves: number) => `Boosted trees: ${counted(trees, "tree")} of at most ${count(leaves)} leaves. That number of trees is the best on validation rows.`,
  none: "Boosted trees: no tree beats the mean on validation rows.",
  notGrown: (reason: string) => `Boosted trees were not grown. ${ended(reason)}`,
};

export const splits = {
  label: "Test rows",
  by: "by",
  any: "the suggested one",
  kinds: { random: "at random", time: "the last fifth in time", group: "whole groups" } satisfies Record<Spec["split"], string>,
  means: {
    random: () => "Test rows are drawn at random.",
    time: (by: string) => `Test rows are the last fifth by ${by}, after all training rows.`,
    group: (by: string) => `Test rows have values of ${by} that no training row has.`,
  } satisfies Record<Spec["split"], (by: string) => string>,
  reason: (reason: string) => `${reason}.`,
  take: { time: (by: string) => `Split by ${by}`, group: (by: string) => `Test on new values of ${by}` },
  random: "Compare with a random split",
  compared: (one: Quantity, at: string, other: Quantity, on: string): Phrase => say`Test error: ${one} before (${at}), ${other} now (${on}).`,
  of: (split: Spec["split"], by: string) => ({ random: "random split", time: by === "" ? "split by time" : `split by ${by}`, group: by === "" ? "new groups" : `new values of ${by}` })[split],
};

export const plan = {
  sentence: (target: string, quantity: string, features: number) => `The models predict ${quantity === target || quantity === `the class of ${target}` ? target : `${target}, learned as ${quantity},`} from ${counted(features, "encoded feature")}.`,
  candidates: (n: number) => `${counted(n, "candidate")} per model are tried. Each stops when it no longer improves.`,
  search: (seconds: number, candidates: number) => `This takes ${duration(seconds)} on an ordinary laptop: ${counted(candidates, "candidate")} per model.`,
  steps: (steps: number) => `At most ${count(steps)} iterations per model over all candidates.`,
  forecast: (seconds: number) => `At most ${duration(seconds)} on an ordinary laptop, usually much less.`,
  gfm: "gFM is iFM with the diagonal of UVᵀ.",
  solver: "Algorithm 1 needs independent columns, so tables are fitted by block ALS.",
  options: "Models and tuning",
  learned: "Learned interactions",
};

/** What validation rows chose. */
export const choices = {
  chosen: (all: string) => `Chosen on validation rows. ${all}`,
  one: (name: string, choice: Choice, edge: string) => `${name}: ${chosen(choice)}.${edge}`,
  factors: "factor penalty",
  weights: "weight penalty",
  edge: (what: string) => ` A ${what} beyond those tried may be better.`,
  again: "The chosen model is then fitted to training and validation rows together. The test error is that of this fit.",
  inEach: "Each trial chooses rank, penalties and iteration on its own validation rows.",
};

function chosen({ rank, lambda, weights, hats }: Choice): string {
  const encoded = hats ? ", numbers as curves" : "";
  if (rank === 0) return `no factors, weight penalty ${number(weights, 1)}${encoded}`;
  return weights > 0 ? `rank ${rank}, factor penalty ${number(lambda, 1)}, weight penalty ${number(weights, 1)}${encoded}` : `rank ${rank}, penalty ${number(lambda, 1)}`;
}

export const result = {
  tabs: { predictions: "Predictions", matters: "What matters", columns: "Columns", training: "Training", take: "Save the model" },
  label: "Details",
  lead: (name: string) => `Best in this list on validation rows: ${name}.`,
  leadOfFirst: (name: string) => `Rows of the first trial. Over all trials, validation chose ${name}.`,
  uncalibrated: "These curves are drawn before calibration. All other errors are after it.",
  another: "Predict another file",
  saveRows: (rows: number, model: string) => `Save ${counted(rows, "test row")} with ${model}’s predictions (CSV)`,
  saveWorkbook: "Excel (.xlsx)",
  rowsLost: (why: string) => `The test rows could not be saved${why === "" ? "" : `: ${why}`}.`,
  notYet: "You can save models after training.",
  unsaved: (best: string, error: number, model: string, its: number) => `${capital(best)} cannot be saved here. ${model} can, with a test error of ${number(its)} instead of ${number(error)}.`,
  report: "Report",
  reportIs: "one page to print: data, verdict, errors and how to repeat it",
  reportFile: "Report (.html)",
  matrix: (target: string) => `Learned interactions, in ${target} per standard deviation of each feature. Each pair has two cells, which add up`,
  how: (name: string, target: string, parts: readonly string[]) => `Computed live from ${name}: ${target} predicted, ${parts.join(", ")}.`,
  features: (n: number) => counted(n, "encoded feature"),
  rows: (train: number, valid: number, test: number) => [counted(train, "training row"), counted(valid, "validation row"), counted(test, "test row")],
  repeated: (trials: number) => counted(trials, "trial"),
  seed: (seed: number) => `seed ${seed}`,
};

function told(text: string): string {
  return ended(capital(text));
}
