// Trains every cell of a Spec on the pool: starts them, pulls their records at
// the pace asked for, looks at what they have learnt, stops them.
import { Round, type Lease } from "../engine/calls.js";
import { EngineFailure, isGone, type Engine } from "../engine/engine.js";
import { after } from "../engine/pending.js";
import type { Opened, Pool } from "../engine/pool.js";
import { changed } from "../engine/changed.js";
import type { Classes, EngineError, Matrix, Measure, ModelFile, Predictions, Quadratic } from "../engine/protocol.js";
import { parse } from "../state/spec.js";
import { Folds } from "./folds.js";
import { perDeviation } from "./model.js";
import { Reasons, type Chosen } from "./reasons.js";
import { append, create, lines, trials, type Model, type Series } from "./series.js";
import { Studies } from "./studies.js";
import { fitted, type Beside, type Ghost, type Look, type Phase, type Training } from "./training.js";

interface Cell {
  readonly index: number; // in the query
  readonly lease: Lease;
  readonly series: Series;
  pulled: number; // records
  seen: number; // records when its pictures were last asked for
  nextLook: number; // ms, on performance.now()'s clock
}

const LOOK_EVERY = 200; // ms at the least
export const MATRIX = 1000; // features of a table at most for its interactions to be shown
const BURST = 12; // iterations behind the pace from which they are pulled by time, not one by one

/** Whether there is a model to look at: candidates that fail at once leave none. */
function learning({ series }: Cell): boolean {
  return series.test.some((error) => !Number.isNaN(error));
}

export class Trainer {
  private round = new Round(); // of the run that is on, or was last
  private phase: Phase = "idle";
  private query = "";
  private version = "";
  private planned = 1; // trials
  private cells: Cell[] = [];
  private truth: Matrix | null = null;
  private matrices = new Map<Model, Matrix>();
  private predictions = new Map<Model, Predictions>();
  private classes = new Map<Model, Classes>();
  private models = new Map<Model, ModelFile>();
  private quadratics = new Map<number, Quadratic | EngineError | null>(); // by trial; null: asked for
  private readonly folds: Folds;
  private readonly studies: Studies;
  private readonly reasons: Reasons;
  private error: EngineError | null = null;
  private slow = false;
  private ghost: (Ghost & { readonly opened: Opened | null; readonly target: string; readonly measure: Measure }) | null = null;
  private opened: Opened | null = null; // whose rows it trains on
  private repeated = false;
  private latest: Training | null = null; // null: to be taken anew

  private rate = 75; // iterations a second
  private played = 0; // iterations that were due when the clock last stopped
  private since = 0; // when it last started
  private steps = 0; // iterations granted while paused
  private watched = false; // the figure's predictions are looked at beside its interactions
  private readonly wake = new Set<() => void>();

  constructor(
    private readonly pool: Pool,
    private readonly look: Look,
    private readonly notify: () => void,
  ) {
    this.folds = new Folds(pool, () => this.changed(), () => this.unpaused());
    this.studies = new Studies(pool, () => this.changed());
    this.reasons = new Reasons(pool, () => this.changed());
  }

  /** The same object until something has changed: who draws one run does not draw the other's again. */
  snapshot(): Training {
    this.latest ??= this.take();
    return this.latest;
  }

  private changed(): void {
    this.latest = null;
    this.notify();
  }

  private take(): Training {
    const all = this.cells.map((cell) => cell.series);
    const studied = this.studies.snapshot();
    return {
      phase: this.phase,
      query: this.query,
      version: this.version,
      series: all,
      folds: this.folds.snapshot(),
      started: this.cells[0]?.series.started ?? null,
      planned: this.planned,
      trials: trials(all, new Map([...this.quadratics].flatMap(([trial, one]) => (fitted(one) ? [[trial, one.error] as const] : []))), new Map([...studied.trees.answers].map(([trial, { error }]) => [trial, error]))),
      lines: lines(all, this.planned),
      truth: this.truth,
      matrices: new Map(this.matrices),
      predictions: new Map(this.predictions),
      classes: new Map(this.classes),
      models: new Map([...this.models].map(([model, file]) => [model, [...studied.intervals.answers.values()].find((own) => own.model === model)?.file ?? file])),
      quadratic: this.quadratics.get(0) ?? null,
      ...studied,
      reason: this.reasons.snapshot(),
      notices: [...new Set([...(this.opened && this.pool.stale(this.opened) ? [changed.stale(this.opened.file.name)] : []), ...this.cells.flatMap((cell) => cell.series.started.notes.map(({ text }) => text))])],
      error: this.error,
      slow: this.slow,
      ghost: this.visible(),
      repeated: this.repeated,
    };
  }

  /** Trains every cell of the query, on opened when its rows come from a table. Resolves when all are done or stopped. */
  async start(query: string, opened: Opened | null, rate: number, paused: boolean): Promise<void> {
    this.stop();
    const round = new Round();
    this.keepGhost(query, opened);
    this.forget();
    Object.assign(this, { round, query, opened, planned: parse(query).spec.trials, steps: 0, played: 0 });
    this.rate = rate;
    this.enter(paused ? "paused" : "starting");
    const info = await round.one(() => this.pool.lease(opened), (lease) => round.ask(lease, (engine) => engine.info(query)), (error) => this.fail(error));
    if (!info) return;
    const { cells } = info;
    this.version = info.version;
    this.slow = info.body === "go";
    const models = cells / this.planned; // always side by side
    const { folds } = parse(query).spec;
    if (opened && folds > 1) {
      if (this.phase === "starting") this.enter("running");
      await this.folds.find(round, { query, opened, folds, trials: this.planned, models }, (error) => this.fail(error));
      if (round.over) return;
      if (this.folds.found.size < cells) {
        this.pool.settle(opened);
        this.enter("failed");
        return;
      }
      if (this.phase === "running") this.enter("starting");
    }
    const engines = this.pool.spread(opened);
    const lanes = Math.min(cells, this.planned > 1 ? models * engines : Math.max(engines, models));
    const homes = new Map<number, Engine>(); // of the trials
    const place = (cell: number): Lease => {
      // Several trials go to an engine each, where the models share their rows; one alone goes to all.
      const trial = Math.floor(cell / models);
      const lease = this.pool.lease(opened, this.planned > 1 ? homes.get(trial) : undefined);
      homes.set(trial, lease.engine);
      return lease;
    };
    const awaited = this.planned > 1 ? lanes : 1; // who comes later catches up; but a mean over trials would shrink
    const begun = new Set<number>();
    const began = (cell: number): void => {
      if (cell < lanes) begun.add(cell);
      if (begun.size < awaited || this.phase !== "starting") return;
      this.since = performance.now();
      this.enter("running");
    };
    const failed = (cell: number, error: EngineError): void => {
      this.fail(error);
      began(cell);
    };
    await round.each(Array.from({ length: cells }, (_, cell) => cell), lanes, place, (cell, lease) => this.train(round, cell, lease, () => began(cell)), failed);
    if (opened) this.pool.settle(opened);
    if (round.over) return;
    const trained = this.cells.some(learning);
    this.enter(trained ? "done" : "failed");
    if (trained && opened) await this.studies.begin({ opened, query: this.query, planned: this.planned, found: this.folds.found }, () => round.over);
  }

  /** Begins or ends what is studied beside the models. */
  study(what: Beside, go: boolean): void {
    const { opened, query, planned } = this;
    if (!go) this.studies.study(what, null);
    else if (opened && this.phase === "done") this.studies.study(what, { opened, query, planned, found: this.folds.found });
  }

  /** Says why a model that is trained predicts what it does for a row; null: no longer. */
  explain(chosen: Chosen | null): void {
    const file = chosen && this.models.get(chosen.model);
    if (chosen && file && this.opened) void this.reasons.ask(chosen, this.opened, file);
    else this.reasons.close();
  }

  /** Keeps the run that ends as the ghost of the one that begins. A repeated run keeps the ghost it had. */
  private keepGhost(query: string, opened: Opened | null): void {
    const all = lines(this.cells.map((cell) => cell.series), this.planned);
    this.repeated = this.cells.length > 0 && query === this.query && opened === this.opened;
    if (!this.repeated && all.some((line) => line.iteration.length > 1 || line.done)) {
      this.ghost = { query: this.query, lines: all, opened: this.opened, target: this.cells[0]?.series.started.target ?? "", measure: this.cells[0]?.series.started.measure ?? "rmse" };
    }
    if (this.ghost?.query === query || this.ghost?.opened !== opened) this.ghost = null;
  }

  /** The ghost, unless its errors are those of another target, or of another measure. */
  private visible(): Ghost | null {
    const started = this.cells[0]?.series.started;
    return this.ghost && started && this.ghost.target === started.target && this.ghost.measure === started.measure ? this.ghost : null;
  }

  play(): void {
    if (this.phase !== "paused") return;
    this.since = performance.now();
    this.steps = 0;
    this.enter("running");
  }

  pause(): void {
    if (this.phase !== "running" && this.phase !== "starting") return;
    this.played = this.reached();
    this.enter("paused");
  }

  /** One iteration more of every cell that is not done. Pauses. */
  step(): void {
    this.pause();
    if (this.phase !== "paused") return;
    this.played = Math.max(...this.cells.filter((cell) => !cell.series.done).map((cell) => cell.pulled), 0);
    this.steps = this.played + 1;
    this.awaken();
  }

  /** Whether the figure's predictions are looked at while it trains. */
  watch(wanted: boolean): void {
    this.watched = wanted;
    for (const cell of this.cells) cell.seen = 0; // what is shown belongs to the iteration where it stands
    this.awaken();
  }

  /** Iterations a second from now on. */
  pace(rate: number): void {
    this.played = this.reached();
    this.since = performance.now();
    this.rate = rate;
    this.awaken();
  }

  /** Ends the run and forgets what it has shown. */
  reset(): void {
    this.stop();
    this.forget();
    this.ghost = null;
    if (this.phase !== "idle") this.enter("idle");
  }

  private forget(): void {
    this.folds.forget();
    this.studies.forget();
    this.reasons.forget();
    Object.assign(this, { cells: [], error: null, query: "", truth: null, matrices: new Map(), predictions: new Map(), classes: new Map(), models: new Map(), quadratics: new Map() });
  }

  /** Ends the run; what it has shown stays. A worker that does not come back from a call is ended too. */
  stop(): void {
    if (this.phase === "idle") return;
    const active = this.phase === "starting" || this.phase === "running" || this.phase === "paused";
    this.round.end();
    this.studies.stop();
    if (active) this.enter("stopped");
    else this.awaken();
  }

  private async train(round: Round, index: number, lease: Lease, began: () => void): Promise<void> {
    const series = create(await round.start(lease, this.query, index, { fold: -1, found: this.folds.found.get(index) ?? null }));
    const cell: Cell = { index, lease, series, pulled: 0, seen: 0, nextLook: 0 };
    this.cells = [...this.cells.filter((other) => other.index !== index), cell].sort((a, b) => a.index - b.index);
    if (this.look === "interaction" && series.started.trial === 0 && !this.truth) {
      this.truth = await round.ask(lease, (engine) => engine.ask(series.started.run, "truth"));
    }
    began();
    while (!round.over && !series.done) await this.pull(round, cell);
    if (!round.over && this.look === "predictions") await this.compare(round, cell);
  }

  /** One call for records, or a wait until there is a reason for one. */
  private async pull(round: Round, cell: Cell): Promise<void> {
    const lag = (this.phase === "running" ? this.due() : this.phase === "paused" ? Math.max(this.steps, this.foremost()) : this.steps) - cell.pulled;
    if (cell.pulled > 0 && !(lag >= 1)) {
      if (this.phase === "paused" && cell.seen < cell.pulled) { // what is shown belongs to the iteration where it stands
        await this.see(round, cell);
        this.changed();
        return;
      }
      await this.sleep(this.phase === "running" ? Math.min(100, Math.max(4, ((1 - lag) / this.rate) * 1000)) : Number.POSITIVE_INFINITY);
      return;
    }
    const ms = this.phase !== "running" || lag < BURST ? 0 : this.rate === Number.POSITIVE_INFINITY ? 80 : 30;
    const records = await round.ask(cell.lease, (engine) => engine.next(cell.series.started.run, ms));
    append(cell.series, records);
    cell.pulled += records.iteration.length;
    const now = performance.now();
    if (records.done || now >= cell.nextLook) {
      await this.see(round, cell);
      const took = performance.now() - now;
      cell.nextLook = performance.now() + Math.max(LOOK_EVERY, 10 * took);
    }
    if (this.phase === "paused") this.awaken(); // the others come level with it
    this.changed();
  }

  /** Where the cells of the figure meet when they are paused: at the iteration of the foremost that goes on. */
  private foremost(): number {
    if (this.look !== "interaction" || this.planned > 1) return 0; // the candidates of a table have no common iteration
    return Math.max(0, ...this.cells.filter((cell) => !cell.series.done).map((cell) => cell.pulled));
  }

  /** Asks for quadratic ridge on the rows of a cell that is done, once a trial. A run without it is a run all the same. */
  private async compare(round: Round, { lease, series }: Cell): Promise<void> {
    const { run, trial } = series.started;
    if (this.quadratics.has(trial)) return;
    this.quadratics.set(trial, null);
    let found: Quadratic | EngineError;
    try {
      found = await round.ask(lease, (engine) => engine.ask(run, "quadratic"));
    } catch (reason) {
      if (isGone(reason)) this.quadratics.delete(trial); // the cell is trained again, and asks again
      if (!(reason instanceof EngineFailure) || round.over || isGone(reason)) throw reason;
      found = reason.detail;
    }
    this.quadratics.set(trial, found);
    this.changed();
  }

  private async see(round: Round, cell: Cell): Promise<void> {
    const { lease } = cell;
    const { run, model, trial, features, classes } = cell.series.started;
    cell.seen = cell.pulled;
    if (trial > 0 || !learning(cell)) return;
    if (this.look === "interaction") {
      this.matrices.set(model, await round.ask(lease, (engine) => engine.ask(run, "interaction")));
      if (!this.watched && !cell.series.done) return; // those at the end are kept for who looks later
    }
    this.predictions.set(model, await round.ask(lease, (engine) => engine.ask(run, "predictions")));
    if (!cell.series.done || this.look === "interaction") return;
    const told = classes ? await round.ask(lease, (engine) => engine.ask(run, "classes")) : null;
    if (told) this.classes.set(model, told);
    const file = await round.ask(lease, (engine) => engine.ask(run, "model"));
    const matrix = features.length <= MATRIX ? await round.ask(lease, (engine) => engine.ask(run, "interaction")) : null;
    if (!classes) this.studies.effort += (await round.ask(lease, (engine) => engine.ask(run, "effort"))).work;
    this.models.set(model, file);
    if (matrix) this.matrices.set(model, perDeviation(matrix, file));
  }

  private fail(error: EngineError): void {
    this.error ??= error; // what fails next may follow from it
    if (this.cells.length === 0) this.enter("failed");
    this.changed();
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.awaken();
    this.changed();
  }

  /** Where the clock stands when it is stopped: no debt is carried over. */
  private reached(): number {
    return Math.min(this.due(), Math.max(0, ...this.cells.map((cell) => cell.pulled)) + 1);
  }

  /** Iterations that the pace has asked for so far. */
  private due(): number {
    if (this.phase !== "running") return this.played;
    const seconds = (performance.now() - this.since) / 1000;
    return this.played + (seconds > 0 ? seconds * this.rate : 0);
  }

  /** Resolves once it is not paused. */
  private async unpaused(): Promise<void> {
    while (this.phase === "paused") await this.sleep(Number.POSITIVE_INFINITY);
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.wake.delete(wake);
        cancel?.();
        resolve();
      };
      this.wake.add(wake);
      const cancel = ms < Number.POSITIVE_INFINITY ? after(ms, wake) : undefined;
    });
  }

  private awaken(): void {
    for (const wake of [...this.wake]) wake();
  }
}
