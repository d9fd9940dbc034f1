// What a student hands in: one JSON text, which is the file, and packed the link.
import type { Account, Ran } from "../lesson/chapter/account.js";
import { inflated } from "../packed/inflate.js";
import { MemorySource } from "../packed/source.js";
import { chapters, type Chapter } from "../state/view.js";
import { faults } from "./strings.js";

const FORMAT = "ifm-lab.hand-in";
const FORMAT_VERSION = 1;
export const MOST_BYTES = 1 << 20; // of a hand-in
export const MOST_NAME = 120; // characters
export const MOST_WORDS = 4000; // characters, of a chapter's
const MOST_QUERY = 4000; // characters
const MOST_RUNS = 5000; // of a chapter
const MOST_NUMBERS = 300;

/** A number that a chapter says; null if its run diverged. */
type Said = readonly [whose: string, value: number | null];

/** What is handed in of one chapter. One that was not run has neither numbers nor runs. */
export interface Part {
  readonly chapter: Chapter;
  readonly own: string;
  readonly guess: string; // the first one; "" without
  readonly then: string; // the last one, where the mind was changed
  readonly ran: boolean;
  readonly answer: string | null;
  readonly numbers: readonly Said[];
  readonly runs: readonly Ran[];
  readonly words: string;
}

export type ReplayResult = Pick<Part, "answer" | "numbers" | "runs">;

export interface HandIn {
  readonly version: string;
  readonly assignment: string; // its query; "" without
  readonly student: string;
  readonly parts: readonly Part[];
}

export interface Fault {
  readonly fault: string;
}

export function writeHandIn(handIn: HandIn): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...handIn, parts: handIn.parts.map((part) => ({ ...part, runs: part.runs.map(({ query, cell, digest }) => [query, cell, digest]) })) })}\n`;
}

/** Reads the text of a file, which anybody may have written. Hidden characters are left out of names and words, and noted. */
export function readHandIn(text: string): { readonly handIn: HandIn; readonly notes: readonly string[] } | Fault {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { fault: faults.noJSON };
  }
  if (!isObject(found) || found["format"] !== FORMAT) return { fault: faults.other };
  if (found["formatVersion"] !== FORMAT_VERSION) return { fault: faults.format(short(found["formatVersion"])) };
  const { version, assignment, student, parts } = found;
  if (typeof version !== "string" || typeof assignment !== "string" || typeof student !== "string" || !Array.isArray(parts)) return { fault: faults.field("version, assignment, student, parts") };
  if (assignment.length > MOST_QUERY * chapters.length) return { fault: faults.field("assignment") };
  const notes: string[] = [];
  const name = clean(student.replaceAll("\n", " "), MOST_NAME);
  if (name.changed) notes.push(faults.hidden);
  const read: Part[] = [];
  for (const one of parts as unknown[]) {
    const part = readPart(one);
    if ("fault" in part) return part;
    if (read.some(({ chapter }) => chapter === part.chapter)) return { fault: faults.twice(part.chapter) };
    read.push(part);
  }
  return { handIn: { version: clean(version, 40).text, assignment, student: name.text, parts: read }, notes };
}

function readPart(found: unknown): Part | Fault {
  if (!isObject(found)) return { fault: faults.field("parts") };
  const { chapter: name, own, guess, then, ran, answer, numbers, runs, words } = found;
  const chapter = chapters.find((one) => one === name);
  if (!chapter) return { fault: faults.chapter(short(name)) };
  if (typeof own !== "string" || own.length > MOST_QUERY || typeof guess !== "string" || typeof then !== "string" || typeof words !== "string" || typeof ran !== "boolean" || !(answer === null || typeof answer === "string")) return { fault: faults.field(`${chapter}: own, guess, then, words, ran, answer`) };
  if (!Array.isArray(numbers) || numbers.length > MOST_NUMBERS || !numbers.every(isSaid)) return { fault: faults.field(`${chapter}: numbers`) };
  if (!Array.isArray(runs) || runs.length > MOST_RUNS || !runs.every(isRan)) return { fault: faults.field(`${chapter}: runs`) };
  const key = (text: string): string => clean(text, 40).text;
  return { chapter, own, guess: key(guess), then: key(then), ran, answer: answer === null ? null : key(answer), numbers, runs: runs.map(([query, cell, digest]) => ({ query, cell, digest })), words: clean(words, MOST_WORDS).text };
}

function isObject(found: unknown): found is Readonly<Record<string, unknown>> {
  return typeof found === "object" && found !== null && !Array.isArray(found);
}

function isSaid(found: unknown): found is Said {
  return Array.isArray(found) && found.length === 2 && typeof found[0] === "string" && (found[1] === null || typeof found[1] === "number");
}

function isRan(found: unknown): found is readonly [query: string, cell: number, digest: string] {
  return Array.isArray(found) && found.length === 3 && typeof found[0] === "string" && found[0].length <= MOST_QUERY && Number.isSafeInteger(found[1]) && typeof found[2] === "string" && found[2].length <= 100;
}

function short(found: unknown): string {
  return clean(typeof found === "object" && found !== null ? "…" : String(found), 40).text; // nesting may be too deep to write
}

/** The engine's numbers repeat to the last bit; what is computed from them here may differ in it between browsers. */
const CLOSE = 1e-9;

export function differing(handed: readonly Said[], found: readonly Said[]): string {
  if (handed.length !== found.length) return faults.counts(handed.length, found.length);
  for (const [i, [whose, value]] of found.entries()) {
    const [who, was] = handed[i] ?? ["", null];
    const same = value === null || was === null ? value === was : Math.abs(value - was) <= CLOSE * Math.max(Math.abs(value), Math.abs(was));
    if (who !== whose || !same) return faults.number(i + 1, clean(who, 20).text, was, whose, value);
  }
  return "";
}

/** What a run gave; null: it has not run. */
export function resultOf(account: Account | null): ReplayResult {
  const { answer = null, numbers = [], runs = [] } = account ?? {};
  return { answer, numbers: numbers.map(({ whose, value }) => [whose, Number.isFinite(value) ? value : null]), runs };
}

export const MARK = "handin="; // behind the #, which no browser sends to a server
const LINKS = /#handin=([A-Za-z0-9_-]+)/g;

export async function pack(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text again; null where it is damaged, cut short or too large. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    let size = 0;
    for await (const piece of inflated(new MemorySource(bytes), "deflate-raw")) {
      size += piece.bytes.length;
      if (size > MOST_BYTES) return null;
      text += decoder.decode(piece.bytes, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}

/** The hand-ins of all links in a text, each with the line that it stands on, from 1. */
export function linksIn(text: string): { readonly line: number; readonly packed: string }[] {
  return text.split(/\r\n|\r|\n/).flatMap((written, i) => [...written.matchAll(LINKS)].map(([, packed = ""]) => ({ line: i + 1, packed })));
}

// Controls but for line ends, what turns the direction of writing, and what is not seen at all.
const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text without hidden characters, of so many characters at most, and whether it had others. */
export function clean(text: string, most: number): { readonly text: string; readonly changed: boolean } {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", " ");
  const seen = lines.replace(HIDDEN, "");
  const kept = [...seen].slice(0, most).join("");
  return { text: kept.trim(), changed: kept !== lines };
}

/** A name as two spellings of it have it in common: small letters, one space between words. */
export function plainName(name: string): string {
  return clean(name, 200).text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
