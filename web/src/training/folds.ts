// K-fold cross-validation: what is done before the models of a table are trained,
// fold by fold, wherever an engine is free. core/folds.go says what is chosen.
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, FoldRidge, Found } from "../engine/protocol.js";
import { blank, run, type Track } from "../engine/run.js";

const SLICE = 80; // ms of a call for records

/** What is cross-validated. */
interface Search {
  readonly query: string;
  readonly opened: Opened;
  readonly folds: number;
  readonly trials: number;
  readonly models: number;
}

interface How {
  readonly signal: AbortSignal;
  readonly ready: () => Promise<void>; // resolves once work may go on
  readonly changed: (tracks: readonly Track[]) => void;
  readonly failed: (error: EngineError) => void; // aborts the signal
}

/**
 * Does all folds of all cells, and resolves with what they have found, by cells;
 * with less if the signal is aborted. Who does them, and in which order, changes
 * no bit of it.
 */
export async function crossValidate(pool: Pool, { query, opened, folds, trials, models }: Search, { signal, ready, changed, failed }: How): Promise<ReadonlyMap<number, Found>> {
  const each = <T>(parts: number, of: (part: number, fold: number) => T): T[] => Array.from({ length: parts * folds }, (_, i) => of(Math.floor(i / folds), i % folds));
  const ridge: FoldRidge[][] = Array.from({ length: trials }, () => []);
  await pool.each(opened, each(trials, (trial, fold) => [trial, fold] as const), {
    signal,
    ready,
    work: async ([trial, fold], lease) => {
      const table = await lease.table();
      const found = await lease.call("weigh", { query, trial, fold, table });
      Object.assign(ridge[trial] ?? [], { [fold]: found });
    },
    failed: (_, error) => failed(error),
  });
  if (signal.aborted) return new Map();
  const ridgeOf = (cell: number): FoldRidge[] => ridge[Math.floor(cell / models)] ?? [];
  const jobs = each(trials * models, (cell, fold) => ({ query, cell, table: opened, on: { fold, found: { ridge: ridgeOf(cell), errors: [] } } }));
  const tracks = await run<Track>(pool, jobs, {
    signal,
    create: blank,
    pace: () => ready().then(() => SLICE),
    changed: (all) => {
      changed(all);
      const error = all.find((track) => track.error)?.error;
      if (error) failed(error);
    },
  });
  const foundOf = (cell: number): Found => ({ ridge: ridgeOf(cell), errors: tracks.slice(cell * folds, (cell + 1) * folds).map(({ starts, valid }) => starts.map((from, i) => Float64Array.from(valid.slice(from, starts[i + 1])))) });
  return new Map(Array.from({ length: trials * models }, (_, cell) => [cell, foundOf(cell)]));
}
