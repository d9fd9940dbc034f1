// Sweeps over the same points, a model each: their cells, and the runs of a point.
import type { Pool } from "../../engine/pool.js";
import type { Point } from "../../engine/protocol.js";
import type { Planned } from "./cells.js";
import type { Job, Track } from "./runner.js";

/** The cells of some sweeps; a trial of every point comes before the next trial. The plan is the points. */
export async function sweep(pool: Pool, queries: readonly string[], trials: number): Promise<Planned<readonly Point[]>> {
  const { points } = await pool.call("info", { query: queries[0] ?? "" });
  const ofTrial = (trial: number): Job[] => points.flatMap(({ n, k }, point) => queries.map((query): Job => ({ query, cell: point * trials + trial, weight: n * k })));
  return { jobs: Array.from({ length: trials }, (_, trial) => ofTrial(trial)).flat(), plan: points };
}

/** The trials at a point, by its number, of one of so many sweeps. */
export function trialsAt(tracks: readonly Track[], points: readonly Point[], at: number, of: number, sweep: number): Track[] {
  return tracks.filter((_, i) => i % (of * points.length) === of * at + sweep);
}

/** The number of the point with so many rows, in units of d·k, and this rank or τ, but for rounding; −1 where there is none. */
export function pointAt(points: readonly Point[], ratio: number, along: "k" | "tau", value: number): number {
  return points.findIndex((point) => point.ratio === ratio && Math.abs(point[along] - value) <= 1e-9 * Math.max(1, value));
}
