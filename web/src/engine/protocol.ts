// What crosses between the page and its engines: what wasm/protocol declares, and
// what the worker adds on the way.
import type { Choice } from "../packed/piece.js";
import type { Failure, Table as ReadTable } from "./protocol.gen.js";

export type * from "./protocol.gen.js";

export interface EngineError extends Failure {
  readonly choice?: Choice; // of kind "ChoiceError": once it is made the file can be read
}

export interface Table extends ReadTable {
  readonly choices?: readonly Choice[]; // which of the tables in the file this is
  readonly fixed?: readonly ("separator" | "header" | "charset")[]; // settings that the kind of the file leaves no choice of
}
