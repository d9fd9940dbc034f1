// The text of a table in pieces, however its file holds it.
import type { Source } from "./source.js";

/** A part of the text; without bytes only how far the reading is. */
export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly loaded: number; // of the file's bytes, so far
}

export type Pieces = AsyncIterator<Piece, void, void>;

/** Hears how far the search for the text is, and throws where it shall stop. */
export type Heed = (loaded: number) => Promise<void>;

/** Which of a zip's files or of a workbook's sheets is the table. */
export interface Choice {
  readonly key: "member" | "sheet"; // a setting
  readonly names: readonly string[];
  readonly chosen: string; // one of them, "" while nobody has chosen
}

/** What a reader may answer of a file before it is unpacked: a note of the engine. */
interface Question {
  readonly topic: "file";
  readonly columns: readonly string[];
  readonly cells: number;
  readonly text: string;
  readonly ask: boolean;
  readonly answers: readonly { readonly label: string; readonly key: "keep"; readonly value: string; readonly now: boolean }[];
}

/** What those settings say; "" where they say nothing. */
export type Wanted = Readonly<Record<Choice["key"], string>>;

export type Notice = string | Question;

export interface Unpacked {
  readonly name: string; // without the ending of what it was packed by
  readonly settings: string; // of reading that the file itself gives, as a query
  readonly choices: readonly Choice[]; // those that there were
  readonly notices: readonly Notice[]; // complete once the pieces are over
  readonly pieces: Pieces;
}

/** Why a file cannot be read, in a sentence without its name; with a choice it can be, once that is made. */
export class Fault extends Error {
  override readonly name = "Fault";
  constructor(
    message: string,
    readonly choice?: Choice,
  ) {
    super(message);
  }
}

export interface Most {
  readonly text: number; // that one file unpacks to
  readonly held: number; // at once: a nested archive, a part of a workbook, a column of a row group
}

export const MOST: Most = { text: 2 ** 31, held: 2 ** 29 };

export const SLICE = 2 << 20; // bytes read at a time

export async function* slices(file: Source): AsyncGenerator<Piece, void, void> {
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer());
    yield { bytes, loaded: at + bytes.length };
  }
}

export async function bytesOf(file: Source, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(from, to).arrayBuffer());
}

export function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((c, i) => bytes[i] === c.charCodeAt(0));
}
