// What a run of a chapter found, apart from how it looks: what a student hands in
// of it, and what the same settings must find again.
import type { EngineError } from "../../engine/protocol.js";
import type { Pool } from "../../engine/pool.js";
import type { Quantity } from "../../text/phrase.js";
import type { View } from "../../state/view.js";
import type { Track } from "./runner.js";

/** A run by all that it takes to run it again, and the digest of what it recorded. */
export interface Ran {
  readonly query: string;
  readonly cell: number;
  readonly digest: string; // as engine/digest.ts has it, of all records; behind it the kind of the error that ended it, if one did
}

export interface Account {
  readonly own: string; // the settings that differ from the initial ones, as the address has them
  readonly answer: string | null; // the guess that the numbers bear out, null where they decide nothing
  readonly numbers: readonly Quantity[]; // that the chapter says
  readonly runs: readonly Ran[]; // none of a chapter whose runs are no cells of a query
  readonly tracks: readonly Track[];
}

/** A chapter's element, as who collects accounts sees it. */
export interface Accounting extends HTMLElement {
  pool: Pool;
  view: View;
  /** The answers that there are to choose from. */
  readonly options: Readonly<Record<string, string>>;
  /** Of the run that is shown; null before it is over, and where it was stopped. */
  readonly account: Account | null;
  /** The same settings in their shortest form, in the order of the chapter, and what of them could not be used. */
  settle(own: string): { readonly own: string; readonly unused: readonly string[] };
  /** The runs that settings ask for; none where they are no cells of a query. Of an element that is on no page, as replay. */
  planned(own: string): Promise<readonly Omit<Ran, "digest">[]>;
  /** Runs under these settings. null where it was halted. Rejects with an EngineFailure where there is nothing to run. */
  replay(own: string): Promise<Account | null>;
  /** How many of its runs are over. */
  readonly over: number;
  halt(): void;
  /** Lets go of all that it holds. */
  disconnectedCallback(): void;
}

/** How a run ended, behind its digest. */
export function fate(error: EngineError | null): string {
  return error ? ` ${error.kind}` : "";
}
