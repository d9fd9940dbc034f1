// What a second experiment in a chapter is: a picture with runs of its own,
// which are started beside it, under some of the chapter's settings.
import { html, type TemplateResult } from "lit";
import type { EngineError } from "../../engine/protocol.js";
import type { Chapter as Id } from "../../state/view.js";
import type { Phrase } from "../../text/phrase.js";
import type { Common, Shown } from "../chapter/definition.js";
import type { Job, Track } from "../chapter/runner.js";

/** What runs have recorded, round by round. */
export type Rounds = readonly (readonly Track[])[];

/** The rounds that are over under some settings. */
export interface Measured<S> {
  readonly settings: S;
  readonly choice: string; // "" without a switch
  readonly rounds: Readonly<Record<string, Rounds>>; // by choice
}

/** S: the settings that its runs depend on. V: those of the chapter. R: its numbers. */
export interface Followup<S extends { readonly seed: number } = { readonly seed: number }, V extends Common = Common, R = unknown> {
  readonly chapter: Id;
  readonly name: string; // within its chapter
  readonly title: string;
  readonly lead: readonly string[]; // paragraphs
  /** A switch, by the key of a setting of the chapter, between runs whose results stand side by side. */
  readonly choice?: { readonly key: string; readonly label: string; readonly options: Readonly<Record<string, string>> };
  settings(values: V): S;
  /** How many runs there are in all rounds. */
  runs(settings: S): number;
  /** The next round, after those that are over. */
  jobs(settings: S, rounds: Rounds, choice: string): readonly Job[];
  /** Whether an error of a run is a result. */
  expects?(error: EngineError): boolean;
  read(measured: Measured<S>): R;
  /** What the runs say. */
  told(numbers: R): Phrase;
  /** What so many runs will take. */
  cost(runs: number): string;
  /** How the numbers were made. */
  live(settings: S): string;
  picture(numbers: R, waiting: string): TemplateResult;
}

/** What a follow-up takes from its chapter. */
export type Around = Pick<Shown<Common>, "pool" | "values" | "own" | "change">;

export function followup(definition: Followup, around: Around): TemplateResult {
  return html`<ifm-followup data-name=${definition.name} .definition=${definition} .around=${around}></ifm-followup>`;
}
