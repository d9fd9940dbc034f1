// The runs of a chapter: cells of queries, whose rows are drawn or of a table.
import { Digest } from "../../engine/digest.js";
import type { Pool } from "../../engine/pool.js";
import { blank, run, slice, type Job as Cell, type Track as Recorded } from "../../engine/run.js";
import { parse } from "../../state/spec.js";
import { Session } from "./session.js";

/** One cell of a query. */
export interface Job extends Cell {
  readonly weight?: number; // how much work it is against the others, 1 where none says
}

/** What a job has given so far. */
export interface Track extends Recorded<Job> {
  readonly errorW: number[]; // ‖w − w*‖/‖w*‖, one entry a record
  readonly errorM: number[]; // ‖M − M*‖/‖M*‖
  readonly digest: Digest; // of all records, also those that have no column here
}

export class Runner extends Session {
  tracks: readonly Track[] = []; // in the order of the jobs

  constructor(
    protected readonly pool: Pool,
    notify: () => void,
  ) {
    super(notify);
  }

  get over(): number {
    return this.tracks.filter(over).length;
  }

  get of(): number {
    return this.tracks.length;
  }

  override get share(): number {
    return shareOf(this.tracks);
  }

  /** Runs all jobs as a part of work that has begun, after those whose tracks are given. */
  train(jobs: readonly Job[], signal: AbortSignal, before: readonly Track[] = []): Promise<readonly Track[]> {
    return run<Track>(this.pool, jobs, {
      signal,
      pace: async (track, lease) => {
        await this.ready();
        return slice(track, lease);
      },
      create: (job) => ({ ...blank(job), errorW: [], errorM: [], digest: new Digest() }),
      look: ({ errorW, errorM, digest }, _, records) => {
        errorW.push(...records.errorW);
        errorM.push(...records.errorM);
        digest.add(records);
      },
      changed: (tracks) => {
        this.tracks = [...before, ...tracks];
        this.notify();
      },
    });
  }
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
