// Runs many cells of many queries on the pool, one after the other in as many
// engines as there are, and keeps what each has recorded. A cell that fails
// with an error of the engine has that as its result.
import { Round, type Lease } from "../../engine/calls.js";
import { Digest } from "../../engine/digest.js";
import { EngineFailure, isGone } from "../../engine/engine.js";
import type { Opened, Pool } from "../../engine/pool.js";
import type { EngineError, Matrix, ModelFile, Predictions, Quadratic, Records, Started, Theory } from "../../engine/protocol.js";
import { parse } from "../../state/spec.js";

/** What a run can be asked for once it is over. */
type Answer = "truth" | "interaction" | "model";

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
  readonly path?: boolean; // ask for the interactions after every record
  readonly weight?: number; // how much work it is against the others, 1 where none says
}

/** What a job has given so far; its columns grow at their ends, one entry a record. */
export interface Track {
  readonly job: Job;
  readonly started: Started | null;
  readonly theory: Theory | null;
  readonly truth: Matrix | null; // where its job asks for it, like the two below
  readonly interaction: Matrix | null;
  readonly model: ModelFile | null;
  readonly path: readonly Matrix[]; // one a record, where the job asks for it
  readonly iteration: readonly number[];
  readonly test: readonly number[]; // RMSE, target units
  readonly errorW: readonly number[]; // ‖w − w*‖/‖w*‖
  readonly errorM: readonly number[]; // ‖M − M*‖/‖M*‖
  readonly quadratic: Quadratic | EngineError | null; // why not, where it cannot be fitted
  readonly predictions: Predictions | null; // of the model that validation rows chose, where the job asks for them
  readonly digest: Digest; // of all records, also those that have no column here
  readonly done: boolean;
  readonly error: EngineError | null;
}

export type Phase = "idle" | "running" | "done" | "stopped";

type Growing = { -readonly [Key in keyof Track]: Track[Key] extends readonly (infer Item)[] ? Item[] : Track[Key] };

/** What is left to do of the jobs of a group. */
type Group = Set<Growing>;

const SLICE = 80; // ms of one call, so that a stop is prompt
const SHARED = 30; // ms, where the figure or a table has runs in the same engine

export class Runner {
  phase: Phase = "idle";
  tracks: readonly Track[] = []; // in the order of the jobs

  private round = new Round(); // of the run that is on, or was last
  private began = 0; // ms
  private took = 0; // s; 0 where it was stopped

  constructor(
    private readonly pool: Pool,
    private readonly notify: () => void,
  ) {}

  /** Seconds at work, or that the last run took. */
  get seconds(): number {
    return this.phase === "running" ? (performance.now() - this.began) / 1000 : this.took;
  }

  /** Runs all jobs in place of those before. Resolves when they are over or stopped. */
  async start(jobs: readonly Job[]): Promise<void> {
    this.stop();
    const round = new Round();
    const tracks = jobs.map(create);
    const groups = new Map<string, Group>();
    for (const track of tracks) groups.set(track.job.group, (groups.get(track.job.group) ?? new Set()).add(track));
    Object.assign(this, { round, tracks, phase: "running", began: performance.now(), took: 0 });
    this.notify();
    const place = ([first]: Group): Lease => this.pool.lease(first?.job.table ?? null);
    const failed = (group: Group, error: EngineError): void => {
      for (const track of group) track.error = error;
      this.notify();
    };
    await round.each([...groups.values()], this.pool.spread(null), place, (group, lease) => this.train(round, group, lease), failed);
    if (round.over) return;
    Object.assign(this, { took: this.seconds, phase: "done" });
    this.notify();
  }

  /** Ends the run; what has come stays. A worker that does not come back from a call is ended too. */
  stop(): void {
    if (this.phase !== "running") return;
    this.round.end();
    this.phase = "stopped";
    this.notify();
  }

  /** Runs a group in one engine, its runs started together, since rows are let go of with their last run. */
  private async train(round: Round, group: Group, lease: Lease): Promise<void> {
    const attempt = async (track: Growing, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (reason) {
        if (!(reason instanceof EngineFailure) || round.over || isGone(reason)) throw reason;
        if (track.started) lease.close(track.started.run);
        track.error = reason.detail;
        group.delete(track);
      }
      this.notify();
    };
    for (const track of group) Object.assign(track, create(track.job)); // without what came of a worker that is gone
    for (const track of group) {
      await attempt(track, async () => {
        const { run } = (track.started = await round.start(lease, track.job.query, track.job.cell));
        if (track.job.quadratic) track.quadratic = await round.ask(lease, (engine) => engine.ask(run, "quadratic")).catch(unfitted);
        if (track.job.theory) track.theory = await round.ask(lease, (engine) => engine.ask(run, "theory"));
      });
    }
    for (const track of group) {
      await attempt(track, async () => {
        const { job, started } = track;
        const run = started?.run ?? 0;
        while (!track.done) {
          const next = round.ask(lease, (engine) => engine.next(run, job.path ? 0 : engine.load > 1 ? SHARED : SLICE));
          const [records, at] = await Promise.all([next, job.path ? round.ask(lease, (engine) => engine.ask(run, "interaction")) : null]); // both are on their way at once
          append(track, records);
          if (at) track.path.push(at);
          this.notify();
        }
        if (job.predictions) track.predictions = await round.ask(lease, (engine) => engine.ask(run, "predictions"));
        for (const what of job.asks ?? []) Object.assign(track, { [what]: await round.ask(lease, (engine) => engine.ask(run, what)) });
        lease.close(run);
        group.delete(track);
      });
    }
  }
}

/** A reference that cannot be fitted is no failure of the run beside it; a worker that is gone is. */
function unfitted(reason: unknown): EngineError {
  if (!(reason instanceof EngineFailure) || isGone(reason) || reason.detail.kind === "Cancelled") throw reason;
  return reason.detail;
}

function create(job: Job): Growing {
  return { job, started: null, theory: null, truth: null, interaction: null, model: null, path: [], iteration: [], test: [], errorW: [], errorM: [], quadratic: null, predictions: null, digest: new Digest(), done: false, error: null };
}

function append(track: Growing, records: Records): void {
  track.iteration.push(...records.iteration);
  track.test.push(...records.test);
  track.errorW.push(...records.errorW);
  track.errorM.push(...records.errorM);
  track.digest.add(records);
  track.done = records.done;
}

export function over(track: Track): boolean {
  return track.done || track.error !== null;
}

/** How much of the work of some runs is done, from 0 to 1: of one that is on, as far as its iterations go. */
export function shareOf(tracks: readonly Track[]): number {
  const weight = ({ job }: Track): number => job.weight ?? 1;
  const done = (track: Track): number => (over(track) ? 1 : track.iteration.length > 0 ? Math.min(1, (track.iteration.at(-1) ?? 0) / parse(track.job.query).spec.iterations) : 0);
  const all = tracks.reduce((sum, track) => sum + weight(track), 0);
  return all > 0 ? tracks.reduce((sum, track) => sum + weight(track) * done(track), 0) / all : 0;
}
