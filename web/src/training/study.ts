// What is studied of a table's run beside its models, once they are trained. It
// is done slice by slice, can be stopped, and begun anew.
import { answerOf } from "../engine/calls.js";
import type { Engine } from "../engine/engine.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, EveryRow, FoldRidge, CrossValidation, Intervals, Logged, Pairs, Trees } from "../engine/protocol.js";
import { blank, run, type Job, type Track } from "../engine/run.js";
import { encode, parse } from "../state/spec.js";
import { forecast } from "./forecast.js";
import { begun, trials, type Trial } from "./series.js";

const SLICE = 80; // ms of a call
const ADDITION = 3.3e-9; // s that growing trees takes for one to a histogram
const PRODUCT = 5e-9; // s that the test of pairs takes for a multiply-add
const FIT = 7e-9; // s that a refit takes for a multiply-add
const SHORT = 15; // s that intervals may take without being asked for
const SOON = 5; // s that the trees of all trials may take without being asked for; the pairs twice as many
const SPLITS = 10; // of a run that repeats, its own among them
const REPEATED = 30; // s that its other splits may take without being asked for

export interface Studied<Answer> {
  readonly state: "idle" | "offered" | "going" | "done" | "stopped" | "failed"; // offered: it takes long, and waits to be asked for
  readonly seconds: number; // that it may take, roughly; 0: not known
  readonly answers: ReadonlyMap<number, Answer>; // the last of each run that has begun, by its place
  readonly error: EngineError | null;
}

/** What can be studied, unless it is done unasked. */
export type PostStudy = "trees" | "pairs" | "intervals" | "splits" | "everyRow";

export interface Findings {
  readonly trees: Studied<Trees>;
  readonly pairs: Studied<Pairs>; // on the rows of the first trial
  readonly intervals: Studied<Intervals>; // the same, of every model
  readonly splits: Studied<Trial>; // test errors on other splits of the rows
  readonly everyRow: Studied<EveryRow>; // the same, on all rows; only when it is asked for
  readonly logged: Logged | null; // of the first trial; null: not known
  readonly shownClass: number; // of more than two, whose matrices are shown
}

/** The run that is studied: runs of their own start on its rows. */
export interface Subject {
  readonly query: string;
  readonly planned: number; // trials
  readonly opened: Opened;
  readonly crossValidations: ReadonlyMap<number, CrossValidation>; // by the folds of each cell; empty without folds
}

interface Work<Answer> {
  readonly signal: AbortSignal;
  readonly come: (at: number, answer: Answer) => void;
  readonly failed: (error: EngineError) => void;
  readonly isLong: (seconds: number) => boolean; // whether it takes too long; then it is offered, and ends
}

type Kind<Answer> = (subject: Subject, work: Work<Answer>) => Promise<unknown>;

class Study<Answer> {
  studied: Studied<Answer> = { state: "idle", seconds: 0, answers: new Map(), error: null };
  private ending = new AbortController();

  constructor(
    private readonly changed: () => void,
    private readonly kind: Kind<Answer>,
  ) {}

  offer(seconds: number): void {
    this.update({ state: "offered", seconds });
  }

  /** Asks until all is done; what would take more than `most` seconds is offered instead. */
  async begin(subject: Subject, most = Number.POSITIVE_INFINITY): Promise<void> {
    this.ending.abort();
    const ending = (this.ending = new AbortController());
    const { signal } = ending;
    this.update({ state: "going", answers: new Map(), error: null });
    await this.kind(subject, {
      signal,
      come: (at, answer) => {
        if (signal.aborted) return;
        const answers = new Map(this.studied.answers).set(at, answer);
        this.update({ answers: new Map([...answers].sort(([a], [b]) => a - b)) }); // whatever comes first, sums are the same
      },
      failed: (error) => this.update({ error }),
      isLong: (seconds) => {
        if (seconds <= most) return false;
        ending.abort();
        this.update({ state: "offered", seconds, answers: new Map() });
        return true;
      },
    });
    if (!signal.aborted) this.update({ state: this.studied.error ? "failed" : "done" });
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

/** What is asked slice by slice of runs of their own, on the rows of these cells of the query. */
function sliced<Answer extends { readonly done: boolean }>(pool: Pool, slice: (engine: Engine, run: number) => Promise<Answer>, cells: (models: number, trials: number) => number[], seconds: (answer: Answer) => number = () => 0): Kind<Answer> {
  return ({ query, opened, planned, crossValidations }, { signal, come, failed, isLong }) =>
    pool.each(opened, [...cells(parse(query).spec.models.length, planned).entries()], {
      signal,
      work: async ([at, cell], lease) => {
        const { run } = await lease.start(query, cell, { fold: -1, crossValidation: crossValidations.get(cell) ?? null });
        for (let done = false; !done; ) {
          const answer = await lease.ask((engine) => slice(engine, run));
          if (isLong(seconds(answer))) return;
          done = answer.done;
          come(at, answer);
        }
      },
      failed: (_, error) => failed(error),
    });
}

/**
 * Trains on other splits all that has been compared on the run's own: trials of the same settings.
 * A split that cannot be trained is left out.
 */
async function repeat(pool: Pool, { query, opened }: Subject, isGrown: boolean, { signal, come, failed }: Work<Trial>): Promise<void> {
  const { spec } = parse(query);
  const models = spec.models.length;
  const trees = new Map<number, number>(); // their errors
  const jobs = Array.from({ length: models * (SPLITS - 1) }, (_, i): Job => {
    const cell = models + i;
    return { query: encode({ ...spec, trials: SPLITS }), cell, table: opened, group: `${Math.floor(cell / models)}`, asks: cell % models === 0 ? ["quadratic"] : [] };
  });
  const known = new Set<number>();
  const tracks = await run<Track>(pool, jobs, {
    signal,
    create: blank,
    look: async ({ job: { cell }, started, done }, lease) => {
      if (!done || !started || !isGrown || cell % models > 0) return;
      for (let answer: Trees | null = null; !answer?.done; ) {
        answer = await lease.ask((engine) => engine.call("trees", { run: started.run, ms: SLICE }));
        if (answer.done) trees.set(started.trial, answer.error);
      }
    },
    changed: (tracks) => {
      for (let at = 0; at < tracks.length; at += models) {
        const [trial] = trials(begun(tracks.slice(at, at + models).filter(isOver)), trees);
        if (!trial || known.has(at) || !tracks.slice(at, at + models).every(isOver) || (isGrown && Number.isNaN(trial.trees))) continue;
        known.add(at);
        come(at, trial);
      }
    },
  });
  const error = tracks.find(({ error }) => error)?.error;
  if (known.size === 0 && error) failed(error);
}

/** Whether a job has answered all that it asks for. */
function isOver({ job: { asks = [] }, done, error, quadratic }: Track): boolean {
  return done && !error && (asks.length === 0 || quadratic !== null);
}

export class Studies {
  private readonly trees: Study<Trees>;
  private readonly pairs: Study<Pairs>;
  private readonly intervals: Study<Intervals>;
  private readonly everyRow: Study<EveryRow>;
  private readonly logged: Study<Logged & { readonly done: true }>;
  private readonly splits: Study<Trial>;
  private shownClass = 0; // the last that was asked for

  constructor(
    private readonly pool: Pool,
    private readonly changed: () => void,
  ) {
    const first = (): number[] => [0];
    this.trees = new Study(changed, sliced(pool, (engine, run) => engine.call("trees", { run, ms: SLICE }), (models, trials) => Array.from({ length: trials }, (_, trial) => trial * models)));
    this.pairs = new Study(changed, sliced(pool, (engine, run) => engine.call("pairs", { run, ms: SLICE }), first, ({ work }) => work * PRODUCT));
    const models = (n: number): number[] => [...Array.from({ length: n }).keys()];
    this.intervals = new Study(changed, sliced(pool, (engine, run) => engine.call("intervals", { run, ms: SLICE }), models));
    this.everyRow = new Study(changed, sliced(pool, (engine, run) => engine.call("everyRow", { run, ms: SLICE, intervals: this.intervals.studied.state === "done" }), models));
    this.logged = new Study(changed, sliced(pool, async (engine, run) => ({ ...(await engine.call("log", { run })), done: true }), first));
    this.splits = new Study(changed, (subject, work) => repeat(pool, subject, this.trees.studied.state === "done", work));
  }

  /** Asks for the interactions of one of more than two classes, as the models of these cells have them. */
  async showClass(cells: readonly Track[], shown: number): Promise<void> {
    this.shownClass = shown;
    this.changed();
    for (const cell of cells) {
      const { result } = cell.model ? await answerOf(this.pool.call("describe", { model: cell.model.bytes, class: shown }, "table")) : { result: null };
      if (result && this.shownClass === shown) Object.assign(cell, { interaction: result.interaction });
    }
    this.changed();
  }

  snapshot(): Findings {
    return { trees: this.trees.studied, pairs: this.pairs.studied, intervals: this.intervals.studied, everyRow: this.everyRow.studied, splits: this.splits.studied, logged: this.logged.studied.answers.get(0) ?? null, shownClass: this.shownClass };
  }

  /**
   * Begins what does not take long, and offers the rest. effort is the multiply-adds of all
   * intervals; 0: there are none to make.
   */
  async begin(run: Subject, effort: number, signal: AbortSignal): Promise<void> {
    const { opened, planned, query } = run;
    const logged = this.logged.begin(run);
    const pairs = this.pairs.begin(run, 2 * SOON);
    const fits = effort * FIT;
    if (fits > SHORT) this.intervals.offer(fits);
    else if (fits > 0) void this.intervals.begin(run);
    const { result: plan } = await answerOf(this.pool.callOn(opened, "plan", { query })); // without one the engine is gone since the training, and another may grow them
    this.pool.settle(opened); // which may have been read again for it
    if (signal.aborted) return;
    const seconds = plan ? plan.trees * planned * ADDITION : 0;
    if (plan?.treesQuick && (planned === 1 || seconds <= SOON)) await this.trees.begin(run);
    else this.trees.offer(seconds);
    await Promise.all([logged, pairs]);
    const { spec } = parse(query);
    if (signal.aborted || !plan || planned > 1 || spec.folds > 1 || spec.split === "time" || plan.hasTests) return; // the last rows in time are always the same, and those of a second file
    const others = (SPLITS - 1) * (forecast(plan, spec, 1).seconds + seconds);
    if (others > REPEATED) this.splits.offer(others);
    else await this.splits.begin(run);
  }

  study(what: PostStudy, run: Subject | null): void {
    if (!run) return this[what].stop();
    void this[what].begin(run).then(() => {
      const are = [this.trees, this.splits].every(({ studied: { state } }) => state === "done");
      if (what === "trees" && are) void this.splits.begin(run); // with trees on each
    });
  }

  stop(): void {
    for (const study of [this.trees, this.pairs, this.intervals, this.everyRow, this.logged, this.splits]) study.stop();
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
