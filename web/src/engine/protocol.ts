// What the page and its engines tell each other: the types of wasm/protocol, whose doc
// describes the protocol, and what the worker adds to some.
import type { Choice } from "../packed/piece.js";
import type * as engine from "./protocol.gen.js";

export type * from "./protocol.gen.js";

export interface EngineError extends engine.Failure {
  readonly choice?: Choice; // of kind "ChoiceError": once it is made the file can be read
}

export interface Table extends engine.Table {
  readonly choices?: readonly Choice[]; // which of the tables in the file this is
  readonly fixed?: readonly ("separator" | "header" | "charset")[]; // settings that the kind of the file leaves no choice of
}

export interface Readings {
  readonly open: Table;
  readonly sky: engine.Sky; // of an IONEX file or a table of pierce points
}
