// What a sweep is that was run elsewhere. Types alone.
import type { Point } from "../../engine/protocol.js";
import type { Notice, Spec } from "../../state/spec.js";
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

/** A link of a sweep, with its points; none if it sweeps nothing. */
export interface Link {
  readonly spec: Spec;
  readonly points: readonly Point[];
}

/** A cell of a sweep over the ionosphere, worked out elsewhere: a day without one of its stations. */
export interface Absence {
  readonly query: string; // of its link
  readonly day: number; // as the next, from 0
  readonly station: number;
  readonly windows: number; // that the sums are of
  readonly unusable: number; // windows
  readonly reason: string; // of the first of those; "": there are none
  readonly differences: number;
  readonly zero: number; // Σy² over all test differences, m²
  readonly squares: Readonly<Record<string, number>>; // Σ(y − ŷ)² by method, m²; a sum that is no number is left out
}

/** What a link to the ionosphere names. */
interface Net {
  readonly methods: readonly string[];
  readonly days: readonly string[];
  readonly stations: readonly string[];
}

/** That, and what of the link was not used as it stands. */
export interface Named extends Net {
  readonly notices: readonly Notice[];
}

/** A link of a sweep over the ionosphere. */
export interface SkyLink extends Net {
  readonly part: string; // the chapter's settings, as an address has them
}

/** What a merged file holds: runs, absences, or both. */
export interface Sweep {
  readonly name: string; // of its file
  readonly version: string; // of the program that ran it
  readonly here: string; // that of this page's engine
  readonly runs: readonly Run[];
  readonly links: ReadonlyMap<string, Link>; // by their queries
  readonly absences: readonly Absence[];
  readonly skies: ReadonlyMap<string, SkyLink>; // likewise
}
