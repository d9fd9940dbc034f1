// The words of the lesson and its chapters.
import { questions, titles } from "../state/chapters.gen.js";
import type { Spec } from "../state/spec.js";
import { drawn } from "../state/strings.js";
import { count, number } from "../text/format.js";
import { say, type Phrase, type Quantity } from "../text/phrase.js";
import { counted, duration, list } from "../text/strings.js";
import { labels, runs, waiting } from "./chapter/strings.js";

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
    `${[rows(n, held), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${runs.over("mean", trials, whole)}; solver: ${labels.options[solver]}.`,
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
