// Every text of the section on the paper, and no decision: a translation is
// another file like this one.
import { count, number } from "../format.js";
import { figure, list, options, settings } from "../strings.js";
import type { Labels } from "../form.js";
import { say, type Phrase, type Quantity } from "../phrase.js";
import type { Spec } from "../spec.js";
import type { Shown } from "./moments.js";
import type { Phase } from "./runner.js";

function counted(n: number, one: string): string {
  return `${count(n)} ${one}${n === 1 ? "" : "s"}`;
}

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
  title: "The paper",
  lead: "Four experiments on what Lin et al. claim, at the paper’s sizes or at yours. Each runs here, in your browser, when you press Run; nothing was recorded in advance. Where a claim is narrower than its words, the experiment shows it.",
  words: "FM writes its interactions as UUᵀ without its diagonal, gFM as UVᵀ with it, iFM as UVᵀ without it. κ and φ are the means of x³ and x⁴ of a standardized column. PSD (positive semidefinite) means: no negative eigenvalue.",
};

export const experiment = {
  run: "Run",
  again: "Run again",
  stop: "Stop",
  settings: "Settings of this experiment",
  progress: (done: number, of: number) => `${count(done)} of ${counted(of, "run")} done`,
  over: (done: number, of: number, seconds: number) => (done < of || seconds === 0 ? `Stopped: ${count(done)} of ${counted(of, "run")} came to an end.` : `${counted(of, "run")} in ${number(seconds, 2)} s.`),
  stale: (cost: string) => `The settings have changed since this run. ${cost}`,
  live: (how: string) => `Live: computed in this browser. ${how.charAt(0).toUpperCase()}${how.slice(1)}`,
  idle: "Live: computed in this browser once you press Run.",
  times: (n: number) => ` (${count(n)} runs)`,
  others: (n: number) => `${count(n)} more kinds of error came up.`,
};

export const labels: Labels = {
  keys: { ...settings, rows: "Training rows ÷ dk", tau: "τ of three-point or slider columns", taus: "τ", ratios: "n ÷ dk", ks: "Ranks k", model: "Model", sweep: "Upright axis" },
  options: { ...options, rank: "rank k", tau: "τ of the columns" },
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
};

const waiting: Readonly<Record<Phase, string>> = {
  idle: "Press Run.",
  running: "The first rows are being drawn …",
  stopped: "Stopped before there was anything to draw.",
  done: "There is nothing to draw.",
};

type Scenario = "psd" | "flipped" | "mixed";

const panel: Readonly<Record<Scenario, string>> = { psd: "(a)", flipped: "(b)", mixed: "(c)" };

export const figure1 = {
  title: "Figure 1: three truths",
  lead: "Test RMSE of FM and iFM by iteration, on a truth that is positive semidefinite (a), the same with its sign flipped (b), and of both signs (c). The paper draws it on a linear axis; the log axis shows what that hides.",
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
  tooFew: (names: readonly string[], n: number): Phrase => say`${list(names.map((name) => [name]))} ${names.length === 1 ? "ends" : "end"} above 1, worse than with no interactions at all: ${counted(n, "training row")} ${n === 1 ? "is" : "are"} too few.`,
  tooShort: (names: readonly string[], iterations: number): Phrase => say`${list(names.map((name) => [name]))} ${names.length === 1 ? "ends" : "end"} above 1, worse than with no interactions at all, and still ${names.length === 1 ? "falls" : "fall"}: ${counted(iterations, "iteration")} ${iterations === 1 ? "is" : "are"} too few.`,
  same: "iFM’s curves in (a) and (b) are the same bit for bit: flip y, and V flips with it.",
  ends: (n: { readonly fmB: Quantity; readonly fmC: Quantity; readonly ifmC: Quantity }): Phrase => say`In units of that second-order part, FM ends at ${n.fmB} in (b) and at ${n.fmC} in (c), iFM in (c) at ${n.ifmC}.`,
  live: (n: number, held: boolean, test: number, d: number, k: number, trials: number, whole: boolean, solver: string, seed: number) =>
    `${[rows(n, held), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${over("mean", trials, whole)}; solver: ${labels.options[solver]}.`,
};

export const algorithm = {
  title: "Algorithm 1: theory against measurement",
  lead: "How far from the truth each iteration of the paper’s own algorithm is. Printed, it lacks a term, so that each iteration multiplies the error of the trace by about −k/2: k = 2 keeps its size, k ≥ 3 enlarges it. Corrected, it shrinks the error by a constant factor. It needs standardized, independent columns, so it runs here on drawn rows only.",
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
  growsByChance: ["For k = 2 it is the chance of few rows alone that enlarges it: with more of them it only keeps its size."] as Phrase,
  left: (names: readonly string[], n: number, near: boolean): Phrase => say`${list(names.map((name) => [name]))} left all numbers: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few${near ? ", or these columns’ moments too near to those of a ±1 column" : ""}.`,
  printedLost: ["As printed it left all numbers."] as Phrase,
  printedRankOne: ["As printed it converges, k being 1: the trace’s error is halved and turned round then, not enlarged. Try k = 3."] as Phrase,
  printedRankTwo: ["As printed it comes no closer: k being 2, the trace’s error is turned round at its full size again and again. Try k = 3."] as Phrase,
  printedShrinks: (rate: Quantity) => say`As printed it multiplies its error by ${rate} an iteration; the error of the trace is not yet most of it.`,
  printedStays: ["As printed it comes no closer in these iterations."] as Phrase,
  printedTurns: (rate: Quantity) => say`As printed it moves away, by a factor of ${rate} an iteration.`,
  floored: (rate: Quantity, floor: Quantity) => say`iFM multiplies its error by ${rate} in the last iterations. In the paper that goes to 0 as the rows grow; here it tends to ${floor}, not to 0, however many rows there are.`,
  ifmStays: (rate: Quantity, n: number) => say`iFM multiplies its error by ${rate} in the last iterations, so it does not converge: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few.`,
  live: (n: number, held: boolean, d: number, k: number, seed: number, fresh: boolean, features: Spec["features"], tau: number) =>
    `${[`${rows(n, held, "row")}${fresh ? " drawn anew for each iteration" : ", the same for each iteration"}`, `d = ${d}`, `k = ${k}`, `${figure.features[features]}${Number.isNaN(tau) ? "" : `, τ = ${number(tau)}`}`, `seed ${seed}`].join(", ")}; solver: Algorithm 1.`,
};

export const moments = {
  title: "Moments: when a column is nearly ±1",
  lead: "τ = |φ − 1 − κ²| tells how well the third and fourth moments of a column keep x² apart from 1 and x: it is 2 for a Gaussian column and 0 for any column with two values, such as yes and no. There the rows say nothing about the diagonal of M, which only its low rank may still pin down. gFM has a diagonal, and Algorithm 1 fits it by dividing by τ; iFM has none. Each is given a truth of its own kind here.",
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
  single: (ratio: number, tau: string, gfm: Quantity, ifm: Quantity) => say`With n = ${number(ratio, 2).replace(/\.0$/, "")} dk and τ = ${tau}, gFM’s error of M is ${gfm}, iFM’s ${ifm}. Give more than one τ to see what it changes.`,
  predicts: (rmse: Quantity) => say`Yet gFM predicts well there, with a test RMSE of ${rmse} sd. An error that does not show in predictions sits where such columns cannot tell: on the diagonal.`,
  chance: ["Which diagonal it ends at is chance: others fit these rows exactly as well."] as Phrase,
  astray: (rmse: Quantity) => say`gFM’s test RMSE there is ${rmse} sd.`,
  ifm: (far: Quantity, near: Quantity) => say`iFM’s error of M is ${far} and ${near}.`,
  refusals: (n: number, of: number, known: boolean) =>
    [`${count(n)} of gFM’s ${counted(of, "run")} ${n === 1 ? "was" : "were"} refused, because τ ${known ? "is" : "as the rows show it is"} too small to divide by. That is a result, not a fault; to see what dividing gives, choose ${known ? "the pseudo-inverse" : "the true moments or the pseudo-inverse"}.`] as Phrase,
  lost: (n: number, of: number) => [`${count(n)} of gFM’s ${counted(of, "run")} diverged.`] as Phrase,
  others: ["Is it the model or the solver? Choose Gauss–Newton in the settings, which divides by no τ, and run again: what is left of the trouble then shows at τ = 0, in M and not in the test RMSE."] as Phrase,
  held: (points: number): Phrase => [`${counted(points, "pair")} of τ and n ${points === 1 ? "has" : "have"} other rows than asked for: a run takes 10 at least, and no more than fit into memory.`],
  live: (features: Spec["features"], d: number, k: number, trials: number, whole: boolean, solver: string, fresh: boolean, known: boolean, pseudo: boolean, seed: number) =>
    `${[figure.features[features], `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${over("median", trials, whole)}; solver: ${labels.options[solver]}${solver === "algorithm1" ? `, ${fresh ? "fresh rows each iteration" : "one batch reused"}, ${known ? "true" : "estimated"} moments${pseudo ? ", pseudo-inverse" : ""}` : ""}.`,
};

export const samples = {
  title: "How many samples",
  lead: "How often the truth is found from n training rows. n is given in units of d·k, the numbers in one factor matrix. Found means that w and M are both within 1 % when the run ends. This is as much a property of the solver as of the model, so every map names its solver. Choose a cell to open its run in the figure.",
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 1000 ? "a minute or more" : "some seconds"} with Gauss–Newton; other solvers take longer.`,
  caption: (model: string, solver: string, trials: number, whole: boolean) => `${labels.options[model]} by ${labels.options[solver]}: found, of ${whole ? counted(trials, "trial") : "the trials that came to an end"}`,
  corner: (row: string) => `${row} ↓ n ÷ dk →`,
  open: (name: string, found: number, of: number) => `${name}: found in ${count(found)} of ${counted(of, "trial")}; open this run in the figure`,
  first: (name: string, ratio: Quantity) => say`for ${name} from n = ${ratio} dk on`,
  never: (name: string): Phrase => [`for ${name} nowhere on this map`],
  nowhere: ["Nowhere on this map is the truth found in every trial."] as Phrase,
  firsts: (firsts: readonly Phrase[]): Phrase => say`The truth is found in every trial ${list(firsts)}.`,
  heldAt: (name: string, n: number) => `${name}, held at ${counted(n, "row")}`,
  held: (points: number): Phrase => [`* ${counted(points, "cell")} ${points === 1 ? "has" : "have"} other rows than asked for: a run takes 10 at least, and no more than fit into memory.`],
  missed: (refused: number, diverged: number) =>
    `${[...(refused > 0 ? [`${counted(refused, "run")} ${refused === 1 ? "was" : "were"} refused, because τ is too small to divide by`] : []), ...(diverged > 0 ? [`${counted(diverged, "run")} diverged`] : [])].join(", and ")}; ${refused + diverged === 1 ? "it counts" : "they count"} as not found.`,
  single: "k = 1 has a single eigenvalue, positive",
  live: (features: Spec["features"], truth: string, scenario: string, single: boolean, d: number, k: number, trials: number, solver: string, iterations: number, seed: number) =>
    `${[figure.features[features], `${labels.options[truth]} truth, ${labels.options[scenario]}${single ? ` (${samples.single})` : ""}`, `d = ${d}`, ...(Number.isNaN(k) ? [] : [`k = ${k}`]), counted(trials, "trial"), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
};
