// The words that panels share.
import type { View } from "../state/view.js";
import { bytes, count } from "../text/format.js";

export const problems = {
  crashed: (reason: string) => `The engine stopped (${reason}) and was started again. What you had loaded is still here: start again, or try fewer rows.`,
  line: (line: string) => `line ${line}: `,
  silent: "without saying why",
  notStarted: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
  partLost: (name: string) => `“${name}” could not be loaded, perhaps because the connection was lost. It is asked for again; if it does not come, reload the page.`,
  notThere: (name: string) => `“${name}” could not be loaded, perhaps because the connection was lost; try once more, or reload the page.`,
};

export const controls = {
  label: "Run",
  play: "Play",
  pause: "Pause",
  step: "Step",
  again: "Again",
  restart: "Restart",
  restartHelp: "The same run from its start: the same data, the same start of each model",
  seed: "New seed",
  seedHelp: "Other data and other starts; the seed stands in the address",
  ghost: "Ghost",
  ghostHelp: "The run before, as faint lines",
  stop: "Stop",
  speed: "Speed",
  speeds: { slow: "slow", normal: "normal", instant: "instant" } satisfies Record<View["speed"], string>,
  scale: "Axis",
  scales: { log: "log", linear: "linear" },
  progress: (done: number, of: number) => `Iteration ${count(done)} of ${count(of)}`,
  each: (name: string, done: number) => `${count(done)} (${name})`,
  progressOfEach: (each: readonly string[], of: number) => `Iteration ${each.join(", ")} of ${count(of)}`,
  repeated: "same data, same start",
  folds: (done: number, of: number) => `${count(done)} of ${count(of)} folds, which choose what is trained`,
  candidate: (name: string, at: number, of: number) => `${name}: candidate ${at} of ${of}`,
  trials: (name: string, done: number, of: number) => `${name}: ${done} of ${of} trials done`,
};

export const choices = {
  of: { member: "File in the archive", sheet: "Sheet" },
  none: { member: "Which file is the table?", sheet: "Which sheet is the table?" },
};

export const bounds = {
  range: (min: string, max: string) => `${min} to ${max}`,
  held: (now: string, min: string, max: string) => `Held to ${now}: it goes from ${min} to ${max}.`,
  whole: (now: string) => `Held to ${now}: whole numbers only.`,
  noNumber: (now: string) => `That is not a number: ${now} stays.`,
  most: (most: number) => `The first ${most} are kept.`,
};

export const verdict = {
  slow: "Computed without SIMD, which this browser lacks: the same numbers, more slowly.",
  diverged: (name: string, since: number) => ` ${name} diverged: its loss has risen since iteration ${count(since)}.`,
  stopped: (name: string, reasons: readonly string[]) => ` Why ${name} stopped: ${reasons.join("; elsewhere: ")}.`,
  ring: "A ring marks the iteration that is kept.",
};

export const files = {
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  private: "It stays in your browser: nothing is uploaded.",
  badTitle: (n: number) => `${count(n)} ${n === 1 ? "row" : "rows"} could not be read and ${n === 1 ? "is" : "are"} left out`,
  more: (n: number) => `and ${count(n)} more`,
  facts: { line: "Line", column: "Column", field: "Field", found: "Found" },
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
};
