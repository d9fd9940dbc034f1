// What is read off the tracks of many runs.
import type { EngineError } from "../../engine/protocol.js";
import { over, type Track } from "./runner.js";

/** A line over the trials that are over, or over the first one while none is. */
export interface Mean {
  readonly x: readonly number[]; // iterations
  readonly y: readonly number[];
  readonly low: readonly number[]; // smallest and largest over trials
  readonly high: readonly number[];
  readonly trials: number;
}

/** The mean test RMSE by iteration; a trial that has stopped keeps its last value, all of them up to iteration end. */
export function meanOf(tracks: readonly Track[], end: number): Mean {
  const begun = tracks.filter((track) => track.error === null && track.test.length > 0);
  const ended = begun.filter(over);
  const used = ended.length > 0 ? ended : begun.slice(0, 1);
  const length = tracks.length > 0 && tracks.every(over) && used.length > 0 ? end + 1 : Math.max(0, ...used.map((track) => track.test.length));
  const x = Array.from({ length }, (_, i) => i);
  const rows = x.map((_, i) => used.map((track) => track.test[i] ?? last(track.test)));
  return { x, y: rows.map(average), low: rows.map((row) => Math.min(...row)), high: rows.map((row) => Math.max(...row)), trials: used.length };
}

/** A value for each key. */
export function recordOf<Key extends string, V>(keys: readonly Key[], value: (key: Key) => V): Readonly<Record<Key, V>> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, V>;
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}

export function rising(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export function median(values: readonly number[]): number {
  const sorted = rising(values);
  const half = Math.floor(sorted.length / 2);
  const high = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[half - 1] ?? Number.NaN) + high) / 2;
}

/** Between what and what the middle half of values lies: their quartiles. */
export function middleHalf(values: readonly number[]): readonly [number, number] {
  const sorted = rising(values);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const low = sorted[Math.floor(place)] ?? Number.NaN;
    const high = sorted[Math.ceil(place)] ?? low;
    return low === high ? low : low + (place % 1) * (high - low); // of two runs that diverged, ∞
  };
  return [at(0.25), at(0.75)];
}

export function last(values: readonly number[]): number {
  return values.at(-1) ?? Number.NaN;
}

/** The recovery error at each record, ‖w − w*‖/‖w*‖ + ‖M − M*‖/‖M*‖. */
export function recovery(track: Track): number[] {
  return track.errorW.map((w, i) => w + (track.errorM[i] ?? Number.NaN));
}

/** The last record that is a number and well above rounding, ε > 10⁻¹² ε₀; −1 where there is none. */
export function lastAbove(errors: readonly number[]): number {
  const least = 1e-12 * (errors[0] ?? Number.NaN);
  return errors.findLastIndex((e) => e > least && Number.isFinite(e));
}

/** The factor by which an error shrinks an iteration, (ε_T/ε_s)^(1/(T−s)), T being the last above rounding; NaN before there is one. */
export function rate(errors: readonly number[], from = 2): number {
  const end = lastAbove(errors);
  return end > from ? ((errors[end] ?? Number.NaN) / (errors[from] ?? Number.NaN)) ** (1 / (end - from)) : Number.NaN;
}

/** The first record of the last half, s = ⌊T/2⌋ ≥ 2: what comes before is not yet the long run. */
export function lastHalf(errors: readonly number[]): number {
  return Math.max(2, Math.floor(lastAbove(errors) / 2));
}

/** Whether a run ended because its τ is too small to divide by. */
export function refused({ error }: Track): boolean {
  return error?.kind === "SingularMomentError";
}

/** Whether an error is a run's result, and no fault of the page. */
export function isResult({ kind }: EngineError): boolean {
  return kind === "DivergedError" || kind === "SingularMomentError";
}

/** Whether it ended beyond all numbers. */
export function diverged(track: Track): boolean {
  return track.error?.kind === "DivergedError" || (track.done && !Number.isFinite(last(track.test)));
}

/** Recovered: both relative errors below one per cent when the run ended. */
export function succeeded(track: Track): boolean {
  return track.error === null && track.done && Math.max(last(track.errorW), last(track.errorM)) < SUCCESS;
}

export const SUCCESS = 0.01;
