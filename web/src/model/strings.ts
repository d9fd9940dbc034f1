// The words of a trained model.
import type { Described, Measure } from "../engine/protocol.js";
import { bytes, cell, count, named, percent } from "../text/format.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { counted } from "../text/strings.js";
import type { Model } from "../training/series.js";

export const forms = {
  python: { name: "Script", says: "predicts a CSV file without this page", button: "Python (.py)" },
  sql: { name: "Query", says: "one SELECT over a table with types, for SQLite, PostgreSQL or DuckDB", button: "SQL (.sql)" },
  libfm: { name: "libFM", says: "its text, with a list of the features", button: "libFM (.libfm)" },
};

export const keeping = {
  title: "Take the model along",
  model: "Model",
  best: (name: string) => `${name}, best on validation rows`,
  file: "Model",
  what: "opens here again, or in your program",
  download: "JSON (.json)",
  all: "Fit to all rows, test rows included",
  fitting: "Fitting to all rows …",
  unmeasured: "The test errors are of the model without the test rows.",
  fitted: { "": "", "training rows": "Fitted to the training rows.", "training and validation rows": "Fitted to the training and validation rows.", "all rows": "Fitted to all rows, test rows included." } satisfies Record<Described["fitted"], string>,
  firstTrial: "All of them are of the first trial.",
  another: "Predict a file",
  needsPlaces: (columns: number) => `The model has no names: the columns go by their place, and there must be ${counted(columns, "column")} and no other.`,
  needs: (columns: readonly string[], more: number, named: boolean) =>
    `${named ? "It must have the columns" : "Its columns go by their place, as in the table the model was trained on; it must have"} ${columns.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}. All others are passed over.`,
  choose: "Choose a table to predict",
  failed: "This file could not be predicted",
  stays: (name: string) => `What was predicted for ${name} is still below.`,
  done: (name: string, rows: number) => `${name}: ${counted(rows, "row")} predicted.`,
  rows: (name: string, rows: number): Phrase => say`${name}: ${quantity("none", rows, counted(rows, "row"))} predicted.`,
  error: (name: string, rows: number, measure: Measure, error: number, target: string, compared: number, model: Model): Phrase =>
    say`${name}: ${quantity("none", rows, counted(rows, "row"))} predicted, with ${measure === "rmse" ? "an RMSE" : "a log-loss"} of ${quantity(model, error)} on the ${quantity("none", compared, counted(compared, "row"))} that say what ${named(target)} is.`,
  flatters: "Rows that the model was trained on make that look better than it is.",
  classes: (one: string) => `What is predicted is the probability of ${one}; actual rows of it are 1, all others 0.`,
  ranged: (level: number, compared: number, covered: number) =>
    compared > 0 ? `The ${cell(100 * level)} % range holds ${count(covered)} of ${count(compared)}: ${percent(covered / compared)}.` : `Ranges hold ${cell(100 * level)} % of rows like those of the training table.`,
  levels: (zero: string, one: string) => `0 stands for ${zero} and 1 for ${one}.`,
  gaps: (columns: number) => `${counted(columns, "column")} with cells that are missing, or that the model has not seen`,
  gapColumns: { column: "Column", missing: "Missing", unseen: "Unseen levels", odd: "No numbers" },
  odd: (n: number) => `${counted(n, "cell")} could not be used as written`,
  first: (n: number) => (n === 1 ? "The first prediction" : `The first ${count(n)} predictions`),
  columns: { line: "Line", predicted: (target: string) => `${named(target)}, predicted`, lower: "lower", upper: "upper", actual: "actual" },
  far: "far beyond the training rows",
  save: (rows: number) => `Save all ${count(rows)} as CSV`,
  open: "Open a saved model",
  saved: (model: string, target: string) => `A saved ${model} that predicts ${named(target)}`,
  holds: (name: string, rank: number, columns: number, features: number, size: number): Phrase =>
    say`${name}: rank ${quantity("none", rank, count(rank))}, ${quantity("none", columns, counted(columns, "column"))} encoded as ${quantity("none", features, counted(features, "feature"))}, ${quantity("none", size, bytes(size))}.`,
  matrix: (target: string) => `The interactions it has learnt, in ${named(target)} per standard deviation of both features`,
  close: "Close it",
  wide: (features: number) => `The interactions of ${count(features)} features are too many to draw.`,
  noModel: (why: string) => `This JSON file is not a model saved from this page (${why}). Tables are read as CSV.`,
};
