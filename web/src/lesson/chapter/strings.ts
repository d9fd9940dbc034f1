// The words that all chapters share.
import type { Labels } from "../../panel/form.js";
import { options, settings } from "../../state/settings-strings.js";
import { count, number } from "../../text/format.js";
import type { Phrase } from "../../text/phrase.js";
import { counted, duration, joined } from "../../text/strings.js";
import type { Whose } from "./guess.js";

/** A time to wait, as it counts down. */
function short(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 20) return `about ${count(whole)} s`;
  return whole < 100 ? `about ${count(5 * Math.round(whole / 5))} s` : duration(seconds);
}

export const chapter = {
  run: "Run",
  all: "Run all",
  again: "Run again",
  stop: "Stop",
  reveal: "Show the answer",
  details: "Details: numbers, settings, source",
  settings: "Settings",
  share: "Link and embed",
  formulas: "Formulas",
  symbols: "The models and their symbols",
  meaning: "U and V have d rows, one per feature, and k columns. k is the rank. κ and φ are the means of x³ and x⁴ of a standardized column. PSD (positive semidefinite) means: no negative eigenvalue.",
  left: (seconds: number, paused: boolean) => (Number.isNaN(seconds) ? "" : `, ${short(seconds)} left${paused ? " once resumed" : ""}`),
  right: (late: boolean) => (late ? "Correct at the second try." : "Correct."),
  wrong: (found: string) => `Not quite: ${small(found)}`,
  answer: (found: string) => `The answer: ${small(found)}`,
  marks: { only: "Your guess", first: "Your first guess", last: "Your last guess", late: "Your choice" } satisfies Record<Whose, string>,
  mark: (whose: Whose | null, right: boolean) => (whose === null ? "The answer" : `${chapter.marks[whose]}: ${right ? "right" : "wrong"}`),
  fromTrial: (trials: number) => `The first of ${count(trials)} trials.`,
  first: "First runs only.",
  reduced: "A smaller run first.",
  smaller: "The settings below ask for a larger run: press “Run all”.",
  undecided: "This run, with these settings, does not decide the question.",
  unknown: (key: string, title: string) => `the link’s parameter “${key}” is not known in the chapter “${title}” and was ignored`,
  progress: (done: number, of: number) => `${count(done)} of ${counted(of, "run")} done`,
  over: (done: number, of: number, seconds: number) => (done < of || seconds === 0 ? `Stopped: ${count(done)} of ${counted(of, "run")} came to an end.` : `${counted(of, "run")} in ${number(seconds, 2)} s.`),
  stale: "The settings have changed since this run.",
  cost: (cost: string) => `To run everything: ${small(cost)}`,
  live: (how: string) => `Live: computed in this browser. ${how.charAt(0).toUpperCase()}${how.slice(1)}`,
  idle: "Live: computed in this browser.",
  times: (n: number) => ` (${count(n)} runs)`,
  others: (n: number) => `${count(n)} more kinds of error came up.`,
};

/** A sentence as it goes on behind a colon. Names such as FM keep their capitals. */
function small(text: string): string {
  const sentence = /^[A-Z][a-z ,’]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What several chapters say of their runs. */
export const runs = {
  over: (what: string, trials: number, whole: boolean) => (!whole ? `${what} of the finished runs` : trials === 1 ? "1 trial" : `${what} of ${counted(trials, "trial")}, the band from smallest to largest`),
  rows: (n: number, isLimited: boolean, one = "training row") => `${counted(n, one)}${isLimited ? " (at least 10, and no more than fit into memory)" : ""}`,
  refusals: (n: number, of: number, known: boolean): Phrase =>
    [`${count(n)} of gFM’s ${counted(of, "run")} ${n === 1 ? "was" : "were"} refused, because τ${known ? "" : ", estimated from the rows,"} is too small to divide by. That is a result, not a fault. To see what dividing gives, choose ${known ? "the pseudo-inverse" : "the true moments or the pseudo-inverse"}.`],
  limited: (n: number, one: string, many?: string): Phrase => [`${counted(n, one, many)} ${n === 1 ? "has" : "have"} fewer or more rows than asked for: a run takes at least 10, and no more than fit into memory.`],
};

/** What stands where there is nothing to draw. */
export const waiting = {
  idle: "Drawing the first rows …",
  running: "Drawing the first rows …",
  paused: "Drawing the first rows …",
  stopped: "Stopped before the first result.",
  done: "There is nothing to draw.",
} as const;

export const labels: Labels = {
  keys: joined(settings, { rows: "Training rows ÷ dk", tau: "τ of three-point or slider columns", taus: "τ", ratios: "n ÷ dk", ks: "Ranks k", model: "Model", columns: "Table columns", sweep: "Upright axis", compared: "Models", patience: "Stop after so many iterations without gain", starts: "‖U‖ at the start" }),
  options: joined(options, { rank: "rank k", tau: "τ of the columns", two: "FM and iFM", three: "FM, gFM and iFM" }),
};
