// What a sweep is that was run elsewhere. Types alone.
import type { Point } from "../../engine/protocol.js";
import type { Spec } from "../../state/spec.js";
import type { Model } from "../../training/series.js";

/** A cell of a sweep that was trained elsewhere. */
export interface Run {
  readonly query: string; // of its link
  readonly point: number; // of the link's sweep
  readonly trial: number;
  readonly model: Model;
  readonly test: number; // at its end, as the two below; NaN where there is none
  readonly w: number; // ‖w − w*‖/‖w*‖
  readonly m: number; // ‖M − M*‖/‖M*‖
  readonly refused: string; // why the solver refused it; "": it did not
}

/** A link of a sweep, with the points that it asks for: its own settings, where it sweeps nothing. */
export interface Link {
  readonly spec: Spec;
  readonly points: readonly Point[];
}

export interface Sweep {
  readonly name: string; // of its file
  readonly version: string; // of the program that ran it
  readonly here: string; // that of this page's engine
  readonly runs: readonly Run[];
  readonly links: ReadonlyMap<string, Link>; // by their queries
}
