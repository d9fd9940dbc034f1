// K-fold cross-validation: what is done before the models of a table are trained,
// fold by fold, wherever an engine is free. core/folds.go says what is chosen.
import type { Round } from "../engine/calls.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, FoldRidge, Found } from "../engine/protocol.js";
import { append, create, type Series } from "./series.js";

const SLICE = 80; // ms of a call for records

/** One cell on one fold. */
export interface Folded {
  readonly cell: number; // of the query
  readonly fold: number; // that validates, from 0
  readonly series: Series; // grows on
}

/** What is searched. */
interface Search {
  readonly query: string;
  readonly opened: Opened;
  readonly folds: number;
  readonly trials: number;
  readonly models: number;
}

export class Folds {
  private all: Folded[] = [];
  private chosen = new Map<number, Found>();

  /** ready resolves once work may go on. */
  constructor(
    private readonly pool: Pool,
    private readonly changed: () => void,
    private readonly ready: () => Promise<void>,
  ) {}

  /** By cell, and by fold, as far as they have begun. */
  snapshot(): readonly Folded[] {
    return this.all;
  }

  /** What all folds of a cell have found, by cells. */
  get found(): ReadonlyMap<number, Found> {
    return this.chosen;
  }

  forget(): void {
    this.all = [];
    this.chosen = new Map();
  }

  /** Does all folds of all cells. Who does them, and in which order, changes no bit of what is found. Resolves when all are done, or one has failed, which is told, or the round is over. */
  async find(round: Round, { query, opened, folds, trials, models }: Search, failed: (error: EngineError) => void): Promise<void> {
    const ridge = Array.from({ length: trials }, (): (FoldRidge | undefined)[] => Array.from({ length: folds }));
    let error = false;
    const each = (parts: number, work: (part: number, fold: number, lease: ReturnType<Pool["lease"]>) => Promise<void>): Promise<void> => {
      const tasks = Array.from({ length: parts * folds }, (_, i) => [Math.floor(i / folds), i % folds] as const);
      const fail = (_: unknown, detail: EngineError): void => {
        error = true;
        failed(detail);
      };
      return round.each(tasks, this.pool.spread(opened), () => this.pool.lease(opened), ([part, fold], lease) => this.ready().then(() => work(part, fold, lease)), fail, () => !error);
    };
    await each(trials, async (trial, fold, lease) => {
      const table = await round.ask(lease, () => lease.table());
      const found = await round.ask(lease, (engine) => engine.weigh(query, trial, fold, table));
      ridge[trial]?.splice(fold, 1, found);
    });
    const known = ridge.map((of) => of.filter((one) => one !== undefined));
    if (error || round.over) return;
    await each(trials * models, async (cell, fold, lease) => {
      const series = create(await round.start(lease, query, cell, { fold, found: { ridge: known[Math.floor(cell / models)] ?? [], errors: [] } }));
      const own = { cell, fold, series };
      this.all = [...this.all.filter((other) => other.cell !== cell || other.fold !== fold), own].sort((a, b) => a.cell - b.cell || a.fold - b.fold);
      while (!round.over && !series.done) {
        await this.ready();
        append(series, await round.ask(lease, (engine) => engine.next(series.started.run, SLICE)));
        this.changed();
      }
    });
    if (error || round.over) return;
    for (let cell = 0; cell < trials * models; cell++) {
      const errors = this.all.filter((one) => one.cell === cell).map(({ series: { starts, valid } }) => ({ starts, valid }));
      this.chosen.set(cell, { ridge: known[Math.floor(cell / models)] ?? [], errors });
    }
  }
}
