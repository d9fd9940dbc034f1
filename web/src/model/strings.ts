// The words of a trained model.
import type { Described, Measure } from "../engine/protocol.js";
import { bytes, cell, count, named, percent } from "../text/format.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { counted } from "../text/strings.js";
import type { Model } from "../training/series.js";

export const forms = {
  python: { name: "Script", says: "predicts a CSV file without this page", button: "Python (.py)" },
  sql: { name: "Query", says: "one SELECT over a typed table, for SQLite, PostgreSQL or DuckDB", button: "SQL (.sql)" },
  libfm: { name: "libFM", says: "libFM’s text format, with a list of the features", button: "libFM (.libfm)" },
};

export const keeping = {
  title: "Save the model",
  model: "Model",
  best: (name: string) => `${name}, best on validation rows`,
  file: "Model",
  what: "opens here or in your program",
  download: "JSON (.json)",
  all: "Fit to all rows, test rows included",
  fitting: "Fitting to all rows …",
  unmeasured: "The test errors come from the model fitted without the test rows.",
  fitted: { "": "", "training rows": "Fitted to the training rows.", "training and validation rows": "Fitted to the training and validation rows.", "all rows": "Fitted to all rows, test rows included." } satisfies Record<Described["fitted"], string>,
  firstTrial: "All models come from the first trial.",
  another: "Predict a file",
  needsPlaces: (columns: number) => `The model has no column names. The table must have exactly ${counted(columns, "column")}, in the same order.`,
  needs: (columns: readonly string[], more: number, named: boolean) =>
    `${named ? "The table must have the columns" : "Columns are matched by position, as in the training table. The table must have"} ${columns.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}. Other columns are ignored.`,
  choose: "Choose a table to predict",
  failed: "This file could not be predicted",
  stays: (name: string) => `The predictions for ${name} are still below.`,
  done: (name: string, rows: number) => `${name}: ${counted(rows, "row")} predicted.`,
  rows: (name: string, rows: number): Phrase => say`${name}: ${quantity("none", rows, counted(rows, "row"))} predicted.`,
  error: (name: string, rows: number, measure: Measure, error: number, target: string, compared: number, model: Model): Phrase =>
    say`${name}: ${quantity("none", rows, counted(rows, "row"))} predicted, with ${measure === "rmse" ? "an RMSE" : "a log-loss"} of ${quantity(model, error)} on the ${quantity("none", compared, counted(compared, "row"))} that have ${named(target)}.`,
  flatters: "If the model was trained on some of these rows, expect a larger error on new ones.",
  classes: (one: string) => `Predictions are probabilities of ${one}. The actual value is 1 for ${one} and 0 otherwise.`,
  manyClasses: "Each row gets its likeliest class. The CSV file has the probability of every class.",
  ranged: (level: number, compared: number, covered: number) =>
    compared > 0 ? `The ${cell(100 * level)} % interval covers ${count(covered)} of ${count(compared)}: ${percent(covered / compared)}.` : `Intervals cover ${cell(100 * level)} % of rows like those of the training table.`,
  levels: (zero: string, one: string) => `0 means ${zero}, 1 means ${one}.`,
  gaps: (columns: number) => `${counted(columns, "column")} with missing cells or levels unknown to the model`,
  gapColumns: { column: "Column", missing: "Missing", unseen: "Unseen levels", odd: "Not a number" },
  odd: (n: number) => `${counted(n, "cell")} could not be read as written`,
  first: (n: number) => (n === 1 ? "The first prediction" : `The first ${count(n)} predictions`),
  columns: { line: "Line", predicted: (target: string) => `${named(target)}, predicted`, probability: "probability", lower: "lower", upper: "upper", actual: "actual" },
  far: "far beyond the training targets",
  save: { csv: (rows: number) => `Save all ${count(rows)} as CSV`, xlsx: (rows: number) => `Save all ${count(rows)} for Excel (.xlsx)` },
  open: "Open a saved model",
  saved: (model: string, target: string) => `A saved ${model} that predicts ${named(target)}`,
  holds: (name: string, rank: number, columns: number, features: number, size: number): Phrase =>
    say`${name}: rank ${quantity("none", rank, count(rank))}, ${quantity("none", columns, counted(columns, "column"))} encoded as ${quantity("none", features, counted(features, "feature"))}, ${quantity("none", size, bytes(size))}.`,
  matrix: (target: string) => `Learned interactions, in ${named(target)} per standard deviation of each feature`,
  close: "Close the model",
  wide: (features: number) => `${count(features)} features are too many for a heat map.`,
  noModel: (why: string) => `This JSON file is neither a table nor a model saved from this page (${why}).`,
};
