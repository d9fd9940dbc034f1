// The words that all chapters share.
import type { Labels } from "../../panel/form.js";
import { options, settings } from "../../state/strings.js";
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
  again: "Run again",
  stop: "Stop",
  settings: "Settings of this chapter",
  share: "Link and embed",
  formulas: "Formulas",
  silent: "What the run says will appear here, in its own numbers.",
  left: (seconds: number, paused: boolean) => (Number.isNaN(seconds) ? "; the time left is being measured" : `, ${short(seconds)} left${paused ? " once it goes on" : ""}`),
  guess: "Guess, and it runs:",
  unanswered: "The answer will appear here.",
  answer: (found: string) => `The answer of this run: “${found}”.`,
  guessed: (guess: string, found: string, right: boolean) => `You guessed “${guess}”${right ? ", and this run says so too." : `; this run says “${found}”.`}`,
  changed: (first: string, then: string, found: string, right: boolean) => `You guessed “${first}” first, then “${then}”${right ? ", and this run says so too." : `; this run says “${found}”.`}`,
  late: (chosen: string, found: string, right: boolean) => `You chose “${chosen}” after this run had said ${right ? "so" : `“${found}”`}.`,
  marks: { only: "Your guess", first: "Your first guess", last: "Your last guess", late: "Your choice" } satisfies Record<Whose, string>,
  mark: (whose: Whose | null, right: boolean, early: boolean) => `${whose === null ? "The answer" : chapter.marks[whose]}${whose === null ? "" : right ? ": right" : ": wrong"}${early ? ", so far" : ""}`,
  fromTrial: (trials: number) => `A first answer, from the first of ${count(trials)} trials; ${count(trials - 1)} more will be added.`,
  fromRuns: (runs: number, of: number) => `A first answer, from the first ${runs === 1 ? "" : `${count(runs)} `}of ${counted(of, "run")}.`,
  undecided: "This run, with these settings, does not decide the question.",
  unknown: (key: string, title: string) => `the link’s parameter “${key}” is not known in the chapter “${title}” and was ignored`,
  progress: (done: number, of: number) => `${count(done)} of ${counted(of, "run")} done`,
  over: (done: number, of: number, seconds: number) => (done < of || seconds === 0 ? `Stopped: ${count(done)} of ${counted(of, "run")} came to an end.` : `${counted(of, "run")} in ${number(seconds, 2)} s.`),
  stale: (cost: string) => `The settings have changed since this run. ${cost}`,
  live: (how: string) => `Live: computed in this browser. ${how.charAt(0).toUpperCase()}${how.slice(1)}`,
  idle: "Live: computed in this browser once you press Run.",
  times: (n: number) => ` (${count(n)} runs)`,
  others: (n: number) => `${count(n)} more kinds of error came up.`,
};

/** What several chapters say of their runs. */
export const runs = {
  over: (what: string, trials: number, whole: boolean) => (!whole ? `${what} of the runs that came to an end` : trials === 1 ? "1 trial" : `${what} of ${counted(trials, "trial")}, the band from smallest to largest`),
  rows: (n: number, isLimited: boolean, one = "training row") => `${counted(n, one)}${isLimited ? " (held: 10 at least, and no more than fit into memory)" : ""}`,
  refusals: (n: number, of: number, known: boolean): Phrase =>
    [`${count(n)} of gFM’s ${counted(of, "run")} ${n === 1 ? "was" : "were"} refused, because τ ${known ? "is" : "as the rows show it is"} too small to divide by. That is a result, not a fault; to see what dividing gives, choose ${known ? "the pseudo-inverse" : "the true moments or the pseudo-inverse"}.`],
  limited: (n: number, one: string, many?: string): Phrase => [`${counted(n, one, many)} ${n === 1 ? "has" : "have"} other rows than asked for: a run takes 10 at least, and no more than fit into memory.`],
};

/** What stands where there is nothing to draw. */
export const waiting = {
  idle: "Press Run.",
  running: "The first rows are being drawn …",
  paused: "The first rows are being drawn …",
  stopped: "Stopped before there was anything to draw.",
  done: "There is nothing to draw.",
} as const;

export const labels: Labels = {
  keys: joined(settings, { rows: "Training rows ÷ dk", tau: "τ of three-point or slider columns", taus: "τ", ratios: "n ÷ dk", ks: "Ranks k", model: "Model", sweep: "Upright axis", compared: "Models", starts: "‖U‖ at the start" }),
  options: joined(options, { rank: "rank k", tau: "τ of the columns", two: "FM and iFM", three: "FM, gFM and iFM" }),
};
