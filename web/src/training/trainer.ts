// Trains every cell of a Spec on the pool: starts them, pulls their records at
// the pace asked for, looks at what they have learnt, stops them.
import { answerOf, inPlace, type Lease } from "../engine/calls.js";
import { changed } from "../engine/changed.js";
import { absent } from "../engine/engine.js";
import { after, during } from "../engine/pending.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, CrossValidation, Info, Started } from "../engine/protocol.js";
import { askAll, blank, run, type Job, type Track, type What } from "../engine/run.js";
import { partLost } from "../engine/strings.js";
import { parse } from "../state/spec.js";
import { FEWEST } from "./error.js";
import { perDeviation } from "./model.js";
import { alike, begun, lines, trials, type Model, type Series } from "./series.js";
import type { PostStudy, Studies, Subject } from "./study.js";
import { UNSTUDIED, type Ghost, type Look, type Phase, type Training } from "./training.js";

/** A cell of the query, and when it was looked at. */
interface Cell extends Track {
  lookedAt: number; // records when its pictures were last asked for
  nextLook: number; // ms, on performance.now()'s clock
  isCompared: boolean; // quadratic ridge was asked for on its rows
}

const LOOK_EVERY = 200; // ms at the least
export const MATRIX = 1000; // features of a table at most for its interactions to be shown
const BURST = 12; // iterations behind the pace from which they are pulled by time, not one by one

/** Whether there is a model to look at: candidates that fail at once leave none. */
function learning({ test }: Track): boolean {
  return test.some((error) => !Number.isNaN(error));
}

export class Trainer {
  private ending = new AbortController(); // of the run that is on, or was last
  private phase: Phase = "idle";
  private query = "";
  private info: Info | null = null; // of the last query that was answered
  private planned = 1; // trials
  private cells: readonly Cell[] = [];
  private folds: readonly Track[] = [];
  private crossValidations: ReadonlyMap<number, CrossValidation> = new Map(); // by the folds of each cell
  private studies: Studies | null = null; // of a table
  private error: EngineError | null = null;
  private ghost: (Ghost & Pick<Started, "target" | "measure"> & { readonly opened: Opened | null }) | null = null;
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
    private readonly shows: Look,
    private readonly notify: () => void,
  ) {}

  /** The same object until something has changed, so that a component can skip rendering. */
  snapshot(): Training {
    this.latest ??= this.take();
    return this.latest;
  }

  private changed(): void {
    this.latest = null;
    this.notify();
  }

  private take(): Training {
    const all = begun(this.cells);
    const first = all.filter(({ started }) => started.trial === 0);
    const of = <T>(answer: (cell: Series<Cell>) => T | null): ReadonlyMap<Model, T> => new Map(first.flatMap((cell) => [[cell.started.model, answer(cell)] as const]).filter((one): one is [Model, T] => one[1] !== null));
    const studied = this.studies?.snapshot() ?? UNSTUDIED;
    const intervals = [...studied.intervals.answers.values()];
    const { opened, ghost } = this;
    const own = trials(all, new Map([...studied.trees.answers].map(([trial, { error }]) => [trial, error])));
    const [{ started = null } = {}] = all;
    return {
      phase: this.phase,
      query: this.query,
      version: this.info?.version ?? "",
      series: all,
      folds: begun(this.folds),
      started,
      planned: this.planned,
      trials: this.planned === 1 && studied.splits.state !== "going" && studied.splits.answers.size + 1 >= FEWEST ? alike([...own, ...studied.splits.answers.values()]) : alike(own),
      lines: lines(all, this.planned),
      truth: all.find(({ truth }) => truth)?.truth ?? null,
      matrices: of(({ interaction }) => interaction),
      predictions: of(({ predictions }) => predictions),
      classes: of(({ classes }) => classes),
      importance: of(({ importance }) => importance),
      models: of(({ model: file, started: { model } }) => file && (intervals.find((own) => own.model === model)?.file ?? file)),
      quadratic: first.find(({ quadratic }) => quadratic)?.quadratic ?? null,
      ...studied,
      opened,
      notices: [...new Set([...(opened && this.pool.stale(opened) ? [changed.stale(opened.file.name)] : []), ...all.flatMap(({ started }) => started.notes.map(({ text }) => text))])],
      error: this.error,
      slow: this.info?.body === "go",
      ghost: ghost?.target === started?.target && ghost?.measure === started?.measure ? ghost : null, // errors of another target, or in another measure, are not comparable
      repeated: this.repeated,
    };
  }

  /** Trains every cell of the query, on the rows of opened if there is one. Resolves when all are done or stopped. */
  async start(query: string, opened: Opened | null, rate: number, paused: boolean): Promise<void> {
    this.stop();
    this.keepGhost(query, opened);
    this.forget();
    const ending = new AbortController();
    const { signal } = ending;
    const { folds, trials: planned } = parse(query).spec;
    Object.assign(this, { ending, query, opened, planned, rate, steps: 0, played: 0 });
    this.enter(paused ? "paused" : "starting");
    const { result: info, error } = await answerOf(inPlace(signal, () => this.pool.lease(opened), (lease) => lease.call("info", { query })));
    if (signal.aborted) return;
    if (error) return this.fail(error);
    const beside = opened && (await during(import("./study.js")).catch(() => null)); // the figure needs none of it
    if (signal.aborted) return;
    if (opened && !beside) return this.fail(absent(partLost)); // the next start asks for it again
    if (beside) this.studies = new beside.Studies(this.pool, () => this.changed());
    const { cells } = (this.info = info);
    const models = cells / planned; // always side by side
    if (beside && opened && folds > 1) {
      if (this.phase === "starting") this.enter("running");
      const follow = (tracks: readonly Track[]): void => {
        this.folds = tracks;
        this.changed();
      };
      this.crossValidations = await beside.crossValidate(this.pool, query, opened, { signal, ready: () => this.unpaused(), changed: follow, failed: (error) => this.fail(error) });
      if (signal.aborted) return;
      if (this.phase === "running") this.enter("starting");
    }
    const lanes = models * this.pool.spread(opened);
    const jobs = Array.from({ length: cells }, (_, cell): Job => {
      const trial = Math.floor(cell / models);
      return {
        query,
        cell,
        table: opened,
        on: { fold: -1, crossValidation: this.crossValidations.get(cell) ?? null },
        home: planned > 1 ? `${trial}` : "", // a trial's models share an engine with its rows; a single trial goes to all engines
        begins: this.shows === "interaction" && trial === 0 ? ["truth"] : [],
      };
    });
    await run<Cell>(this.pool, jobs, {
      signal,
      lanes,
      create: (job) => ({ ...blank(job), lookedAt: 0, nextLook: 0, isCompared: false }),
      pace: (cell, lease) => this.next(cell, lease),
      look: (cell, lease) => this.look(cell, lease),
      changed: (tracks) => {
        this.cells = tracks;
        this.error ??= tracks.find(({ error }) => error)?.error ?? null; // what fails next may follow from it
        const begun = tracks.slice(0, lanes).map(({ started, error }) => started !== null || error !== null);
        const enough = planned > 1 ? begun.every(Boolean) : begun.some(Boolean); // who comes later catches up; but a mean over trials would shrink
        if (this.phase === "starting" && enough) this.go();
        else this.changed();
      },
    });
    if (signal.aborted) return;
    this.enter(this.cells.some(learning) ? "done" : "failed");
    if (this.phase === "done" && this.subject) await this.studies?.begin(this.subject, this.cells.reduce((sum, { effort }) => sum + (effort?.work ?? 0), 0), signal);
  }

  private get subject(): Subject | null {
    const { query, planned, opened, crossValidations } = this;
    return opened && { query, planned, opened, crossValidations };
  }

  study(what: PostStudy, go: boolean): void {
    if (!go) this.studies?.study(what, null);
    else if (this.phase === "done") this.studies?.study(what, this.subject);
  }

  /** Shows the interactions of another of more than two classes. */
  showClass(shown: number): void {
    void this.studies?.showClass(this.cells, shown);
  }

  /** Keeps the run that ends as the ghost of the one that begins. A repeated run keeps the ghost it had. */
  private keepGhost(query: string, opened: Opened | null): void {
    const { lines, started } = this.snapshot();
    this.repeated = started !== null && query === this.query && opened === this.opened;
    if (started && !this.repeated && lines.some((line) => line.iteration.length > 1 || line.done)) this.ghost = { query: this.query, lines, opened: this.opened, target: started.target, measure: started.measure };
    if (this.ghost?.query === query || this.ghost?.opened !== opened) this.ghost = null;
  }

  play(): void {
    if (this.phase !== "paused") return;
    this.steps = 0;
    this.go();
  }

  private go(): void {
    this.since = performance.now();
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
    this.played = this.farthest;
    this.steps = this.played + 1;
    this.awaken();
  }

  /** Whether the figure's predictions are looked at while it trains. */
  watch(wanted: boolean): void {
    this.watched = wanted;
    for (const cell of this.cells) cell.lookedAt = 0; // what is shown belongs to the iteration where it stands
    this.awaken();
  }

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
    Object.assign(this, { cells: [], folds: [], crossValidations: new Map(), studies: null, error: null, query: "" });
  }

  /** Ends the run; what it has shown stays. A worker that does not come back from a call is ended too. */
  stop(): void {
    if (this.phase === "idle") return;
    const active = this.phase === "starting" || this.phase === "running" || this.phase === "paused";
    this.ending.abort();
    this.studies?.stop();
    if (active) this.enter("stopped");
    else this.awaken();
  }

  /** Resolves with the ms of the next call for a cell's records, once there is a reason for one. */
  private async next(cell: Cell, lease: Lease): Promise<number> {
    for (;;) {
      const pulled = cell.iteration.length;
      const level = this.phase === "paused" && this.shows === "interaction" && this.planned === 1 ? this.farthest : 0; // paused, the figure's cells meet; a table's candidates have no common iteration
      const lag = (this.phase === "running" ? this.due() : Math.max(this.steps, level)) - pulled;
      if (pulled === 0 || lag >= 1 || lease.signal.aborted) return this.phase !== "running" || lag < BURST ? 0 : this.rate === Number.POSITIVE_INFINITY ? 80 : 30;
      if (this.phase === "paused" && cell.lookedAt < pulled) { // what is shown belongs to the iteration where it stands
        await this.see(cell, lease);
        this.changed();
      } else {
        await this.sleep(this.phase === "running" ? Math.min(100, Math.max(4, ((1 - lag) / this.rate) * 1000)) : Number.POSITIVE_INFINITY);
      }
    }
  }

  /** Asks for what a cell has learnt, now and then while it trains, and once it is done. */
  private async look(cell: Cell, lease: Lease): Promise<void> {
    const now = performance.now();
    if (cell.done || now >= cell.nextLook) {
      await this.see(cell, lease);
      const took = performance.now() - now;
      cell.nextLook = performance.now() + Math.max(LOOK_EVERY, 10 * took);
    }
    if (this.phase === "paused") this.awaken(); // the others come level with it
    if (!cell.done || this.shows !== "predictions" || !cell.started) return;
    this.changed();
    if (cell.started.trial === 0 && learning(cell)) Object.assign(cell, await askAll(lease, cell.started.run, ["importance"]));
    await this.compare(cell, cell.started, lease);
  }

  private get farthest(): number {
    return Math.max(0, ...this.cells.filter(({ done }) => !done).map(({ iteration }) => iteration.length));
  }

  /** Asks for quadratic ridge on the rows of a cell that is done, once a trial. */
  private async compare(cell: Cell, { run, trial }: Started, lease: Lease): Promise<void> {
    if (this.cells.some(({ isCompared, started }) => isCompared && started?.trial === trial)) return;
    cell.isCompared = true;
    Object.assign(cell, await askAll(lease, run, ["quadratic"]));
  }

  private async see(cell: Cell, lease: Lease): Promise<void> {
    const { started, done } = cell;
    cell.lookedAt = cell.iteration.length;
    if (!started || started.trial > 0 || !learning(cell)) return;
    const drawn: readonly What[] = this.watched || done ? ["interaction", "predictions"] : ["interaction"]; // those at the end are kept for who looks later
    const trained = (): What[] => ["predictions", started.classes ? "classes" : "effort", "model", ...(started.features.length <= MATRIX ? (["interaction"] as const) : [])];
    const answers = await askAll(lease, started.run, this.shows === "interaction" ? drawn : done ? trained() : ["predictions"]);
    Object.assign(cell, answers, answers.model && answers.interaction && { interaction: perDeviation(answers.interaction, answers.model) });
  }

  /** Ends the run for an error without which there is none. */
  private fail(error: EngineError): void {
    this.error = error;
    this.ending.abort();
    this.enter("failed");
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.awaken();
    this.changed();
  }

  /** Where the clock stands when it is stopped: no debt is carried over. */
  private reached(): number {
    return Math.min(this.due(), Math.max(0, ...this.cells.map(({ iteration }) => iteration.length)) + 1);
  }

  private due(): number {
    if (this.phase !== "running") return this.played;
    const seconds = (performance.now() - this.since) / 1000;
    return this.played + (seconds > 0 ? seconds * this.rate : 0);
  }

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
