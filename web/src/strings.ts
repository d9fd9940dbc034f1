// Every text of the page. A translation is another file like this one.
import { bytes, count, number, percent, signed, times } from "./format.js";
import { quantity, say, type Phrase, type Quantity } from "./phrase.js";
import type { EngineError, Started } from "./protocol.js";
import { kept, type Line, type Model } from "./series.js";
import type { Spec } from "./spec.js";
import type { Phase } from "./trainer.js";
import { ending, LEVEL, standings, type Standing } from "./verdict.js";
import type { Sample, View } from "./view.js";

export const models: Readonly<Record<Model | "mean" | "ridge", string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "the mean", ridge: "ridge regression" };
export const short: Readonly<Record<Model | "mean" | "ridge", string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "mean", ridge: "ridge" };

export const page = {
  name: "iFM Lab",
  skip: "Skip to the figure",
  nav: { label: "Page", figure: "The figure", table: "Your table" },
  theme: { label: "Colours", options: { auto: "Like the system", light: "Light", dark: "Dark" } satisfies Record<View["theme"], string> },
  notices: "About this link",
  dismiss: "Dismiss",
  crashed: (reason: string) => `The engine stopped (${reason || "without saying why"}) and was started again. What you had loaded is still here: press Start once more, or try fewer rows.`,
  notStarted: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
  noSample: "This frame shows a built-in table; its address names none.",
  drop: "Drop the file anywhere: it stays in your browser",
  footer: {
    live: "Every curve, matrix and number on this page is computed in your browser, while you watch, by the same Go code that the tests run. Nothing is recorded in advance and no file you open leaves this machine.",
    licenses: "Licences of what this page contains",
    paper: "The claim is that of Lin et al., “Which Factorization Machine Modeling is Better: A Theoretical Answer with Optimal Guarantee” (AAAI-19); this page runs it, and says where it is narrower than its words.",
  },
};

/** The sentence for an error: the engine's own, or ours where it could not speak. */
export function problem(error: EngineError): string {
  if (error.kind === "Lost") return page.crashed(error.message);
  return error.kind === "NotStarted" ? page.notStarted(error.message) : error.message;
}

export const figure = {
  title: "Flip one sign and FM breaks.",
  lead: "A factorization machine (FM) writes its interactions as UUᵀ, a matrix without negative eigenvalues. Flip the sign of the truth and it has nothing left to fit it with. iFM writes UVᵀ, and does not mind.",
  switch: "Sign of the true interactions",
  scenario: { psd: "PSD", flipped: "Flipped", mixed: "Mixed" } satisfies Record<Spec["scenario"], string>,
  formula: { psd: "+UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" } satisfies Record<Spec["scenario"], string>,
  truth: { psd: "UUᵀ without its diagonal", flipped: "−UUᵀ without its diagonal", mixed: "UVᵀ without its diagonal" } satisfies Record<Spec["scenario"], string>,
  sign: { psd: "eigenvalues ≥ 0", flipped: "eigenvalues ≤ 0", mixed: "of both signs" } satisfies Record<Spec["scenario"], string>,
  live: (spec: Spec) => `Computed live: ${count(spec.n)} training rows, ${count(spec.test)} test rows, d = ${spec.d}, k = ${spec.k}, seed ${spec.seed}${spec.noise > 0 ? `, noise ${number(spec.noise)}` : ""}${spec.trials > 1 ? `, ${spec.trials} trials` : ""}.`,
  slowNote: "iFM still falls here, about as 1/t: this truth leaves half of its factors nothing to do. On a linear axis it looks converged; the log axis shows that it is not.",
  reduced: "Nothing moves by itself, as you asked your system. Press Play to train.",
  settings: "Settings of this run",
};

export const curve = {
  title: "Test RMSE by iteration",
  titleOf: (target: string) => `Test RMSE of ${target} by iteration`,
  x: "iteration",
  cursor: "Iteration under the cursor",
  at: (iteration: number, parts: readonly string[]) => `Iteration ${count(iteration)}: ${parts.join(", ")}`,
  value: (model: Model, value: number) => `${short[model]} ${number(value)}`,
  hint: "Point at the curves, or use the arrow keys, for exact values.",
  waiting: (phase: Phase, source: Spec["source"]) =>
    phase === "failed"
      ? "There is nothing to draw."
      : phase === "stopped"
        ? "Stopped before the first iteration."
        : phase === "starting" && source === "table"
          ? "Encoding the rows and fitting ridge regression, the reference line …"
          : "The curves appear here as soon as the first iteration is done.",
  band: (trials: number) => `Mean of ${trials} trials, the band from smallest to largest; reference lines of the first.`,
  above: (text: string) => `${text} ↑`,
  below: (text: string) => `${text} ↓`,
  describe: (scale: "log" | "linear", lines: readonly Line[], baselines: readonly Standing[]) =>
    [
      `Line chart of test RMSE by iteration, ${scale === "log" ? "logarithmic" : "linear"} axis.`,
      ...lines.map((line) => `${short[line.model]} starts at ${number(line.rmse[0] ?? Number.NaN)} and stands at ${number(line.rmse.at(-1) ?? Number.NaN)} after ${count(line.iteration.at(-1) ?? 0)} iterations.`),
      ...baselines.map((b) => `Reference line: ${models[b.whose]}, ${number(b.rmse)}.`),
    ].join(" "),
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
  error: (value: number) => `relative error ${value < 0.0005 ? number(value, 2) : percent(value)}`,
  diagonal: "keeps its diagonal",
  pair: "Pair, strongest first",
  names: (a: string, b: string) => `${a} × ${b}`,
  entry: (name: string, value: number) => `${name} ${signed(value)}, ${value > 0 ? matrix.positive : value < 0 ? matrix.negative : matrix.zero}`,
  describe: (name: string, d: number, positive: number, negative: number, most: number) => `Heat map of ${name}, ${d} by ${d}: ${count(positive)} positive and ${count(negative)} negative pairs, the largest ${number(most)} in size.`,
  data: "The strongest pairs as a table",
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
  candidate: (line: Line) => `${short[line.model]}: candidate ${line.candidate + 1} of ${line.candidates}`,
};

export const settings: Readonly<Partial<Record<keyof Spec, string>>> = {
  models: "Models",
  d: "Features d",
  k: "Rank k",
  n: "Training rows",
  test: "Test rows",
  noise: "Noise, in sd of y",
  seed: "Seed",
  trials: "Trials",
  iterations: "Iterations",
  ranks: "Ranks to try",
  lambdas: "Penalties λ to try, per row",
  patience: "Patience, iterations",
  rare: "Levels rarer than this become “other”",
  missing: "Missing cells",
};
export const settingHelp = (min: number, max: number) => `${number(min, 1)} to ${max >= 1e6 ? number(max, 1) : count(max)}`;
export const missing: Readonly<Record<Spec["missing"], string>> = { flag: "fill in the mean and flag it", drop: "drop the row" };

function sentence(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function of(line: Line): Quantity {
  return quantity(line.model, kept(line));
}

function against(s: Standing): Phrase {
  return say`${short[s.whose]} ${quantity(s.whose, s.rmse)}`;
}

function list(phrases: readonly Phrase[]): Phrase {
  return phrases.flatMap((phrase, i) => (i === 0 ? phrase : i < phrases.length - 1 ? [", ", ...phrase] : [" and ", ...phrase]));
}

export const verdict = {
  label: "Verdict",
  /** The sentence for a scenario, from the numbers of the run alone. */
  figure(started: Started, lines: readonly Line[], truth: Spec["scenario"]): Phrase {
    const fm = lines.find((line) => line.model === "fm");
    const ifm = lines.find((line) => line.model === "ifm");
    const ridge = quantity("ridge", started.ridge);
    if (!fm || !ifm) {
      const said = lines.map((line) => say`${short[line.model]} ends at a test RMSE of ${of(line)}`);
      return say`${list(said)}; ridge regression is at ${ridge} and the mean at ${quantity("mean", started.mean)}.`;
    }
    const [f, i] = [kept(fm), kept(ifm)];
    switch (ending(f, i, started.ridge)) {
      case "stuck":
        return say`FM is stuck at a test RMSE of ${of(fm)}, ${f > 0.97 * started.ridge ? "no better than" : "little better than"} ridge regression (${ridge}), which knows no interactions at all. iFM is down to ${of(ifm)}, ${quantity("none", f / i, times(f / i))} times closer.`;
      case "halfway":
        return say`FM stops at a test RMSE of ${of(fm)}: it has found the positive part of the truth and cannot write the negative one. iFM is down to ${of(ifm)}, ${quantity("none", f / i, times(f / i))} times closer.`;
      case "ahead":
        return say`Here FM’s assumption holds, and it wins: ${of(fm)} against iFM’s ${of(ifm)}. ${truth === "psd" ? "Now flip the sign." : ""}`;
      case "level":
        return say`FM and iFM are near each other: test RMSE ${of(fm)} and ${of(ifm)}; ridge regression is at ${ridge}.`;
    }
  },
  /** The sentence for a reader's table: who predicts the test rows best, and by how much. */
  table(started: Started, lines: readonly Line[], rows: number): Phrase {
    const all = standings(started, lines);
    const best = all[0];
    if (!best) return [];
    const ridge = all.find((s) => s.whose === "ridge");
    const mean = all.find((s) => s.whose === "mean");
    const rest = all.filter((s) => s !== best);
    const where = rows > 0 ? ` on ${count(rows)} test rows` : "";
    const top = quantity(best.whose, best.rmse);
    if (best.whose === "mean") return say`Nothing here beats the mean${where}: it is off by ${top}, ${list(rest.map(against))}. These columns do not tell the target.`;
    if (best.whose === "ridge") {
      const next = rest[0];
      const close = next && next.whose !== "mean" && next.rmse < best.rmse * (1 + LEVEL);
      return say`Ridge regression wins${where}: test RMSE ${top} against ${list(rest.map(against))}. ${close ? `${sentence(short[next.whose])} is level with it, so` : "On this table"} interactions do not pay: use the simpler model.`;
    }
    const share = (s: Standing | undefined): Quantity => quantity("none", 1 - best.rmse / (s?.rmse ?? Number.NaN), percent(1 - best.rmse / (s?.rmse ?? Number.NaN)));
    const below = say`${share(ridge)} below ridge regression (${quantity("ridge", started.ridge)})`;
    const close = best.rmse > started.ridge * (1 - LEVEL);
    const verdict = close ? say` That is only ${below}: the simpler model does as well.` : say` That is ${below} and ${share(mean)} below the mean (${quantity("mean", started.mean)}).`;
    const others = rest.filter((s) => s.whose !== "ridge" && s.whose !== "mean");
    return [...say`${models[best.whose]} predicts best${where}: test RMSE ${top}.`, ...verdict, ...(others.length > 0 ? say` Beside it: ${list(others.map(against))}.` : [])];
  },
  ring: "A ring marks the iteration that is kept.",
  choice: (line: Line) => `${short[line.model]}: rank ${line.rank}, λ ${number(line.lambda, 1)}${line.done ? "" : " so far"}`,
  chosen: "Chosen on validation rows",
};

export const data = {
  title: "Now your own table.",
  lead: "Drop a CSV file: FM and iFM learn to predict one of its columns from the others, beside the mean and ridge regression, on rows neither has seen.",
  dropTitle: "Drop a CSV file anywhere on this page",
  browse: "Choose a file",
  private: "It stays in your browser: nothing is uploaded.",
  samples: "Or walk the same way with a built-in table:",
  sample: { penguins: "Penguins", cars: "Cars", diabetes: "Diabetes" } satisfies Record<Sample, string>,
  sampleOf: { penguins: "body mass of birds in Antarctica", cars: "fuel economy, 1970–82", diabetes: "disease progression in a year" } satisfies Record<Sample, string>,
  /** The columns that the built-in tables are about; their guesses apply to all else. */
  sampleTarget: { penguins: /body.?mass/i, cars: /miles|mpg/i, diabetes: /^(y|target|progression)$/i } satisfies Record<Sample, RegExp>,
  sampleError: (name: string) => `The built-in table ${name} could not be loaded from this site; check the connection and try again.`,
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
  twoFiles: "More than one file was dropped; the first was taken.",
  targetGone: (wanted: string, used: string) => `The link’s target “${wanted}” is no column of this table; “${used}” is offered instead.`,
  fileError: "This file could not be used",
  kept: (name: string) => `${name} is still loaded.`,
  summary: (name: string, rows: number, columns: number, size: number) => `${name}: ${count(rows)} rows, ${count(columns)} columns, ${bytes(size)}`,
  separator: "Separator",
  separators: { auto: "guess", comma: "comma ,", semicolon: "semicolon ;", tab: "tab", pipe: "bar |", space: "space" } satisfies Record<Spec["separator"], string>,
  header: "First row",
  headers: { auto: "guess", yes: "names the columns", no: "is data" } satisfies Record<Spec["header"], string>,
  guessed: (what: string) => `guess: ${what}`,
  preview: (shown: number) => `The first ${shown} rows, as written`,
  badTitle: (n: number) => `${count(n)} ${n === 1 ? "row" : "rows"} could not be read and ${n === 1 ? "is" : "are"} left out`,
  droppedTitle: (n: number) => `${count(n)} ${n === 1 ? "row is" : "rows are"} left out of training`,
  more: (n: number) => `and ${count(n)} more`,
  facts: (e: EngineError) =>
    [
      e.line > 0 ? ["Line", count(e.line)] : [],
      e.column > 0 ? ["Column", count(e.column)] : [],
      e.field !== "" ? ["Field", e.field] : [],
      e.found !== "" ? ["Found", e.found] : [],
    ].filter((pair): pair is [string, string] => pair.length === 2),
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
  distinct: (n: number, exact: boolean) => (exact ? count(n) : `≥ ${count(n)}`),
  levels: (levels: readonly string[], more: boolean) => levels.join(", ") + (more ? ", …" : ""),
  more: (n: number) => `Show ${count(n)} more columns`,
  scroll: "Columns of the table; scrolls sideways",
};

export const plan = {
  title: "What will be trained",
  planning: "Looking at the settings …",
  sentence: (target: string, features: number, train: number, valid: number, test: number, size: number): Phrase =>
    say`Predict ${quantity("none", Number.NaN, target)} from ${quantity("none", features, count(features))} encoded ${features === 1 ? "feature" : "features"}. ${quantity("none", train, count(train))} rows train, ${quantity("none", valid, count(valid))} choose rank and λ, ${quantity("none", test, count(test))} test. The design takes ${quantity("none", size, bytes(size))} a model.`,
  steps: (steps: number) => `At most ${count(steps)} iterations a model, all candidates together.`,
  start: "Start",
  again: "Train again",
  changed: "The settings have changed since this run.",
  error: "These settings cannot be trained",
  options: "Models and tuning",
};

export const result = {
  title: (target: string) => `Predicting ${target}`,
  scatter: (model: Model) => `Predicted against actual, ${short[model]}, the best on validation rows`,
  actual: (target: string) => `actual ${target}`,
  predicted: "predicted",
  cursor: "Test row under the cursor, largest error first",
  row: (line: number, actual: number, predicted: number) => `Line ${count(line)}: actual ${number(actual, 4)}, predicted ${number(predicted, 4)}, off by ${signed(predicted - actual)}`,
  data: "The largest errors as a table",
  hint: "Point at a row, or use the arrow keys: largest error first.",
  sampled: (shown: number, all: number) => `${count(shown)} of ${count(all)} test rows drawn.`,
  describe: (model: Model, rows: number, rmse: number, r: number) => `Scatter of predicted against actual for ${count(rows)} test rows, ${short[model]}: RMSE ${number(rmse)}, correlation ${r.toFixed(2)}. Points on the diagonal are predicted exactly.`,
  columns: { line: "Line", actual: "Actual", predicted: "Predicted", error: "Error" },
  reference: "Test RMSE, best first",
  who: "Model",
  rmse: "Test RMSE",
  ofRidge: "against ridge",
};
