// What a frame and the page around it say to each other.
import type { Measure } from "../engine/protocol.js";
import type { Notice } from "../state/spec.js";
import type { Whose } from "../text/phrase.js";
import type { Model } from "../training/series.js";
import type { Phase } from "../training/training.js";

/** The colours of a page: light, dark, or as the reader's system has them. */
export type Scheme = "light" | "dark" | "auto";

/** Tells the page in this frame which colours the page around it has; any page may, whenever they change. */
export interface Wear {
  readonly type: "ifm-lab.scheme";
  readonly scheme: Scheme;
}

/** Asks the page in this frame for a port's other end; the only message that it answers. */
export interface Connect {
  readonly type: "ifm-lab.connect";
  readonly version: 1;
}

export type Command = "play" | "pause" | "step" | "again";

/** What comes through the port. null takes a setting back to its default. */
export type ToFrame = { readonly type: "set"; readonly settings: Readonly<Record<string, string | null>> } | { readonly type: Command; readonly seed?: number | undefined };

export interface Iteration {
  readonly model: Model;
  readonly trial: number; // from 0
  readonly candidate: number; // from 0; on a table several are tried
  readonly rank: number;
  readonly lambda: number; // per row; of block ALS on a table that of the factors, in pseudo-rows
  readonly weights: number; // of block ALS on a table that of the weights, in pseudo-rows; else 0
  readonly hats: boolean; // numbers as piecewise-linear bases
  readonly iteration: number;
  readonly testRMSE: number | null; // target units, or of two classes the log-loss in nats, as the state’s measure says; null: not a number
  readonly validationRMSE: number | null; // null: no validation rows
}

/** What goes back. Runs count from 1; all records of a run come before the first of the next. */
export type FromFrame =
  | { readonly type: "ready"; readonly notices: readonly Notice[] }
  | { readonly type: "notices"; readonly notices: readonly Notice[] }
  | { readonly type: "height"; readonly height: number }
  | { readonly type: "record"; readonly run: number; readonly records: readonly Iteration[] }
  | { readonly type: "state"; readonly run: number; readonly phase: Phase; readonly iteration: number; readonly measure: Measure; readonly mean: number | null; readonly ridge: number | null }
  | { readonly type: "verdict"; readonly run: number; readonly sentence: string; readonly numbers: readonly { readonly of: Whose; readonly value: number }[] }
  | { readonly type: "error"; readonly message: string };
