// The words that panels share.
import type { View } from "../state/view.js";
import { bytes, count } from "../text/format.js";

export const problems = {
  crashed: (reason: string) => `The engine stopped (${reason}) and has restarted with your data. Start again, or try fewer rows.`,
  full: "The browser ran out of memory. Use fewer rows or columns, or the command ifm.",
  line: (line: string) => `line ${line}: `,
  silent: "no reason given",
  notStarted: (reason: string) => `The engine could not start: ${reason}. Check the connection. It needs WebAssembly and web workers.`,
  partLost: (name: string) => `“${name}” could not be loaded. The page is trying again. If it does not appear, check the connection and reload the page.`,
  notThere: (name: string) => `“${name}” could not be loaded. Check the connection, then try again or reload the page.`,
};

export const controls = {
  label: "Run",
  play: "Play",
  pause: "Pause",
  step: "Step",
  again: "Again",
  restart: "Restart",
  restartHelp: "Run again with the same data and starting values",
  seed: "New seed",
  seedHelp: "New data and starting values. The seed is in the page address.",
  ghost: "Ghost",
  ghostHelp: "The previous run, as faint lines",
  stop: "Stop",
  speed: "Speed",
  speeds: { slow: "slow", normal: "normal", instant: "instant" } satisfies Record<View["speed"], string>,
  scale: "Axis",
  scales: { log: "log", linear: "linear" },
  progress: (done: number, of: number) => `Iteration ${count(done)} of ${count(of)}`,
  each: (name: string, done: number) => `${count(done)} (${name})`,
  progressOfEach: (each: readonly string[], of: number) => `Iteration ${each.join(", ")} of ${count(of)}`,
  repeated: "same data, same start",
};

export const choices = {
  of: { member: "File in the archive", sheet: "Sheet" },
  none: { member: "Which file is the table?", sheet: "Which sheet is the table?" },
};

export const bounds = {
  range: (min: string, max: string) => `${min} to ${max}`,
  held: (now: string, min: string, max: string) => `Set to ${now}: the range is ${min} to ${max}.`,
  whole: (now: string) => `Set to ${now}: whole numbers only.`,
  noNumber: (now: string) => `Not a number: ${now} is kept.`,
  most: (most: number) => `Only the first ${most} are kept.`,
};

export const verdict = {
  slow: "This browser lacks SIMD: the numbers are the same but take longer.",
  diverged: (name: string, since: number) => ` ${name} diverged: its loss has risen since iteration ${count(since)}.`,
  stopped: (name: string, reasons: readonly string[]) => ` ${name} stopped: ${reasons.join("; in other trials: ")}.`,
  ring: "A ring marks the iteration whose model is kept.",
};

export const files = {
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  private: "It stays in your browser: nothing is uploaded.",
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
};
