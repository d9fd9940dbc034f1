import type { Progress } from "../engine/messages.js";
import type { Opened } from "../engine/pool.js";
import type { EngineError, Plan, Table } from "../engine/protocol.js";
import type { SavedModel } from "../model/prediction.js";
import type { Chosen } from "../panel/choice.js";
import { tableQuery } from "../state/groups.js";
import { initial, type Spec } from "../state/spec.js";
import type { View } from "../state/view.js";

export interface Guess {
  readonly target: string;
  readonly sure: boolean; // false: the reader is asked
}

export interface Planned {
  readonly plan: Plan | null;
  readonly planned: Spec | null; // the settings that the plan is for
}

export interface Loaded extends Planned {
  readonly reading: (Progress & { readonly name: string }) | null;
  readonly table: Table | null;
  readonly opened?: Opened; // the table in its engine
  readonly failed: { readonly name: string; readonly error: EngineError; readonly file?: File; readonly which?: Chosen } | null; // the last file, when it could not be used
  readonly offered: File | null; // one of like columns: opened, or joined with the open table?
  readonly note: string;
  readonly guess: Guess | null; // null once the reader or a link has named the target
  readonly planError: EngineError | null;
  readonly model: SavedModel | null; // from a file
}

export const empty: Loaded = { reading: null, table: null, failed: null, offered: null, note: "", guess: null, plan: null, planned: null, planError: null, model: null };

/** Whether a link's settings are about a reader's table that has not been opened yet. */
export function awaited(spec: Spec, view: View, loaded: Loaded): boolean {
  return spec.source === "table" && view.sample === "none" && loaded.table === null && tableQuery(spec) !== tableQuery({ ...initial, source: "table" });
}

export function planFor({ plan, planned }: Planned, spec: Spec): Plan | null {
  return planned === spec ? plan : null;
}

/** What training waits for: answers that its numbers depend on, or a word about a target that was guessed. */
export function waitsFor({ table, guess }: Pick<Loaded, "table" | "guess">): "answers" | "target" | "nothing" {
  if (table && table.asks > 0) return "answers";
  return guess && !guess.sure ? "target" : "nothing";
}
