// Runs many cells of many queries on the pool, one after the other in as many
// engines as there are, and keeps what each has recorded. A cell that fails
// with an error of the engine has that as its result.
import { EngineFailure, PATIENCE, stopped, wasStopped, type Engine } from "../../engine/engine.js";
import type { Opened, Pool } from "../../engine/pool.js";
import type { EngineError, Info, Matrix, ModelFile, Predictions, Quadratic, Records, Started, Theory } from "../../engine/protocol.js";

/** What a run can be asked for once it is over. */
export type Answer = "truth" | "interaction" | "model";

/** One cell of a query. The jobs of a group share their rows, so they are held by one engine together. */
export interface Job {
  readonly query: string;
  readonly cell: number;
  readonly group: string;
  readonly theory: boolean; // ask for it too
  readonly table?: Opened; // whose rows it takes; a group has one
  readonly quadratic?: boolean; // ask for quadratic ridge on the same rows too
  readonly predictions?: boolean; // ask for them when it is done
  readonly asks?: readonly Answer[]; // at its end
}

/** What a job has given so far; its columns grow at their ends, one entry a record. */
export interface Track {
  readonly job: Job;
  readonly started: Started | null;
  readonly theory: Theory | null;
  readonly truth: Matrix | null; // where its job asks for it, like the two below
  readonly interaction: Matrix | null;
  readonly model: ModelFile | null;
  readonly iteration: readonly number[];
  readonly test: readonly number[]; // RMSE, target units
  readonly errorW: readonly number[]; // ‖w − w*‖/‖w*‖
  readonly errorM: readonly number[]; // ‖M − M*‖/‖M*‖
  readonly quadratic: Quadratic | EngineError | null; // why not, where it cannot be fitted
  readonly predictions: Predictions | null; // of the model that validation rows chose, where the job asks for them
  readonly done: boolean;
  readonly stop: string; // why it stopped by itself
  readonly error: EngineError | null;
}

export type Phase = "idle" | "running" | "done" | "stopped";

interface Growing extends Track {
  started: Started | null;
  theory: Theory | null;
  truth: Matrix | null;
  interaction: Matrix | null;
  model: ModelFile | null;
  readonly iteration: number[];
  readonly test: number[];
  readonly errorW: number[];
  readonly errorM: number[];
  quadratic: Quadratic | EngineError | null;
  predictions: Predictions | null;
  done: boolean;
  stop: string;
  error: EngineError | null;
}

interface Group {
  readonly tracks: readonly Growing[];
  readonly again: boolean; // its worker was ended once
}

const SLICE = 80; // ms of one call, so that a stop is prompt
const SHARED = 30; // ms, where the figure or a table has runs in the same engine

export class Runner {
  phase: Phase = "idle";
  tracks: readonly Track[] = []; // in the order of the jobs
  seconds = 0; // that the last run took

  private readonly pool: Pool;
  private readonly notify: () => void;
  private epoch = 0; // counts the starts: whatever belongs to an older one is dropped
  private readonly out = new Map<Promise<unknown>, Engine>(); // calls that are not answered yet

  constructor(pool: Pool, notify: () => void) {
    this.pool = pool;
    this.notify = notify;
  }

  /** What the engine says of a query: its cells and the points of its sweep. */
  async info(query: string): Promise<Info> {
    const engine = this.pool.lease(null);
    const { life } = engine;
    try {
      return await engine.info(query);
    } finally {
      if (life === engine.life) this.pool.release(engine);
    }
  }

  /** Runs all jobs in place of those before. Resolves when they are over or stopped. */
  async start(jobs: readonly Job[]): Promise<void> {
    this.stop();
    const epoch = ++this.epoch;
    const began = performance.now();
    const tracks = jobs.map(create);
    const groups = new Map<string, Growing[]>();
    for (const track of tracks) groups.set(track.job.group, [...(groups.get(track.job.group) ?? []), track]);
    const waiting: Group[] = [...groups.values()].map((of) => ({ tracks: of, again: false }));
    Object.assign(this, { tracks, phase: "running", seconds: 0 });
    this.notify();
    const lane = async (): Promise<void> => {
      for (let group = waiting.shift(); group && epoch === this.epoch; group = waiting.shift()) {
        const left = await this.train(epoch, group);
        if (left.length > 0) waiting.unshift({ tracks: left, again: true });
      }
    };
    await Promise.all(Array.from({ length: Math.min(waiting.length, this.pool.spread(null)) }, lane));
    if (epoch !== this.epoch) return;
    Object.assign(this, { phase: "done", seconds: (performance.now() - began) / 1000 });
    this.notify();
  }

  /** Ends the run; what has come stays. A worker that does not come back from a call is ended too. */
  stop(): void {
    if (this.phase !== "running") return;
    this.epoch++;
    this.phase = "stopped";
    const calls = [...this.out.keys()];
    setTimeout(() => {
      const stuck = new Set(calls.flatMap((call) => this.out.get(call) ?? []));
      for (const engine of stuck) engine.restart(stopped());
    }, PATIENCE);
    this.notify();
  }

  /** Runs a group in one engine, its runs started together, since rows are let go of with their last run. Returns what has to be tried again. */
  private async train(epoch: number, group: Group): Promise<Growing[]> {
    const opened = group.tracks[0]?.job.table ?? null;
    const engine = this.pool.lease(opened);
    const { life } = engine;
    const held = new Map<Growing, number>();
    const again: Growing[] = [];
    const attempt = async (track: Growing, work: () => Promise<void>): Promise<void> => {
      if (epoch !== this.epoch) return;
      try {
        if (life !== engine.life) throw new EngineFailure(engine.ended);
        await work();
      } catch (reason) {
        if (!(reason instanceof EngineFailure)) throw reason;
        if (epoch !== this.epoch) return;
        const run = held.get(track);
        if (run !== undefined) void this.close(engine, run, life);
        held.delete(track);
        if (wasStopped(reason) && !group.again) again.push(clear(track)); // ended because of another call
        else track.error = reason.detail;
      }
      if (epoch === this.epoch) this.notify();
    };
    try {
      for (const track of group.tracks) {
        await attempt(track, async () => {
          const table = opened ? await this.ask(engine, this.pool.handle(opened, engine)) : 0;
          track.started = await this.ask(engine, engine.start(track.job.query, track.job.cell, table));
          held.set(track, track.started.run);
          if (track.job.quadratic) track.quadratic = await this.ask(engine, engine.ask(track.started.run, "quadratic")).catch(unfitted);
          if (track.job.theory) track.theory = await this.ask(engine, engine.ask(track.started.run, "theory"));
        });
      }
      for (const [track, run] of held) {
        await attempt(track, async () => {
          while (epoch === this.epoch && !track.done) {
            if (life !== engine.life) throw new EngineFailure(engine.ended);
            const records = await this.ask(engine, engine.next(run, engine.load > 1 ? SHARED : SLICE));
            if (epoch !== this.epoch) return;
            append(track, records);
            this.notify();
          }
          if (track.job.predictions && track.done) track.predictions = await this.ask(engine, engine.ask(run, "predictions"));
          await this.answer(epoch, engine, track, run);
          await this.close(engine, run, life);
          held.delete(track);
        });
      }
    } finally {
      if (life === engine.life) this.pool.release(engine);
      for (const run of held.values()) void this.close(engine, run, life);
    }
    return again;
  }

  /** Asks for what the job wants to know of a run that has come to its end. */
  private async answer(epoch: number, engine: Engine, track: Growing, run: number): Promise<void> {
    for (const what of track.job.asks ?? []) {
      const found = epoch === this.epoch ? await this.ask(engine, engine.ask(run, what)) : null;
      if (epoch === this.epoch) Object.assign(track, { [what]: found });
    }
  }

  private async close(engine: Engine, run: number, life: number): Promise<void> {
    await engine.close("run", run, life).catch(() => undefined); // an engine that is gone holds no run
  }

  /** Remembers a call until it is answered. */
  private async ask<T>(engine: Engine, call: Promise<T>): Promise<T> {
    this.out.set(call, engine);
    try {
      return await call;
    } finally {
      this.out.delete(call);
    }
  }
}

/** A reference that cannot be fitted is no failure of the run beside it; a worker that is gone is. */
function unfitted(reason: unknown): EngineError {
  if (!(reason instanceof EngineFailure) || wasStopped(reason) || reason.detail.kind === "Lost") throw reason;
  return reason.detail;
}

function create(job: Job): Growing {
  return { job, started: null, theory: null, truth: null, interaction: null, model: null, iteration: [], test: [], errorW: [], errorM: [], quadratic: null, predictions: null, done: false, stop: "", error: null };
}

function clear(track: Growing): Growing {
  Object.assign(track, { started: null, theory: null, truth: null, interaction: null, model: null, quadratic: null, predictions: null, done: false });
  for (const column of [track.iteration, track.test, track.errorW, track.errorM]) column.length = 0;
  return track;
}

function append(track: Growing, records: Records): void {
  track.iteration.push(...records.iteration);
  track.test.push(...records.test);
  track.errorW.push(...records.errorW);
  track.errorM.push(...records.errorM);
  track.done = records.done;
  if (records.stop !== "") track.stop = records.stop;
}

export function over(track: Track): boolean {
  return track.done || track.error !== null;
}
