// What a run shows of itself.
import type { Opened } from "../engine/pool.js";
import type { Classes, EngineError, Importance, Matrix, ModelFile, Predictions, Quadratic, Started } from "../engine/protocol.js";
import type { Line, Model, Series, Trial } from "./series.js";
import type { Findings } from "./study.js";

export type Run = "figure" | "table";

export type Command = "play" | "pause" | "step" | "again" | "stop";

export type Phase = "idle" | "starting" | "running" | "paused" | "done" | "stopped" | "failed";

/** The run before this one, as far as it came, in the same units. */
export interface Ghost {
  readonly query: string;
  readonly lines: readonly Line[];
}

/** What the panels draw: a snapshot, never changed after it was made. */
export interface Training extends Findings {
  readonly phase: Phase;
  readonly query: string; // the settings it runs under
  readonly version: string; // of the engine; "" before it has answered
  readonly series: readonly Series[]; // all records: these grow on
  readonly folds: readonly Series[]; // cells on the folds that have begun, where folds choose; these grow on, too
  readonly started: Started | null; // of the first cell
  readonly planned: number; // trials
  readonly trials: readonly Trial[]; // that have come so far, and of a single one those on other splits, once there are enough of them to tell
  readonly lines: readonly Line[];
  readonly truth: Matrix | null;
  // All below is of the first trial. On a table matrices are per standard deviation, and come with the models at the end.
  readonly matrices: ReadonlyMap<Model, Matrix>;
  readonly predictions: ReadonlyMap<Model, Predictions>;
  readonly classes: ReadonlyMap<Model, Classes>; // of a table whose target has classes, once a model is trained
  readonly importance: ReadonlyMap<Model, Importance>; // of a table's columns, at the end
  readonly models: ReadonlyMap<Model, ModelFile>; // with their intervals, once these are made
  readonly quadratic: Quadratic | EngineError | null; // of a table; null: not yet
  readonly opened: Opened | null; // the table that it is on
  readonly notices: readonly string[];
  readonly error: EngineError | null;
  readonly slow: boolean; // the engine runs without SIMD
  readonly ghost: Ghost | null; // the last run with other settings
  readonly repeated: boolean; // the same settings as the run before: the same data, the same start
}

const IDLE = { state: "idle", seconds: 0, answers: new Map<number, never>(), error: null } as const;

/** What has come of the studies of a run that is not over. */
export const UNSTUDIED: Findings = { trees: IDLE, pairs: IDLE, intervals: IDLE, everyRow: IDLE, splits: IDLE, logged: null, shownClass: 0 };

/** Whether a target has more than two classes: a prediction is the probability of the row's own class. */
export function isMany(started: Pick<Started, "classes"> | null): boolean {
  return (started?.classes?.length ?? 0) > 2;
}

/** Whether quadratic ridge has been fitted: it may be on its way, or have failed. */
export function fitted(quadratic: Quadratic | EngineError | null | undefined): quadratic is Quadratic {
  return !!quadratic && "predicted" in quadratic;
}

/** What to look at while training, apart from the records; on predictions' side the model too, once it is trained. */
export type Look = "interaction" | "predictions";
