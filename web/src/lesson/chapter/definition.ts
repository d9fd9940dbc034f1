// What a chapter of the lesson is: data and pure functions. The element
// ifm-chapter shows any of them on the page, and evaluate.ts runs one anew
// without a page, to mark homework.
import { html, type TemplateResult } from "lit";
import type { Pool } from "../../engine/pool.js";
import type { EngineError, Table } from "../../engine/protocol.js";
import type { Input, Value, Values } from "../../panel/form.js";
import { questions, titles } from "../../state/chapters.gen.js";
import { pairs, read, repeated, write, type Notice, type Pair, type Settings as Written } from "../../state/spec.js";
import { unguessed, type Chapter as Id, type View } from "../../state/view.js";
import type { Phrase } from "../../text/phrase.js";
import type { Progress } from "./remaining.js";
import type { Job, Track } from "./runner.js";
import type { Phase } from "./session.js";
import type { Settings } from "./settings.js";
import { chapter as strings } from "./strings.js";

/** What a chapter always says: its question and the answers that there are to choose from. */
export interface Words {
  readonly title: string;
  readonly lead: string; // one sentence: how the question is tried
  readonly question: string;
  readonly guesses: Readonly<Record<string, string>>;
  readonly source: string; // where the paper says what is tried here
}

/** The settings of any chapter. */
export type Common = Values & { readonly seed: number };

export type { Phase };

/** The runs of a chapter under some settings, as far as they have come. */
export interface Run<S, P = null> {
  readonly settings: S;
  readonly plan: P | null; // what was known before the first of them; null before there are any
  readonly tracks: readonly Track[]; // in the order of their jobs
  readonly phase: Phase;
  readonly whole: boolean; // they are, or will be, all of its settings: not so after a stop, or while only the first were run
}

/** The first of a chapter's runs: they run when it is opened, and may answer its question by themselves. */
interface Smallest {
  readonly runs: number;
  readonly trials: number; // of which they are the first; 1 where they are no trial
}

/** What does a chapter's runs, and how far they are; once they are over, seconds is what they took. */
export interface Work<S, P> extends Progress {
  readonly run: Run<S, P> | null; // the last one that was started
  readonly starting: boolean; // a run was asked for, and what it consists of is not known yet
  readonly errors: readonly EngineError[]; // of single runs, unless they are results
  readonly waits?: boolean; // the settings ask for a file of the reader's that is not open
  /**
   * Starts the runs of these settings in place of those before, or as many of them as first returns.
   * Resolves when they are over or stopped, with false if none began; rejects with an EngineFailure if there is nothing to run.
   */
  start(settings: S, first?: (run: Run<S, P>) => number): Promise<boolean>;
  /** Runs what the first have left. */
  finish?(): Promise<void>;
  stop(): void;
  pause?(): void;
  resume?(): void;
  /** The runs that settings ask for; none where they are no cells of a query. */
  jobs(settings: S): Promise<readonly Job[]>;
  /** Lets go of all that it holds. */
  close(): void;
  /** Whether other settings than these are shown, for a reason that the settings do not tell. */
  differs?(): boolean;
  /** Prepares what can be shown of the reader's settings before they are run. */
  show?(settings: S): void;
}

/** What readers have brought to the page that chapters use. */
export interface Brought {
  readonly table: Table | null;
  readonly sky: File | null;
}

/** What a chapter draws from. */
export interface Shown<S, P = null> {
  readonly run: Run<S, P>; // before the first: the present settings, without tracks
  readonly values: S; // the present settings
  readonly revealed: boolean; // the reader has answered, or wants to be told: before that, the picture must not tell
  readonly stale: boolean; // they are others than those of the run
  readonly look: string; // the choice of the chapter's switch
  readonly position: number; // of what readers move in the picture; 0 at first, and in no address
  readonly own: string; // the present settings, as an address has them
  readonly pool: Pool;
  readonly view: View;
  readonly framed: boolean; // the chapter stands alone, in a page of somebody else's
  readonly brought: Brought;
  readonly work: Work<S, P>;
  readonly failed: EngineError | null; // why there is no run
  /** Changes a setting. */
  change(key: string, value: Value): void;
  /** Changes the position. */
  move(position: number): void;
  /** Changes several at once. */
  changeAll(changes: Partial<S>): void;
  /** Runs again under the present settings, once the reader has seen a run. */
  rerun(): void;
  /** Draws again: something that is no setting has changed. */
  redraw(): void;
}

/** A switch of what is shown of a run; it changes no run. */
interface Look {
  readonly name: string; // of the select's class
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
  readonly initial: string;
}

/**
 * A chapter: S are its settings, P is what its work knows before the first run
 * (its plan) and R what its numbers are read into. All but the pictures is pure.
 */
export interface Chapter<S extends Common = Common, P = unknown, R = unknown> {
  readonly id: Id;
  readonly words: Words;
  readonly settings: Settings<S>;
  /** Settings on which no run depends: they only change what is shown. */
  readonly display?: readonly string[];
  readonly look?: Look;
  work(pool: Pool, notify: () => void): Work<S, P>;
  /** The first runs, in the order of the jobs; null where all are needed. The others run once the reader has answered. */
  smallest?(run: Run<S, P>): Smallest | null;
  /** Smaller settings to run when the chapter is opened, where the first runs of its own would take too long. All others run when the reader asks for them. */
  first?(settings: S): S;
  /** The chapter's numbers, of all runs or of the first. */
  read(run: Run<S, P>): R;
  /** The guess that the numbers support; null if they are inconclusive. */
  answer(numbers: R): string | null;
  /** A sentence with the numbers that decide it; empty without an answer. */
  reason?(numbers: R): Phrase;
  /** What the run says, once it is over. Its numbers are handed in. look is the choice of the chapter's switch. */
  told(numbers: R, look: string): Phrase;
  /** At most two short paragraphs that explain it. What the run says then stands in the details; without this it stands in their place. */
  explains?(numbers: R): readonly Phrase[];
  /** Whether a run that was stopped says something, too. */
  readonly partial?: boolean;
  /** What a run will take. */
  cost(shown: Shown<S, P>): string;
  /** How the numbers that are shown were made. */
  live(run: Run<S, P>): string;
  picture(numbers: R, shown: Shown<S, P>): TemplateResult;
  /** Behind "Details": tables, formulas. */
  details?(shown: Shown<S, P>, numbers: R): TemplateResult;
  /** Under the picture. */
  controls?(shown: Shown<S, P>): TemplateResult;
  /** Behind "Details", too: follow-ups. */
  after?(numbers: R, shown: Shown<S, P>): TemplateResult;
  /** What is to be seen at once behind "Details", which opens for each anew; null for nothing. */
  unfolds?(shown: Shown<S, P>): unknown;
  /** The settings that follow from a change of key. */
  adjust?(settings: S, before: S, key: string): S;
  /** The settings of an address, made fit, and what is to be said of that. */
  repair?(settings: S): { readonly settings: S; readonly notices: readonly Notice[] };
  /** The inputs that these settings leave a choice of; all without it. */
  inputs?(settings: S): readonly Input[];
  /** The settings as a form of the chapter's own. */
  form?(shown: Shown<S, P>): TemplateResult;
  /** The question and its answers, where they depend on what is run. */
  asks?(shown: Shown<S, P>): Pick<Words, "question" | "guesses">;
  /** What is over of a run that is on, and what a run took; the usual sentences without it. */
  readonly progress?: { soFar(shown: Shown<S, P>): string; finished(over: number, of: number, seconds: number): string };
  /** What the first part of the work says, where it is no number of tracks. */
  early?(run: Run<S, P>): Run<S, P> | null;
  /** For what is saved of it: whose numbers they are. */
  saved?(shown: Shown<S, P>): { readonly name: string; readonly label: string } | null;
  /** Why homework of this run is only collected; "" where it is marked. */
  collected?(settings: S): string;
  /** Seconds of one engine that a run takes, where it is no cells of a query. */
  seconds?(settings: S): number;
}

/** Declares a chapter. Its title and its question come with its id. */
export function chapter<S extends Common, P, R>(declared: Omit<Chapter<S, P, R>, "words"> & { readonly words: Omit<Words, "title" | "question"> }): Chapter<S, P, R> {
  return { ...declared, words: { ...declared.words, title: titles[declared.id], question: questions[declared.id] } };
}

/** The settings in a link's form, without those that have their initial values. */
export function written({ settings }: Chapter, values: Common): string {
  return write(settings.fields, values as unknown as Written);
}

/** The settings of a link's form, what of it could not be used, and the pairs that are no settings. */
export function parsed(chapter: Chapter, own: string): { readonly values: Common; readonly notices: readonly Notice[]; readonly rest: readonly Pair[] } {
  const given = pairs(own);
  const { settings, notices, rest } = read(chapter.settings.fields, given);
  const values = settings as unknown as Common;
  const { settings: repaired, notices: repairs } = chapter.repair?.(values) ?? { settings: values, notices: [] };
  return { values: repaired, notices: [...notices.filter(({ key }) => !repairs.some((repair) => repair.key === key)), ...repairs, ...repeated(chapter.settings.fields, given)], rest };
}

/** The settings of a hand-in in their shortest form, and the keys of what could not be used. */
export function shortest(chapter: Chapter, own: string): { readonly own: string; readonly unused: readonly string[] } {
  const { values, notices, rest } = parsed(chapter, unguessed(own));
  return { own: written(chapter, values), unused: [...notices.map(({ key }) => key), ...rest.map(([key]) => key)] };
}

/** Formulas, each a line of its own, which a reader can scroll where the page is narrow. */
export function formulary(...lines: readonly TemplateResult[]): TemplateResult {
  return html`<div class="formulas" tabindex="0" role="group" aria-label=${strings.formulas}>${lines}</div>`;
}
