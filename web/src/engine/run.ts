// Trains cells of queries on the pool, and keeps what each has recorded.
import type { Lease } from "./calls.js";
import type { Engine, On } from "./engine.js";
import type { Opened, Pool } from "./pool.js";
import type { Classes, Effort, EngineError, Importance, Matrix, ModelFile, Predictions, Quadratic, Records, Started, Theory } from "./protocol.js";

export interface Answers {
  readonly theory: Theory | null; // null: not asked for
  readonly quadratic: Quadratic | EngineError | null; // why not, where it cannot be fitted
  readonly truth: Matrix | null;
  readonly interaction: Matrix | null;
  readonly model: ModelFile | null;
  readonly predictions: Predictions | null; // of the model that validation rows chose
  readonly classes: Classes | null;
  readonly effort: Effort | null;
  readonly importance: Importance | null; // of columns
}

export type What = keyof Answers;

export interface Job {
  readonly query: string;
  readonly cell: number;
  readonly table?: Opened | null; // whose rows it takes
  readonly on?: On; // which of them, where the settings ask for folds
  readonly group?: string; // jobs of a group share their rows: one engine trains them one after the other
  readonly home?: string; // jobs of a home share their rows, too, and train side by side in one engine
  readonly begins?: readonly What[]; // ask for these at its start
  readonly asks?: readonly What[]; // and for these at its end
  readonly path?: boolean; // ask for the interactions after every record
}

/** All records of a job so far, in columns that grow at their ends, and the answers that it asks for. */
export interface Track<J extends Job = Job> extends Answers {
  readonly job: J;
  started: Started | null;
  readonly starts: number[]; // where each candidate's records begin
  readonly rank: number[]; // one entry a candidate
  readonly lambda: number[];
  readonly weights: number[];
  readonly hats: boolean[];
  readonly iteration: number[]; // one entry a record
  readonly valid: number[]; // errors, in the run's measure
  readonly test: number[];
  readonly path: Matrix[]; // one a record
  lead: number; // the candidate that leads on validation rows
  done: boolean;
  additive: number; // test error of the additive baseline; NaN until done, and where there is none
  final: number; // test error of what is kept, calibrated where that is used; NaN until done
  stop: string; // why the last candidate stopped
  rose: number; // the iteration since which its loss had risen, where that was why; else 0
  error: EngineError | null;
}

export interface Running<T extends Track> {
  readonly signal: AbortSignal; // ends all of it
  readonly lanes?: number; // groups at a time; as many as there are engines where none says
  readonly create: (job: T["job"]) => T; // called anew where a worker went away
  readonly pace?: (track: T, lease: Lease) => number | Promise<number>; // resolves with the ms of the next call for records once it is due
  readonly look?: (track: T, lease: Lease, records: Records) => void | Promise<void>; // after each of these calls
  readonly changed: (tracks: readonly T[]) => void;
}

const SLICE = 80; // ms of one call, so that a stop is prompt
const SHARED = 30; // ms, where other runs are in the same engine

export function blank<J extends Job>(job: J): Track<J> {
  return { job, started: null, starts: [], rank: [], lambda: [], weights: [], hats: [], iteration: [], valid: [], test: [], path: [], lead: 0, done: false, final: Number.NaN, additive: Number.NaN, stop: "", rose: 0, theory: null, quadratic: null, truth: null, interaction: null, model: null, predictions: null, classes: null, effort: null, importance: null, error: null };
}

function append(track: Track, records: Records): void {
  records.candidate.forEach((at, i) => {
    if (at === track.starts.length) {
      track.starts.push(track.iteration.length + i);
      track.rank.push(records.rank[i] ?? Number.NaN);
      track.lambda.push(records.lambda[i] ?? Number.NaN);
      track.weights.push(records.weights[i] ?? 0);
      track.hats.push(records.hats[i] === 1);
    } else if (at !== track.starts.length - 1) {
      throw new RangeError(`candidate ${at} after ${track.starts.length - 1}: records must arrive in order`);
    }
  });
  for (const column of ["iteration", "valid", "test"] as const) track[column].push(...records[column]);
  track.lead = records.lead.at(-1) ?? track.lead;
  track.done = records.done;
  track.final = records.final;
  track.additive = records.additive;
  if (records.stop !== "") Object.assign(track, { stop: records.stop, rose: records.rose });
}

/** Asks for all of these. A reference that cannot be fitted is no failure of the run beside it. */
export async function askAll(lease: Lease, run: number, all: readonly What[]): Promise<Partial<Answers>> {
  const answers: Partial<Record<What, unknown>> = {};
  for (const what of all) {
    const answer = lease.call(what, { run });
    answers[what] = what === "quadratic" ? await lease.attempt(answer).then(({ result, error }) => result ?? error) : await answer;
  }
  return answers as Partial<Answers>;
}

/** Runs all jobs. Resolves with their tracks, in the order of the jobs, when they are over or the signal is aborted. */
export async function run<T extends Track>(pool: Pool, jobs: readonly T["job"][], { signal, lanes, create, pace = slice, look, changed }: Running<T>): Promise<readonly T[]> {
  const tracks = jobs.map(create);
  const tell = (): void => {
    if (!signal.aborted) changed(tracks);
  };
  const groups = new Map<string | number, Set<number>>(); // what is left to do
  jobs.forEach(({ group }, i) => groups.set(group ?? i, (groups.get(group ?? i) ?? new Set()).add(i)));
  const begin = async (track: T, lease: Lease): Promise<void> => {
    const { query, cell, on, begins = [] } = track.job;
    const { run } = (track.started = await lease.start(query, cell, on));
    Object.assign(track, await askAll(lease, run, begins));
  };
  const follow = async (track: T, lease: Lease): Promise<void> => {
    const { asks = [], path } = track.job;
    const run = track.started?.run ?? 0;
    while (!track.done) {
      const ms = await pace(track, lease);
      const next = lease.call("next", { run, ms });
      const [records, at] = await Promise.all([next, path ? lease.call("interaction", { run }) : null]); // both are on their way at once
      append(track, records);
      if (at) track.path.push(at);
      await look?.(track, lease, records);
      tell();
    }
    Object.assign(track, await askAll(lease, run, asks));
  };
  const work = async (group: Set<number>, lease: Lease): Promise<void> => {
    for (const i of group) tracks[i] = create(jobs[i] as T["job"]); // without what came of a worker that is gone
    for (const part of [begin, follow]) { // all are started before one is trained: rows are let go of with their last run
      for (const i of group) {
        const track = tracks[i] as T;
        track.error = (await lease.attempt(part(track, lease))).error;
        if (track.error || track.done) {
          if (track.started) lease.close(track.started.run);
          group.delete(i);
        }
        tell();
      }
    }
  };
  const failed = (group: Set<number>, error: EngineError): void => {
    for (const i of group) Object.assign(tracks[i] as T, { error });
    tell();
  };
  const homes = new Map<string, Engine>();
  const place = ([at = 0]: Set<number>): Lease => {
    const { table = null, home = "" } = jobs[at] as T["job"];
    const lease = pool.lease(table, homes.get(home));
    if (home) homes.set(home, lease.engine);
    return lease;
  };
  tell();
  const [table = null, ...others] = new Set(jobs.map(({ table }) => table ?? null));
  await pool.each(table, [...groups.values()], { signal, place, lanes: lanes ?? Math.max(pool.spread(table), ...others.map((other) => pool.spread(other))), work, failed });
  for (const other of others) if (other) pool.settle(other);
  return tracks;
}

/** The length of a call, ms: short where it follows a path or shares its engine. */
export function slice({ job }: Track, { engine }: Lease): number {
  return job.path ? 0 : engine.load > 1 ? SHARED : SLICE;
}
