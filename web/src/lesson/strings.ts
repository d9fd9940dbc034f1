// The words of the lesson and its chapters.
import { questions, titles } from "../state/chapters.gen.js";
import type { Spec } from "../state/spec.js";
import { drawn } from "../state/strings.js";
import { cell, count, number } from "../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../text/phrase.js";
import { counted, duration, joined, list } from "../text/strings.js";
import { labels, waiting } from "./chapter/strings.js";
import type { Family, Shape } from "./shape.js";

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
  lead: "The paper’s main claims, in eleven chapters. Each asks you first, then runs in your browser, then explains what happened with the numbers of that run; what was recorded in advance, the paper’s Table 1 above all, is marked as quoted. Where a claim is narrower than its words, the chapter shows it.",
  contents: "Chapters",
  present: "Present it: a chapter a screen (P)",
  homework: "Homework: hand in, set an assignment, mark",
  due: "Your homework: what is done, and the way to hand it in",
  words: "U and V have a row for each of the d features and k columns, the rank. κ and φ are the means of x³ and x⁴ of a standardized column. PSD (positive semidefinite) means: no negative eigenvalue.",
};

export const homework = {
  title: "Homework",
  lead: "What was guessed and found can be handed in as one link or one file, and the hand-ins of a class be marked by running them all anew.",
  parts: { give: "Hand in", set: "Set an assignment", mark: "Mark hand-ins" },
  nothing: "Nothing is stored and nothing is sent: links and files go only where you take them.",
};

type Scenario = "psd" | "flipped" | "mixed";

const panel: Readonly<Record<Scenario, string>> = { psd: "(a)", flipped: "(b)", mixed: "(c)" };

export const figure1 = {
  title: titles.psd,
  question: questions.psd,
  guesses: { same: "Nothing: it learns −y as well as y", worse: "It gets worse, but interactions still help", stuck: "It is stuck near a model without interactions" },
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
  brief: (before: Quantity, after: Quantity, ifm: Quantity | null): Phrase => say`FM’s test RMSE ends at ${before} of a linear model’s for y, and at ${after} of it for −y${ifm ? say`; iFM’s ends at ${ifm} for −y` : ""}.`,
  same: "iFM’s curves in (a) and (b) are the same bit for bit: flip y, and V flips with it.",
  ends: (n: { readonly fmA: Quantity; readonly fmB: Quantity; readonly fmC: Quantity; readonly ifmB: Quantity; readonly ifmC: Quantity }): Phrase =>
    say`Let 1 be what is left without interactions. FM ends at ${n.fmA} in (a), at ${n.fmB} in (b) and at ${n.fmC} in (c). iFM ends at ${n.ifmB} in (b) and at ${n.ifmC} in (c).`,
  live: (n: number, held: boolean, test: number, d: number, k: number, trials: number, whole: boolean, solver: string, seed: number) =>
    `${[rows(n, held), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${over("mean", trials, whole)}; solver: ${labels.options[solver]}.`,
};

export const algorithm = {
  title: titles.algorithm,
  question: questions.algorithm,
  guesses: { shrinks: "Nearer than at the start", stays: "About as far", grows: "Farther, and more so with each iteration" },
  source: "Algorithm 1 and Theorem 3, its rate, of the paper; the missing term is −½P⁽⁰⁾(r)·I.",
  lead: "Algorithm 1 is the paper’s own method. The chart shows how far from the truth each of its iterations is: for gFM as printed, for gFM with the missing term put back, for gFM with the mean taken from the residual instead, and for iFM. It needs standardized, independent columns, so it runs here on drawn rows only.",
  cost: (runs: number, seconds: number) => `${counted(runs, "run")}, ${duration(seconds)}.`,
  waiting,
  heading: "Recovery error, ‖w − w*‖ / ‖w*‖ + ‖M − M*‖ / ‖M*‖",
  x: "iteration",
  y: "recovery error",
  at: (iteration: number) => `Iteration ${count(iteration)}`,
  name: { gfm: "gFM, corrected", centred: "gFM, centred", printed: "gFM, as printed", ifm: "iFM" },
  corrected: { gfm: "Corrected gFM", ifm: "iFM" },
  floor: "long-run rate of iFM, n → ∞",
  rates: "What an iteration multiplies the error by",
  run: "Run",
  rate: "measured",
  shaped: "× √(n ÷ kd)",
  reading: "Measured from iteration 2, for iFM over the last half, to the last whose error is above 10⁻¹² of the first. The theorem’s rate falls as 1/√n: times √(n ÷ kd) it should stay where it is, whatever n. gFM has a truth with its diagonal kept, iFM one without.",
  shrinks: (rate: Quantity, shaped: Quantity) => say`Corrected, gFM multiplies its error by ${rate} an iteration; times √(n ÷ kd) that is ${shaped}.`,
  brief: (begins: Quantity, printed: Quantity, corrected: Quantity | null): Phrase => say`Its error goes from ${begins} to ${printed}${corrected ? say`; with the term put back, to ${corrected}` : ""}.`,
  centred: (corrected: Quantity, centred: Quantity) => say`After its first iteration M is off by ${corrected} of its size; with the residual centred, which has the same expectation and less noise, by ${centred}.`,
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
  overtakes: (ifm: Quantity, gfm: Quantity, from: number, end: Quantity, other: Quantity): Phrase =>
    say`At first iFM is ahead: after one iteration its error is ${ifm}, gFM’s ${gfm}, since iFM has no diagonal to estimate. From iteration ${String(from)} on gFM is ahead; it ends at ${end}, iFM at ${other}.`,
  diagonal: ["The reason is the diagonal. gFM keeps it, so each iteration corrects all of M, and the better the more rows there are. iFM predicts with UVᵀ without its diagonal, so no row shows what is wrong on that diagonal. The next step takes the error along, and only the low rank shrinks it, at a pace that no number of rows changes."] as Phrase,
  behind: (gfm: Quantity, ifm: Quantity): Phrase => say`iFM is ahead to the end, at ${ifm}, gFM at ${gfm}: it has no diagonal to estimate. With more rows gFM gets faster and overtakes it, because iFM’s pace does not change.`,
  picture: "The misprint, step by step",
  ifmStays: (rate: Quantity, n: number) => say`iFM multiplies its error by ${rate} in the last iterations, so it does not converge: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few.`,
  live: (n: number, held: boolean, d: number, k: number, seed: number, fresh: boolean, features: Spec["features"], tau: number) =>
    `${[`${rows(n, held, "row")}${fresh ? " drawn anew for each iteration" : ", the same for each iteration"}`, `d = ${d}`, `k = ${k}`, `${drawn.features[features]}${Number.isNaN(tau) ? "" : `, τ = ${number(tau)}`}`, `seed ${seed}`].join(", ")}; solver: Algorithm 1.`,
};

/** How far down in τ gFM comes with a number of rows. */
export interface Reach {
  readonly ratio: number;
  readonly tau: Quantity;
  readonly known: boolean; // the moments are
  readonly product: Quantity; // τn where they are, else τ√n
}

export const moments = {
  title: titles.diagonal,
  question: questions.diagonal,
  guesses: { nothing: "Nothing to speak of", matrix: "Its matrix, while its predictions stay good", both: "Its matrix and its predictions" },
  source: "Definition 2 (moment invertibility), Theorem 3 and Proposition 1 of the paper. The proof of Proposition 1 holds for the diagonal alone.",
  lead: "Of the three models gFM alone has a diagonal: its entry for a column multiplies the column’s square. To learn it, the square must say something that the column itself does not. Regress x² on x, for a column of mean 0 and variance 1: the variance that is left over is τ = φ − 1 − κ², with κ = E x³, the column’s skewness, and φ = E x⁴, its kurtosis. It is 2 for a Gaussian column. It is 0 for every column of two values, such as yes and no.",
  holds: "The solver’s trouble and the model’s",
  honest: [
    "Gradient descent, which runs here at first, learns the diagonal at a pace that τ sets. Algorithm 1, the paper’s method and the other choice of solver, divides by τ instead; the picture above shows how small it may be. Here it is given the true moments, and fresh rows in each iteration. The theorem has the fresh rows and estimates the moments; a table has neither.",
    "The paper’s Proposition 1 says that at τ = 0 gFM cannot be learnt. Its argument holds for the diagonal only: the rest of M shows in the rows, and a low rank may pin the diagonal down from the rest. So part of what you see here is the solver’s trouble and not the model’s. iFM has no diagonal and no τ to divide by. Each model is given a truth of its own kind.",
  ],
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 400 ? "a minute or more" : "some seconds"}.`,
  waiting,
  x: "τ",
  show: "Show",
  shown: { both: "error of M and test RMSE", errorM: "error of M", errorW: "error of w", rmse: "test RMSE" },
  heading: { both: "‖M − M*‖ / ‖M*‖ and test RMSE ÷ sd of y", errorM: "‖M − M*‖ / ‖M*‖", errorW: "‖w − w*‖ / ‖w*‖", rmse: "test RMSE ÷ sd of y" },
  most: (heading: string, ratio: number) => `${heading}, n = ${number(ratio, 2).replace(/\.0$/, "")} dk`,
  both: "error of M, or RMSE",
  part: { errorM: (name: string) => `${name}: error of M`, rmse: (name: string) => `${name}: test RMSE` },
  line: (name: string, ratio: number) => `${name}, n = ${number(ratio, 2).replace(/\.0$/, "")} dk`,
  table: (what: string) => `${what} at the end, median over trials`,
  refused: (n: number, of: number) => (n === of ? "refused" : `${count(n)} of ${count(of)} refused`),
  diverged: (n: number, of: number) => (n === of ? "diverged" : `${count(n)} of ${count(of)} diverged`),
  gfm: (ratio: number, most: string, far: Quantity, least: string, near: Quantity) => say`With n = ${number(ratio, 2).replace(/\.0$/, "")} dk, gFM’s error of M is ${far} at τ = ${most} and ${near} at τ = ${least}.`,
  single: (ratio: number, tau: string, gfm: Quantity, ifm: Quantity, several: boolean) => say`With n = ${number(ratio, 2).replace(/\.0$/, "")} dk and τ = ${tau}, gFM’s error of M is ${gfm}, iFM’s ${ifm}. ${several ? "At no other τ did gFM come to an end." : "Give more than one τ to see what it changes."}`,
  besideNone: "Press Run below to see what gFM makes of such columns.",
  noFit: "none",
  beside: (tau: string, ratio: number, gfm: string, ifm: string) => `The dashed line on the chart below is this column. At the nearest τ of the run, ${tau}, with n = ${number(ratio, 2).replace(/\.0$/, "")} dk the error of M is ${gfm} for gFM, ${ifm} for iFM.`,
  brief: (most: string, far: Quantity, predicted: Quantity, least: string, near: Quantity, predicts: Quantity): Phrase => say`gFM at τ = ${most}: M off by ${far}, predictions by ${predicted} sd. At τ = ${least}: M by ${near}, predictions by ${predicts} sd.`,
  briefLost: (tau: string, lost: Quantity, of: number): Phrase => say`At τ = ${tau} gFM was refused or diverged in ${lost} of ${counted(of, "run")}.`,
  keeps: ["So gFM loses nothing to speak of here: it finds M within 1 %, or as well as far from ±1."] as Phrase,
  gone: (taus: readonly string[], ratio: number): Phrase => say`At τ = ${list(taus.map((tau) => [tau]))} no run of gFM with n = ${number(ratio, 2).replace(/\.0$/, "")} dk came to an end: every one diverged or was refused, so it has neither M nor predictions there.`,
  reach: (all: readonly Reach[], further: boolean): Phrase => say`gFM still finds M within 1 % in every trial ${list(all.map(({ ratio, tau, known, product }) => say`down to τ = ${tau} with n = ${number(ratio, 2).replace(/\.0$/, "")} dk (${known ? "τn" : "τ√n"} = ${product})`))}${further ? ": more rows reach further down" : ""}.`,
  predicts: (rmse: Quantity, both: boolean) => say`Yet gFM predicts well there, with a test RMSE of ${rmse} sd${both ? ": its two lines part" : ""}. An error that does not show in predictions sits where such columns cannot tell: on the diagonal.`,
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
    `${[drawn.features[features], `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${over("median", trials, whole)}; solver: ${labels.options[solver]}${solver === "algorithm1" ? `, ${fresh ? "fresh rows each iteration" : "one batch reused"}, ${known ? "true" : "estimated"} moments${pseudo ? ", pseudo-inverse" : ""}` : ""}.`,
};

export const samples = {
  title: titles.samples,
  question: questions.samples,
  guesses: { falls: "Fewer", stays: "About as many", rises: "More: a higher rank is harder" },
  source: "Theorem 3 of the paper promises enough rows, not the fewest: this map shows where success begins.",
  lead: "The map shows how often the truth is found from n training rows. On the map n is counted in units of d·k, the numbers in one factor matrix; below it also in free numbers, dk − k(k−1)/2 in M, d in w and the bias. Found means: w and M are both within 1 % when the run ends. This depends on the solver as much as on the model, so every map names its solver. Choose a cell to open its run in the figure.",
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 1000 ? "a minute or more" : "some seconds"} with Gauss–Newton; other solvers take longer.`,
  caption: (model: string, solver: string, trials: number, whole: boolean) => `${labels.options[model]} by ${labels.options[solver]}: found, of ${whole ? counted(trials, "trial") : "the trials that came to an end"}`,
  corner: (row: string) => `${row} ↓ n ÷ dk →`,
  open: (name: string, found: number, of: number) => `${name}: found in ${count(found)} of ${counted(of, "trial")}; open this run in the figure`,
  first: (name: string, ratio: Quantity) => say`for ${name} from n = ${ratio} dk on`,
  never: (name: string): Phrase => [`for ${name} nowhere on this map`],
  nowhere: ["Nowhere on this map is the truth found in every trial."] as Phrase,
  firsts: (firsts: readonly Phrase[]): Phrase => say`The truth is found in every trial ${list(firsts)}.`,
  trend: {
    falls: (low: number, from: Quantity, high: number, to: Quantity) => say`From k = ${count(low)} to k = ${count(high)} that falls from ${from} to ${to} rows for each free number.`,
    stays: (low: number, from: Quantity, high: number, to: Quantity) => say`From k = ${count(low)} to k = ${count(high)} that hardly changes: ${from} and ${to} rows for each free number.`,
    rises: (low: number, from: Quantity, high: number, to: Quantity) => say`From k = ${count(low)} to k = ${count(high)} that rises from ${from} to ${to} rows for each free number.`,
  },
  brief: (low: number, few: Quantity, high: number, many: Quantity): Phrase => say`A number of the truth takes ${few} rows at k = ${count(low)} and ${many} at k = ${count(high)}.`,
  artefact: (low: Quantity, high: Quantity): Phrase => say`In units of dk it falls, from ${low} to ${high}; but the d numbers of w and the bias, which do not grow with k, are learnt from the same rows.`,
  total: (low: string, few: Quantity, high: string, many: Quantity): Phrase => say`In rows it is ${few} for k = ${low} and ${many} for k = ${high}.`,
  waiting,
  below: ["All of this map is found, so it does not tell where success begins. Try fewer rows."] as Phrase,
  heldAt: (name: string, n: number) => `${name}, held at ${counted(n, "row")}`,
  held: (points: number): Phrase => [`* ${counted(points, "cell")} ${points === 1 ? "has" : "have"} other rows than asked for: a run takes 10 at least, and no more than fit into memory.`],
  missed: (refused: number, diverged: number) =>
    `${[...(refused > 0 ? [`${counted(refused, "run")} ${refused === 1 ? "was" : "were"} refused, because τ is too small to divide by`] : []), ...(diverged > 0 ? [`${counted(diverged, "run")} diverged`] : [])].join(", and ")}; ${refused + diverged === 1 ? "it counts" : "they count"} as not found.`,
  data: { n: "n ÷ dk", over: "runs", found: "found" },
  single: "k = 1 has a single eigenvalue, positive",
  live: (features: Spec["features"], truth: string, scenario: string, single: boolean, d: number, k: number, trials: number, solver: string, iterations: number, seed: number) =>
    `${[drawn.features[features], `${labels.options[truth]} truth, ${labels.options[scenario]}${single ? ` (${samples.single})` : ""}`, `d = ${d}`, ...(Number.isNaN(k) ? [] : [`k = ${k}`]), counted(trials, "trial"), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
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
  title: titles.data,
  question: questions.data,
  guesses: { none: "None of them", some: "One or two", all: "All three" },
  source: "The paper’s own data, vTEC, is not public, so these are three public tables instead. They lie in web/samples, with their sources. In the paper’s Table 1 too, ridge regression is ahead of iFM on one of its days.",
  lead: "Drawn rows prove a point; real tables decide what to use. Birds, cars and patients: 60\u00a0% of the rows train, 20\u00a0% choose rank and penalty, 20\u00a0% test. Ridge regression knows no interactions. What does it cost, or save, to know them?",
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 60 ? "half a minute or more" : "some seconds"}.`,
  waiting: joined(waiting, { running: "The tables are being read and split …" }) satisfies Record<keyof typeof waiting, string>,
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
  brief: (named: Phrase): Phrase => say`iFM’s test RMSE ÷ ridge’s: ${named}.`,
  missing: (n: number): Phrase => [`${counted(n, "table")} could not be had and ${n === 1 ? "does" : "do"} not count.`],
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
