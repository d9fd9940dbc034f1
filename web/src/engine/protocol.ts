// The protocol between the page and the engine, in two twins: wasm/protocol.go
// and web/src/engine/protocol.ts. Change both or neither.
//
// The page posts {id, call, args} to a worker; the worker answers {id, result},
// {id, error} or, while a file is read, {id, progress}, and {id: 0, call:
// "cancel", args: {id}} ends that reading. The page pulls: nothing runs unless a
// call asks for it, so pausing is not asking.
//
//	info   {}                          → Info
//	open   {file, query}               → Table      (the worker streams the file's text into the engine, and unpacks it first where it is packed)
//	plan   {table, query}              → Plan       (what training on these settings would use; fits nothing)
//	weigh  {query, trial, fold, table} → FoldRidge  (ridge's errors on a fold, for settings that ask for folds: the first thing that is done of them)
//	start  {query, cell, table, fold, found} → Started (table is 0 for synthetic rows; a run on a fold, from 0, with what ridge has found of all; one without, fold −1, with what all folds have found, or null where no folds are asked for)
//	next   {run, ms}                   → Records    (steps until ms milliseconds are over; at least one; ms = 0: one)
//	ask    {run, what}                 → columns    (truth, interaction, predictions, baselines, model, theory, quadratic, effort, log, held, classes)
//	trees  {run, ms}                   → Trees      (grows boosted trees as next steps: those of a run and of all that share its rows)
//	pairs  {run, ms}                   → Pairs      (tests which columns interact until ms milliseconds are over, as next)
//	intervals {run, ms}                → Intervals  (fits the model that leads a run again to calibrate prediction intervals, as next; a run that is not done is trained first)
//	describe {model}                   → Described  (model: the bytes of a file that ask "model" gave)
//	predict  {table, model}            → Predicted  (every row of the table)
//	explain  {table, model, line}      → Explained  (what the prediction for the row on a line is the sum of)
//	export   {model, form}             → Exported   (a model file as other programs take it; form "python", "sql" or "libfm")
//	close  {kind, id}                  → null       (kind "table", "run", "sky" or "survey")
//	contest  {pairs, seed, number}     → Contest    (FM against iFM on the interactions of six features; pairs is null for drawn ones)
//	generate {query}                   → ModelFile  (the rows of synthetic settings as CSV, at most 64 MB)
//	sky      {file, query}             → Sky        (reads an IONEX file or a table of pierce points as open reads a table)
//	survey   {query, sky}              → Survey     (the ionosphere experiment; sky is 0 for the simulator)
//	window   {survey, window}          → Window     (fits every method to one window and tests it)
//	tune     {survey, window}          → Tuned      (fits every method with all its candidates to one window of those to tune on)
//	choose   {survey, sums}            → Chosen     (the settings with the least sums of squares, of all those windows)
//	fix      {survey, window}          → Fix        (tries positions in one of the survey's windows for them)
//	scene    {survey, day, second, rows, columns, whole} → Scene (the map of one instant, of the net or of all that signals reach)
//	write    {survey, day, what}       → ModelFile  (what "maps": the day's TEC as IONEX; "points": its pierce points as CSV)
//
// query is a Spec in its link form (core/spec). Numbers that form a column cross
// as typed arrays, everything else as plain objects and strings. An error is an
// object {kind, message, file, line, column, field, found}: kind names the Go
// type, message is the sentence to show, the rest is there where it applies.
// After an error everything the worker held before is still there.

import type { Choice } from "../packed/piece.js";

export interface Info {
  readonly version: string;
  readonly body: "simd" | "go"; // of the hot loops; the same curves either way
  readonly cells: number; // of the query in the arguments, if there was one
  readonly points: readonly Point[]; // of its sweep; one, the query itself, without a sweep
}

/** One point of a sweep. Its cells are points × trials × models, models fastest. */
export interface Point {
  readonly query: string; // the run it stands for, all its trials and models
  readonly ratio: number; // n/(d·k) as asked for
  readonly n: number; // training rows
  readonly held: boolean; // n is not what was asked for: at least 10 rows, and no more than fit
  readonly k: number;
  readonly tau: number; // of its columns, as a population
}

/** A line of a file that could not be used, or an error's place. Lines and columns count from 1; 0: not known. */
export interface Place {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly found: string;
}

export interface EngineError extends Place {
  readonly kind: string;
  readonly choice?: Choice; // of kind "ChoiceError", by the worker: once it is made the file can be read
}

export interface Column {
  readonly name: string;
  readonly kind: "numeric" | "categorical" | "sparse"; // offered first, as guess is; sparse: it stands for many features, of which a row has few
  readonly guess: "target" | "feature" | "ignore";
  readonly reason: string; // of both, as it stands behind “because”
  readonly sure: boolean; // false: it is the target, and a question
  readonly alternatives: readonly string[]; // to it, the likeliest first
  readonly missing: number; // cells
  readonly unreadable: number; // cells of a column of numbers that are no number
  readonly distinct: number;
  readonly distinctExact: boolean; // false: at least so many
  readonly mean: number; // NaN for a column of texts, like sd, min, max, tau; codes have one
  readonly sd: number;
  readonly min: number;
  readonly max: number;
  readonly tau: number;
  readonly levels: readonly string[]; // of a categorical column, the most frequent first, at most 8; none of one of more than 4096 numbers
  readonly unit: string; // taken off its numbers, such as "%", or ""
  readonly parts: readonly string[]; // the columns that stand for its dates
  readonly notes: readonly Note[];
}

/** What a note is about: of a column as it is read, "missing" to "dates"; odd about features, "leak" to "capitals"; else what the name says. */
export type Topic = "missing" | "sentinel" | "marks" | "unit" | "code" | "dates" | "leak" | "parts" | "copy" | "one to one" | "capitals" | "file" | "setting" | "role" | "search" | "target" | "weight" | "split" | "features";

/** One thing that a reader should know about a table, or a question. */
export interface Note {
  readonly topic: Topic;
  readonly columns: readonly string[]; // that it is about
  readonly cells: number; // that it is about
  readonly text: string; // what was done or found and why, or the question
  readonly ask: boolean; // nothing in the file says how to read the cells: training should wait for an answer
  readonly answers: readonly Answer[];
}

/** One way to take it. Who chooses it takes the values of all answers out of the lists that their keys name, adds its own, and has the file read again. */
export interface Answer {
  readonly label: string;
  readonly key: "decimal" | "missingas" | "notmissing" | "dates" | "categorical" | "numeric"; // a setting
  readonly value: string; // "" where nothing need be said
  readonly now: boolean; // the cells are read so
}

export interface Table {
  readonly table: number; // the handle
  readonly name: string;
  readonly rows: number; // that could be read
  readonly bytes: number; // of the file
  readonly format: "text" | "json" | "libsvm" | "libffm"; // text: cells between separators
  readonly charset: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "latin-1";
  readonly separator: string;
  readonly header: boolean;
  readonly columns: readonly Column[];
  readonly preview: readonly (readonly string[])[]; // the first rows, as written
  readonly bad: readonly Place[]; // rows that could not be read, the first 100
  readonly badCount: number;
  readonly notes: readonly Note[];
  readonly asks: number; // questions about the columns: training should wait for their answers
  readonly choices?: readonly Choice[]; // by the worker: which of the tables in the file this is
  readonly fixed?: readonly ("separator" | "header" | "charset")[]; // by the worker: settings that the kind of the file leaves no choice of
}

/** What a column is taken for, and why; the settings target, ignore, categorical and numeric overrule it. */
interface Use {
  readonly column: string;
  readonly role: Column["guess"] | "weight";
  readonly kind: Column["kind"];
  readonly reason: string; // as it stands behind “because”
  readonly sure: boolean; // false: a target that may well be one of the alternatives; ask
  readonly alternatives: readonly string[]; // to the target, the likeliest first
  readonly chosen: "" | "numeric" | "categorical"; // by validation rows, where they were asked; the settings may overrule it
  readonly judged: string; // why, as reason
}

/** A split that a column speaks for and that is not the plan's. */
interface Suggested {
  readonly split: "time" | "group";
  readonly by: string; // the column
  readonly reason: string; // as it stands behind “because”
}

/** What errors are measured in: RMSE in units of the target, or, of a target of two classes, the mean of −log of the probability of each row's own class, in nats. */
export type Measure = "rmse" | "log-loss";

/** The two classes of a target: class 0, and class 1, whose probability is predicted. */
type Pair = readonly [negative: string, positive: string];

export interface Plan {
  readonly target: string;
  readonly learnt: string; // as of Started
  readonly measure: Measure; // the same
  readonly classes: Pair | null; // the same
  readonly roles: readonly Use["role"][]; // a column each
  readonly kinds: readonly Column["kind"][];
  readonly uses: readonly Use[]; // a column each
  readonly split: "random" | Suggested["split"]; // as it is done: at random where the settings' column is not there
  readonly by: string; // the column, "" at random
  readonly suggested: readonly Suggested[];
  readonly features: number; // columns of the design
  readonly train: number;
  readonly valid: number;
  readonly test: number;
  readonly folds: number; // that all rows that train are cut into: none of them validates alone; 0: none
  readonly bytes: number; // of the design
  readonly steps: number; // iterations at most, all candidates and folds of one model together
  readonly trees: number; // additions to histograms that growing all boosted trees takes at most
  readonly treesQuick: boolean; // that is some six seconds at most, so that they can be grown unasked
  readonly dropped: readonly Place[]; // rows left out, the first 100
  readonly droppedCount: number;
  readonly notes: readonly Note[];
}

/** weigh: ridge's validation error on one fold by every penalty of the weights, in the order in which they are tried. */
export interface FoldRidge {
  readonly linear: Float64Array; // numbers as they are
  readonly hats: Float64Array; // numbers as piecewise-linear bases; empty where these are not tried
}

/** The records of one run on a fold: their valid, and where each candidate's begin. */
interface FoldErrors {
  readonly starts: readonly number[];
  readonly valid: readonly number[];
}

/** What folds have found, all of them in their order: of a run on one of them, ridge alone. */
export interface Found {
  readonly ridge: readonly FoldRidge[];
  readonly errors: readonly FoldErrors[];
}

export interface Started {
  readonly run: number; // the handle
  readonly model: "fm" | "gfm" | "ifm";
  readonly trial: number;
  readonly point: number; // of the sweep, from 0
  readonly candidates: number;
  readonly measure: Measure; // of all errors of the run, whatever they are called
  readonly classes: Pair | null; // null where the target is learnt as a number
  readonly mean: number; // test error of the training mean; of classes that of the training rows' share, as a constant probability
  readonly ridge: number; // test error of ridge; of classes of logistic ridge
  readonly ridgeLambda: number; // per row
  readonly target: string;
  readonly learnt: string; // what of the target models learn: itself, or as in "log(price)" or "log-odds of churned = yes"; interactions are in its units
  readonly features: readonly string[];
  readonly notes: readonly Note[];
}

/** One entry per iteration, in columns; train, valid and test are errors of the measure of Started. valid is the mean over the folds in a run that these have chosen; it is NaN where there are no validation rows, and of what is never chosen. */
export interface Records {
  readonly candidate: Int32Array; // counts from 0
  readonly rank: Int32Array; // 0 of ridge, which als starts from
  readonly lambda: Float64Array; // per row; of als on a table that of the factors, in pseudo-rows
  readonly weights: Float64Array; // of als on a table that of the weights, in pseudo-rows; else 0
  readonly hats: Int32Array; // 1: numbers as piecewise-linear bases
  readonly iteration: Int32Array; // 0 is the start
  readonly train: Float64Array;
  readonly valid: Float64Array;
  readonly test: Float64Array;
  readonly passes: Float64Array; // over the training rows so far
  readonly errorW: Float64Array; // ‖w − w*‖/‖w*‖ of synthetic rows; NaN for a table, like errorM
  readonly errorM: Float64Array; // ‖M − M*‖/‖M*‖, Frobenius
  readonly lead: Int32Array; // the candidate that leads on validation rows after this record
  readonly done: boolean;
  readonly final: number; // once done, the test error of what is kept, of classes calibrated where that is used; NaN before
  readonly stop: string; // why the last finished candidate stopped, as a sentence; "" before
  readonly rose: number; // the iteration since which its loss had risen, where that was why; else 0
}

/** ask "truth" and "interaction": a symmetric d×d matrix, row-major, in the units of the features as they were given. */
export interface Matrix {
  readonly d: number;
  readonly values: Float64Array;
  /**
   * Of the matrix before its diagonal is left out, largest first, without those that are 0 by its form: `rank` for FM,
   * none negative; 2·rank for gFM and iFM; for a truth as many as it was drawn with. At most d. Of a table they are in
   * target units for one standard deviation of both features, whatever the units of `values`.
   */
  readonly eigenvalues: Float64Array;
  readonly names: readonly string[];
  readonly rank: number;
  readonly lambda: number;
  readonly iteration: number;
}

/** ask "effort", of a run with a model: what intervals take from the beginning on a run of the same cell, in multiply-adds. */
export interface Effort {
  readonly work: number;
}

/**
 * intervals: prediction intervals of the model that leads a run, by conformal prediction with the residuals of folds. It
 * trains a run that is not done first. All but `model` and `level` is known once `done`.
 */
export interface Intervals {
  readonly done: boolean;
  readonly stage: "training" | "folds" | "done";
  readonly step: number; // of the stage, from 0
  readonly steps: number;
  readonly model: Started["model"];
  readonly level: number; // nominal: the share of rows that should lie within
  readonly folds: number; // 0: validation rows, where rows are split by time
  readonly rows: number; // with a residual
  readonly low: Float64Array; // the test rows, in the order of Predictions, target units
  readonly high: Float64Array;
  readonly covered: number; // test rows within
  readonly share: number; // of them, in which each counts its weight
  readonly from: number; // 95 % interval of the share of such rows that are
  readonly to: number;
  readonly width: number; // mean of high − low
  readonly file: ModelFile | null; // the model with its intervals
}

/**
 * pairs: which columns interact, by an F test of their products on training rows, purified of flexible main effects. No
 * model has a part in it. Of classes it takes 0 and 1 for numbers: a linear model of the probability. `named` is whole once
 * `done`; other runs of the trial share it.
 */
export interface Pairs {
  readonly done: boolean;
  readonly stage: "columns" | "main" | "pairs" | "tests" | "strengths" | "done"; // tests come again after every pair that is found
  readonly step: number; // of the stage, from 0
  readonly steps: number;
  readonly found: number; // pairs so far
  readonly work: number; // multiply-adds of testing once all pairs that are tested, an estimate: 1e9 are one to three seconds
  readonly alpha: number; // family-wise: the share of tables without interactions that name a pair
  readonly trained: number; // rows
  readonly unit: string; // of the effects, in words: what is learnt, as of Started, or of classes as in "probability of churned = yes"
  readonly names: readonly string[]; // of the columns; all indices below are into it
  readonly out: Int32Array; // columns that were not looked at, because they are too many and explain less by themselves
  readonly pairs: number; // of all columns
  readonly looked: number; // pairs that alpha is shared among
  readonly tested: number;
  readonly few: number; // rows below which a cell of an effect says little: mark it
  readonly skipped: readonly SkippedPair[];
  readonly named: readonly NamedPair[];
  readonly full: boolean; // the search ended before it found no more
}

export interface SkippedPair {
  readonly first: number;
  readonly second: number;
  /**
   * many: more products than a tenth of the rows, or 1000; rare: no product is seen often enough; alias: main effects
   * explain all products; one: one column nearly follows from the other; weak: others scored higher, and all would take
   * too long.
   */
  readonly why: "many" | "rare" | "alias" | "one" | "weak";
  readonly products: number;
}

export interface NamedPair {
  readonly first: number;
  readonly second: number;
  readonly p: number; // value, beside the pairs before; 0 below 1e-308
  readonly logP: number; // its natural logarithm
  readonly f: number;
  readonly df: number;
  readonly left: number; // degrees of freedom of the noise
  readonly share: number; // of the target's variance: what the pair adds to main effects and the pairs before
  readonly low: number; // about 93 % of such intervals cover
  readonly high: number;
  readonly rows: readonly EffectPlace[]; // of the effect: features of the first column
  readonly columns: readonly EffectPlace[];
  readonly effect: Float64Array; // rows × columns, row-major, in the unit of Pairs, without main effects; NaN where the two do not meet often enough
  readonly seen: Float64Array; // rows of the table behind each cell; of numbers no whole numbers
}

/** A knot of a number, a level, the levels that were merged, or missing cells. */
export interface EffectPlace {
  readonly knot: number | null;
  readonly level: string;
  readonly merged: number; // levels; else 0
  readonly missing: boolean;
}

/** ask "predictions": the test rows of the model that leads; of classes 0 and 1, and the probabilities of class 1, calibrated where that is used. */
export interface Predictions {
  readonly line: Int32Array; // in the file; row number for synthetic rows
  readonly actual: Float64Array;
  readonly weight: Float64Array; // what each row counts; empty where all count the same
  readonly predicted: Float64Array;
  readonly ridge: Float64Array; // what ridge predicts for the same rows
  readonly error: number; // of predicted, in the measure of Started
}

/** ask "classes", of a run whose target has two and that has a model: how well they are told apart, on the test rows. */
export interface Classes {
  readonly names: Pair;
  readonly zeros: number; // what the test rows of each count together: their number, unless they have weights
  readonly ones: number;
  readonly share: number; // of class 1 in the training rows
  readonly told: readonly Told[]; // by the model that leads, by ridge, and by boosted trees once they are grown
}

/** How well one of them tells classes, by the probabilities that it shows: calibrated ones where that is used. Each test row counts its weight; the intervals go by how many rows tell. */
export interface Told {
  readonly whose: "model" | "ridge" | "trees";
  readonly logLoss: number;
  readonly brier: number; // mean squared error of the probability
  readonly auc: number; // the share of pairs of rows of both classes that are in order, ties half; NaN without both
  readonly calibration: Calibration;
  readonly roc: ROC;
  /** What the rows of class 1, and of class 0, count that have a probability of k/200 or more, k = 0 … 200: all that a threshold there decides. */
  readonly onesFrom: Float64Array;
  readonly zerosFrom: Float64Array;
  readonly reliability: Reliability;
}

/** Log-odds f that are shown as slope·f + offset: fitted to rows that have not trained the model, the validation rows or the folds (Platt), and used where these show by more than chance (5 %) that f is off. */
interface Calibration {
  readonly used: boolean;
  readonly slope: number; // as fitted, whether it is used or not
  readonly offset: number;
  readonly rows: number; // these; 0: none, or all of one class
  readonly plain: number; // log-loss of the test rows without it
  readonly fitted: number; // and with it
}

/** Of the rows with a probability of `threshold` or more, the share of all rows of class 0 and of all of class 1; from (0, 0), of Infinity, to (1, 1), at most 200 points. */
export interface ROC {
  readonly falsePositive: Float64Array;
  readonly truePositive: Float64Array;
  readonly threshold: Float64Array;
}

/** Test rows in at most ten parts of about as many each, by rising probability, in columns. */
export interface Reliability {
  readonly rows: Int32Array;
  readonly mean: Float64Array; // probability
  readonly share: Float64Array; // of class 1
  readonly low: Float64Array; // Wilson's 95 % interval of the share
  readonly high: Float64Array;
}

/** ask "baselines": test errors of the measure of Started. */
export interface Baselines {
  readonly mean: number;
  readonly ridge: number;
  readonly ridgeLambda: number;
}

/**
 * ask "quadratic": ridge on the features, their squares and their products, in target units; of classes logistic. It is fitted when it is
 * first asked for, in up to ten seconds; a run that is closed has no rows for it, one that was just started has.
 */
export interface Quadratic {
  readonly error: number; // of the test rows, in the measure of Started
  readonly lambda: number; // per row, chosen like ridge's
  readonly columns: number; // features, squares and products
  readonly predicted: Float64Array; // the test rows, in the order of Predictions
}

/**
 * trees: gradient boosted regression trees, in target units; of classes they add up to log-odds. A table's alone: drawn rows have no validation rows. Not to
 * ask is to stop; they go on where they are.
 */
export interface Trees {
  readonly grown: number; // so far, of all settings that are tried
  readonly most: number; // that are grown at most
  readonly done: boolean;
  readonly trees: number; // once done, like the rest: how many predict, chosen on validation rows; 0: the training mean does
  readonly leaves: number; // of a tree, at most
  readonly error: number; // of the test rows, in the measure of Started; NaN before
  readonly predicted: Float64Array; // the test rows, in the order of Predictions; none before
  readonly told: Told | null; // of classes, once done: how well they are told apart
}

/**
 * ask "log": whether ridge predicts the validation rows better where it learns the logarithm of the target. It fits
 * ridge once more, whichever of the two the run learns.
 */
export interface Logged {
  readonly learnt: string; // the logarithm, in words; "" where there is none
  readonly plain: number; // RMSE on validation rows, target units, of ridge on the target itself
  readonly log: number; // and on its logarithm
  readonly by: number; // by how many standard errors its squared errors are smaller, row by row
  readonly pays: boolean; // it is better by more than chance and more than 1 %
}

/** ask "theory": what the paper's analysis says of synthetic rows. */
export interface Theory {
  readonly floor: number; // λmax(2·diag(P) − P∘P): what an iteration of iFM's Algorithm 1 multiplies its error by, however many rows
  readonly secondOrder: number; // standard deviation of what is not linear in the truth: what a linear model can reach
  readonly sd: number; // of the truth
  readonly tau: Float64Array; // of each column, over training rows
}

/**
 * ask "held", of Algorithm 1 on at most 40 drawn columns: what its last iteration held, row-major, in the units that it
 * works in. It is held from the first asking on, which has to come before the first next; until an iteration is over
 * there is the truth alone.
 */
export interface Held {
  readonly d: number;
  readonly k: number;
  readonly iteration: number;
  readonly mean: number; // of the residual r, P⁽⁰⁾(r)
  readonly truth: Float64Array; // d×d: M*
  readonly h: Float64Array; // d×d: H(r)
  readonly m: Float64Array; // d×d: 𝓜(r)
  readonly u: Float64Array; // d×k: V − 𝓜Ū
  readonly q: Float64Array; // d×k: Ū⁺ = qr(U)
  readonly v: Float64Array; // d×k: V⁺
}

/** contest: how near FM of rank 2 and iFM of rank 1 come to interactions of six features, with no rows between them. Pairs are those i < j, row by row. */
export interface Contest {
  readonly pairs: Float64Array; // of M
  readonly eigenvalues: Float64Array; // of M, in no order
  readonly vectors: Float64Array; // 6×6, row-major: row i belongs to eigenvalue i
  readonly fm: ContestFit;
  readonly ifm: ContestFit;
  readonly score: number; // FM’s error ÷ iFM’s, both counted as 0.01 at least
}

interface ContestFit {
  readonly pairs: Float64Array; // of its M
  readonly share: number; // RMSE ÷ that of a model without interactions; 0 where M is 0
  readonly hidden: Int32Array; // features, from 0, whose rows it has only in the limit of factors without bound
}

/** ask "model", and generate: a file to keep. */
export interface ModelFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The forms of a model that another program takes. */
export type Form = "python" | "sql" | "libfm";

/** A model in one of them: the model itself first. */
export interface Exported {
  readonly files: readonly ModelFile[];
  readonly notices: readonly string[]; // what the form lacks
}

/** What a model file holds. */
export interface Described {
  readonly model: Started["model"];
  readonly rank: number;
  readonly target: string;
  readonly learnt: string; // as of Started
  readonly levels: readonly string[]; // of a target of two values: what 0 and 1 stand for; else none
  readonly level: number; // of its prediction intervals; 0 where it has none
  readonly measure: Measure; // as of Started
  readonly classes: Pair | null; // the same
  readonly columns: readonly string[]; // that a table must have to be predicted
  readonly features: readonly string[]; // that they are encoded as
  readonly interaction: Matrix | null; // in units of what is learnt per standard deviation of both features; null beyond 1000 features
  readonly bytes: number; // of the file
  readonly separator: string; // of the table it was trained on
  readonly header: boolean;
  readonly places: boolean; // it knows its columns by their place alone
  readonly decimal: readonly string[]; // these four are settings for reading another table alike
  readonly missingas: readonly string[];
  readonly present: readonly string[];
  readonly dates: readonly string[];
}

/** What a model says of every row of a table, in target units. */
export interface Predicted {
  readonly line: Int32Array; // in the file
  readonly predicted: Float64Array; // NaN where it is no finite number, which skipped lists
  readonly actual: Float64Array; // NaN where the table does not say
  readonly error: number; // of the rows with both, in the model's measure; NaN without one
  readonly low: Float64Array; // ends of the interval, NaN where predicted is; none where the model has no intervals
  readonly high: Float64Array;
  readonly compared: number; // rows with both
  readonly covered: number; // of them within their intervals
  readonly rows: number;
  readonly notices: readonly string[];
  readonly gaps: readonly Gap[]; // of the columns that have any
  readonly skipped: readonly Place[]; // cells that count as missing because they are not what their column holds, the first 100
  readonly skippedCount: number;
}

/** Cells of a column without a value that the model knows. */
export interface Gap {
  readonly column: string;
  readonly missing: number;
  readonly unseen: number; // texts that are no levels the model tells apart
  readonly odd: number; // no numbers, in a column of numbers, or too large to square
}

/**
 * What a prediction for one row is the sum of, in target units: predicted = mean + all values + rest. The mean row has
 * every number at its mean over the training rows, no cell missing, and of levels their mean.
 */
export interface Explained {
  readonly columns: readonly string[]; // of the table
  readonly cells: readonly string[]; // of the row, one a column, as written; "" for a missing one
  readonly mean: number; // predicted for the mean row
  readonly first: Int32Array; // of each term, the one farthest from 0 first, an index into columns
  readonly second: Int32Array; // of a pair; −1 for what a column adds by itself
  readonly values: Float64Array;
  readonly rest: number; // the sum of the other terms
  readonly others: number; // how many these are
  readonly predicted: number; // in units of what is learnt, as all above
  readonly raw: number; // in units of the table
  readonly learnt: string; // as of Started
}

/** A file with which the ionosphere experiment can be run. */
export interface Sky {
  readonly sky: number; // the handle
  readonly name: string;
  readonly kind: "maps" | "points"; // an IONEX file, or a table of pierce points
  readonly bytes: number;
  readonly simulated: boolean; // the simulator has written it
  readonly days: readonly string[]; // "2010-12-04"
  readonly facts: readonly (readonly [what: string, found: string])[]; // to show: maps, grid, height; stations, satellites, unit
  readonly bad: readonly Place[]; // lines that could not be used, the first 100
  readonly badCount: number;
  readonly notices: readonly string[]; // what was assumed
}

/** The ionosphere experiment under some settings, ready to be run window by window. */
export interface Survey {
  readonly survey: number; // the handle
  readonly kind: "simulated" | "maps" | "disturbed" | "points";
  readonly stations: readonly string[];
  readonly latitude: Float64Array; // of the stations, degrees; of a table what follows from its pierce points
  readonly longitude: Float64Array;
  readonly test: number; // the station that no method learns from
  readonly edges: Int32Array; // pairs of stations, one after the other
  readonly methods: readonly string[]; // as in the query, in the order of Table 1
  readonly days: readonly string[];
  readonly day: Int32Array; // of each window, in the order in which they count
  readonly minute: Int32Array;
  readonly station: Int32Array; // that is left out in each of them
  readonly tunings: number; // windows to tune on; 0 unless the settings ask for it
  readonly fixDay: Int32Array; // of each window in which positions are tried
  readonly fixMinute: Int32Array;
  readonly notices: readonly string[];
}

/** What one window gave; sums of squares in m², over the double differences of the test station. */
export interface Window {
  readonly satellites: number;
  readonly train: number; // double differences
  readonly test: number; // 0 where the window cannot be used
  readonly zero: number; // sum of squares of the double differences themselves
  readonly squares: Float64Array; // of the errors, a method each; none where the window cannot be used
  readonly bandTest: Int32Array; // double differences in each band of elevations, low to high
  readonly bandSquares: Float64Array; // of the errors: of each band, a method each; none where the window cannot be used
  readonly unusable: string; // why the window cannot be used, as a sentence; "" where it can
}

/** What one window to tune on says of the candidates. */
export interface Tuned {
  readonly test: number; // double differences
  readonly squares: Float64Array; // sums of squares of the errors, m²: of each candidate of each method; NaN where one cannot be fitted
  readonly unusable: string; // as of Window
}

/** The settings with what was chosen. */
export interface Chosen {
  readonly query: string;
}

/** Positions of the test station tried in one window. */
export interface Fix {
  readonly satellites: number;
  readonly tried: number;
  readonly fixed: Int32Array; // ambiguities fixed and the position within 1 cm, a method each; none where the window cannot be used
  readonly none: number; // the same with no correction at all
  readonly perfect: number; // and with the true delays
  readonly unfinished: number; // searches that were given up, of all methods; they count as not fixed
  readonly unusable: string;
}

/** The sky above the net at one instant; a grid is row-major, its rows from south to north. */
export interface Scene {
  readonly latitude: Float64Array; // of the grid's rows
  readonly longitude: Float64Array; // of its columns
  readonly tec: Float64Array; // TECU; NaN where the source does not know it
  readonly bend: Float64Array; // the same less the plane through a square as large as the net around each place, TECU
  readonly satellites: readonly string[]; // in use
  readonly satellite: Int32Array; // of each pierce point, an index of the line above
  readonly station: Int32Array;
  readonly pointLatitude: Float64Array;
  readonly pointLongitude: Float64Array;
  readonly delay: Float64Array; // vertical, metres
  readonly unusable: string; // why there are no points
}
