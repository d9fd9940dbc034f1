// What a lecturer asks of a class: one query, which an address has under the name
// homework and a hand-in repeats, so that neither needs anything stored.
import { Digest } from "../engine/digest.js";
import type { Account } from "../lesson/chapter/account.js";
import type { Chapter as Definition } from "../lesson/chapter/definition.js";
import { escape, pairs, read, type Field } from "../state/spec.js";
import { chapters, unguessed, type Chapter, type Parts } from "../state/view.js";
import { clean, plainName } from "./handin.js";

export interface Assignment {
  readonly title: string;
  readonly chapters: readonly Chapter[]; // in the order of the lesson; none: no assignment
  readonly settings: Parts; // of those chapters, without guesses
  readonly seed: number; // from which each student's follows; 0: every student has those of the settings
  readonly words: boolean; // wanted, for each chapter
}

export const MOST_TITLE = 80; // characters
const MOST_SETTINGS = 1000; // characters of a chapter's
export const MOST_SEED = 2 ** 31 - 1;

const fields: readonly Field[] = [
  { key: "chapters", kind: "names", default: "", min: 0, max: 0, options: [] },
  { key: "seed", kind: "int", default: "0", min: 0, max: MOST_SEED, options: [] },
  { key: "words", kind: "choice", default: "1", min: 0, max: 0, options: ["0", "1"] },
];

/** Reads what an address or a hand-in says. Never fails: what is not known is left out. null where no chapter is asked for. */
export function readAssignment(query: string): Assignment | null {
  const { settings, rest } = read(fields, pairs(query));
  const asked = settings["chapters"] as readonly string[];
  const list = chapters.filter((chapter) => asked.includes(chapter));
  if (list.length === 0) return null;
  const of = (key: string): string => rest.findLast(([found]) => found === key)?.[1] ?? "";
  const own = Object.fromEntries(list.map((chapter) => [chapter, unguessed(of(chapter).slice(0, MOST_SETTINGS))]));
  return { title: clean(of("title"), MOST_TITLE).text, chapters: list, settings: own, seed: settings["seed"] as number, words: settings["words"] === "1" };
}

/** The query of an assignment, in one form: equal assignments have equal queries. */
export function writeAssignment({ title, chapters: list, settings, seed, words }: Assignment): string {
  const parts = [
    title === "" ? "" : `title=${escape(title)}`,
    `chapters=${list.join(",")}`,
    seed === 0 ? "" : `seed=${seed}`,
    words ? "" : "words=0",
    ...list.map((chapter) => (settings[chapter] ? `${chapter}=${escape(settings[chapter])}` : "")),
  ];
  return parts.filter((part) => part !== "").join("&");
}

/** A chapter's settings with another seed; NaN leaves them as they are. */
export function seeded(own: string, seed: number): string {
  if (Number.isNaN(seed)) return own;
  return [...own.split("&").filter((pair) => pair !== "" && !pair.startsWith("seed=")), `seed=${seed}`].join("&");
}

const SEEDS = 999_999; // short enough to tell somebody

/** A student's seed, 1 to 999,999, or NaN without a name: FNV-1a of the assignment's seed and the name, in any case and spacing. */
export function seedOf(assignment: number, name: string): number {
  const plain = plainName(name);
  if (plain === "") return Number.NaN;
  const digest = new Digest();
  digest.text(`${assignment}:${plain}`);
  return 1 + (Number.parseInt(digest.hex.slice(-13), 16) % SEEDS);
}

export function namesIn(text: string): string[] {
  const names = text.split(/[\r\n]+/).map((line) => line.trim());
  const plain = names.map(plainName);
  return names.filter((_, i) => plain[i] !== "" && plain.indexOf(plain[i] ?? "") === i);
}

/** Names of a list that have the same seed as one before them. */
export function clashes(assignment: number, names: readonly string[]): string[] {
  const seeds = names.map((name) => seedOf(assignment, name));
  return names.filter((_, i) => seeds.indexOf(seeds[i] ?? 0) < i);
}

export type Chapters = Readonly<Record<Chapter, Definition>>;

/** What the run of a chapter on this page gave; null before it is over. */
export function accountOnPage(chapter: Chapter): Account | null {
  const lesson = document.querySelector<HTMLElement & { account(chapter: Chapter): Account | null }>("ifm-lesson");
  return lesson?.account(chapter) ?? null;
}

export function guessIn({ words }: Definition, key: string): string {
  return words.guesses[key] ?? key;
}
