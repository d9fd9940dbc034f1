// What a run of a chapter found, apart from how it looks: what a student hands in
// of it, and what the same settings must find again.
import type { EngineError } from "../../engine/protocol.js";
import type { Quantity } from "../../text/phrase.js";
import type { Track } from "./runner.js";

/** A run by all that it takes to run it again, and the digest of what it recorded. */
export interface Ran {
  readonly query: string;
  readonly cell: number;
  readonly digest: string; // as engine/digest.ts has it, of all records; behind it the kind of the error that ended it, if one did
}

export interface Account {
  readonly own: string; // the settings that differ from the initial ones, as the address has them
  readonly answer: string | null; // the guess that the numbers support; null if they are inconclusive
  readonly numbers: readonly Quantity[]; // that the chapter says
  readonly runs: readonly Ran[]; // none of a chapter whose runs are no cells of a query
  readonly tracks: readonly Track[];
}

/** How a run ended, behind its digest. */
export function fate(error: EngineError | null): string {
  return error ? ` ${error.kind}` : "";
}
