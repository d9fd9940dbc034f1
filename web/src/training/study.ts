// What is studied of a table's run beside its models, once they are trained. It
// is done slice by slice, can be stopped, and begun anew.
import { answerOf } from "../engine/calls.js";
import type { Engine } from "../engine/engine.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, FoldRidge, CrossValidation, Intervals, Logged, Pairs, Trees } from "../engine/protocol.js";
import { blank, run, type Track } from "../engine/run.js";
import { parse } from "../state/spec.js";

const SLICE = 80; // ms of a call
const ADDITION = 3.3e-9; // s that growing trees takes for one to a histogram
const PRODUCT = 5e-9; // s that the test of pairs takes for a multiply-add
const FIT = 7e-9; // s that a refit takes for a multiply-add
const SHORT = 15; // s that intervals may take without being asked for
const SOON = 5; // s that the trees of all trials may take without being asked for; the pairs twice as many

export interface Studied<Answer> {
  readonly state: "idle" | "offered" | "going" | "done" | "stopped" | "failed"; // offered: it takes long, and waits to be asked for
  readonly seconds: number; // that it may take, roughly; 0: not known
  readonly answers: ReadonlyMap<number, Answer>; // the last of each run that has begun, by its place
  readonly error: EngineError | null;
}

/** What can be studied, unless it is done unasked. */
export type PostStudy = "trees" | "pairs" | "intervals";

export interface Findings {
  readonly trees: Studied<Trees>;
  readonly pairs: Studied<Pairs>; // on the rows of the first trial
  readonly intervals: Studied<Intervals>; // the same, of every model
  readonly logged: Logged | null; // the same; null: not known
}

/** The run that is studied: runs of their own start on its rows. */
export interface Subject {
  readonly query: string;
  readonly planned: number; // trials
  readonly opened: Opened;
  readonly crossValidations: ReadonlyMap<number, CrossValidation>; // by the folds of each cell; empty without folds
}

interface Kind<Answer> {
  readonly slice: (engine: Engine, run: number) => Promise<Answer>;
  readonly cells: (models: number, trials: number) => number[]; // of the query, on whose rows it is
  readonly seconds?: (answer: Answer) => number; // that the whole may take, by what has come
}

class Study<Answer extends { readonly done: boolean }> {
  studied: Studied<Answer> = { state: "idle", seconds: 0, answers: new Map(), error: null };
  private ending = new AbortController();

  constructor(
    private readonly pool: Pool,
    private readonly changed: () => void,
    private readonly kind: Kind<Answer>,
  ) {}

  offer(seconds: number): void {
    this.update({ state: "offered", seconds });
  }

  /** Asks until all is done; what would take more than `most` seconds is offered instead. */
  async begin({ query, opened, planned, crossValidations }: Subject, most = Number.POSITIVE_INFINITY): Promise<void> {
    this.ending.abort();
    const ending = (this.ending = new AbortController());
    const { slice, cells, seconds = () => 0 } = this.kind;
    this.update({ state: "going", answers: new Map(), error: null });
    await this.pool.each(opened, [...cells(parse(query).spec.models.length, planned).entries()], {
      signal: ending.signal,
      work: async ([at, cell], lease) => {
        const { run } = await lease.start(query, cell, { fold: -1, crossValidation: crossValidations.get(cell) ?? null });
        for (let done = false; !done; ) {
          const answer = await lease.ask((engine) => slice(engine, run));
          if (seconds(answer) > most) {
            ending.abort();
            return this.update({ state: "offered", seconds: seconds(answer), answers: new Map() });
          }
          done = answer.done;
          this.update({ answers: new Map(this.studied.answers).set(at, answer) });
        }
      },
      failed: (_, error) => this.update({ error }),
    });
    if (!ending.signal.aborted) this.update({ state: this.studied.error ? "failed" : "done" });
  }

  /** Ends it where it is going. A worker that does not come back from its slice is ended too. */
  stop(): void {
    this.ending.abort();
    if (this.studied.state === "going") this.update({ state: "stopped" });
  }

  private update(some: Partial<Studied<Answer>>): void {
    this.studied = { ...this.studied, ...some };
    this.changed();
  }
}

export class Studies {
  private readonly trees: Study<Trees>;
  private readonly pairs: Study<Pairs>;
  private readonly intervals: Study<Intervals>;
  private readonly logged: Study<Logged & { readonly done: true }>;

  constructor(
    private readonly pool: Pool,
    changed: () => void,
  ) {
    const first = (): number[] => [0];
    this.trees = new Study(pool, changed, { slice: (engine, run) => engine.call("trees", { run, ms: SLICE }), cells: (models, trials) => Array.from({ length: trials }, (_, trial) => trial * models) });
    this.pairs = new Study(pool, changed, { slice: (engine, run) => engine.call("pairs", { run, ms: SLICE }), cells: first, seconds: ({ work }) => work * PRODUCT });
    this.intervals = new Study(pool, changed, { slice: (engine, run) => engine.call("intervals", { run, ms: SLICE }), cells: (models) => [...Array.from({ length: models }).keys()] });
    this.logged = new Study(pool, changed, { slice: async (engine, run) => ({ ...(await engine.call("log", { run })), done: true }), cells: first });
  }

  snapshot(): Findings {
    return { trees: this.trees.studied, pairs: this.pairs.studied, intervals: this.intervals.studied, logged: this.logged.studied.answers.get(0) ?? null };
  }

  /**
   * Begins what does not take long, and offers the rest. effort is the multiply-adds of all
   * intervals; 0: there are none to make.
   */
  async begin(run: Subject, effort: number, signal: AbortSignal): Promise<void> {
    const { opened, planned, query } = run;
    void this.logged.begin(run);
    void this.pairs.begin(run, 2 * SOON);
    const fits = effort * FIT;
    if (fits > SHORT) this.intervals.offer(fits);
    else if (fits > 0) void this.intervals.begin(run);
    const { result: plan } = await answerOf(this.pool.callOn(opened, "plan", { query })); // without one the engine is gone since the training, and another may grow them
    this.pool.settle(opened); // which may have been read again for it
    if (signal.aborted) return;
    const seconds = plan ? plan.trees * planned * ADDITION : 0;
    if (plan?.treesQuick && (planned === 1 || seconds <= SOON)) await this.trees.begin(run);
    else this.trees.offer(seconds);
  }

  study(what: PostStudy, run: Subject | null): void {
    if (run) void this[what].begin(run);
    else this[what].stop();
  }

  stop(): void {
    for (const study of [this.trees, this.pairs, this.intervals, this.logged]) study.stop();
  }
}

interface How {
  readonly signal: AbortSignal;
  readonly ready: () => Promise<void>; // resolves once work may go on
  readonly changed: (tracks: readonly Track[]) => void;
  readonly failed: (error: EngineError) => void; // aborts the signal
}

/**
 * Trains all folds of all cells. Resolves with the results, by cells; with less
 * after an abort. The order changes no bit.
 */
export async function crossValidate(pool: Pool, query: string, opened: Opened, { signal, ready, changed, failed }: How): Promise<ReadonlyMap<number, CrossValidation>> {
  const { folds, trials, models: { length: models } } = parse(query).spec;
  const each = <T>(parts: number, of: (part: number, fold: number) => T): T[] => Array.from({ length: parts * folds }, (_, i) => of(Math.floor(i / folds), i % folds));
  const ridge: FoldRidge[][] = Array.from({ length: trials }, () => []);
  await pool.each(opened, each(trials, (trial, fold) => [trial, fold] as const), {
    signal,
    ready,
    work: async ([trial, fold], lease) => {
      const table = await lease.table();
      const errors = await lease.call("weigh", { query, trial, fold, table });
      Object.assign(ridge[trial] ?? [], { [fold]: errors });
    },
    failed: (_, error) => failed(error),
  });
  if (signal.aborted) return new Map();
  const ridgeOf = (cell: number): FoldRidge[] => ridge[Math.floor(cell / models)] ?? [];
  const jobs = each(trials * models, (cell, fold) => ({ query, cell, table: opened, on: { fold, crossValidation: { ridge: ridgeOf(cell), errors: [] } } }));
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
  const crossValidationOf = (cell: number): CrossValidation => ({ ridge: ridgeOf(cell), errors: tracks.slice(cell * folds, (cell + 1) * folds).map(({ starts, valid }) => starts.map((from, i) => Float64Array.from(valid.slice(from, starts[i + 1])))) });
  return new Map(Array.from({ length: trials * models }, (_, cell) => [cell, crossValidationOf(cell)]));
}
