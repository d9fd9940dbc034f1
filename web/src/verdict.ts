// What a finished run shows, judged by its test RMSE alone.
import type { Started } from "./protocol.js";
import { kept, type Line, type Model } from "./series.js";

export interface Standing {
  readonly whose: Model | "mean" | "ridge";
  readonly rmse: number;
}

/** All that was compared, the best first. */
export function standings(started: Started, lines: readonly Line[]): Standing[] {
  const all: Standing[] = [
    { whose: "mean", rmse: started.mean },
    { whose: "ridge", rmse: started.ridge },
    ...lines.map((line) => ({ whose: line.model, rmse: kept(line) })),
  ];
  return all.filter((s) => !Number.isNaN(s.rmse)).sort((a, b) => a.rmse - b.rmse);
}

/** The model to show: best on validation rows where there are some, never chosen by its test rows. */
export function leader(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>((best, line) => (best && !(line.valid < best.valid) ? best : line), undefined);
}

/** How FM and iFM end, on the truth of a scenario. */
export type Ending =
  | "stuck" // FM stays where a model without interactions is, iFM is far below
  | "halfway" // FM captures a part, iFM is far below
  | "ahead" // FM is far below iFM: its own assumption holds
  | "level";

/** Less than a tenth of the other's error counts as far below. */
export function ending(fm: number, ifm: number, ridge: number): Ending {
  if (ifm < fm / 10) return fm > 0.75 * ridge ? "stuck" : "halfway";
  return fm < ifm / 10 ? "ahead" : "level";
}

/** Differences in test RMSE below this share are no reason to prefer either. */
export const LEVEL = 0.01;
