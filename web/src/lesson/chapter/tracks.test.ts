// Tracks as runs leave them, for the tests of chapters: what a chapter reads of
// them is pure.
import { parsed, type Chapter, type Common, type Run } from "./definition.js";
import type { Phrase } from "../../text/phrase.js";
import type { Track } from "./runner.js";

/** A run that is over, with what a test says of it. */
export function track(of: Partial<Track>): Track {
  return { job: { query: "", cell: 0 }, iteration: [], test: [], errorW: [], errorM: [], path: [], started: null, theory: null, truth: null, interaction: null, model: null, quadratic: null, predictions: null, digest: { hex: "" }, done: true, error: null, ...of } as unknown as Track;
}

/** A run that failed. */
export function failed(kind: string): Track {
  return track({ done: false, error: { kind, message: kind, file: "", line: 0, column: 0, field: "", found: "" } });
}

/** The settings of a chapter in a link. */
export function settingsOf<S extends Common, P, R>(chapter: Chapter<S, P, R>, own: string): S {
  return parsed(chapter as Chapter, own).values as S;
}

/** Runs that are over under these settings. */
export function runOf<S, P = null>(settings: S, tracks: readonly Track[], plan: P | null = null): Run<S, P> {
  return { settings, plan, tracks, phase: "done", whole: true };
}

/** A symmetric matrix by its entries and eigenvalues. */
export function matrix(d: number, values: readonly number[], eigenvalues: readonly number[] = []): NonNullable<Track["truth"]> {
  return { d, values: Float64Array.from(values), eigenvalues: Float64Array.from(eigenvalues), names: [], rank: 0, lambda: 0, iteration: 0 };
}

/** The numbers that a chapter tells, which a hand-in holds. */
export function values(phrase: Phrase): number[] {
  return phrase.flatMap((piece) => (typeof piece === "string" ? [] : Number(piece.value.toPrecision(6))));
}
