// Who asks the engine for more than one thing: rounds of work that end at once,
// places in an engine that are let go of, and what is asked once more because a
// worker went away.
import { cancelled, EngineFailure, isGone, stopped, type Engine, type On } from "./engine.js";
import type { EngineError, Started } from "./protocol.js";

/** How long a worker may take to leave a call that is not wanted any more, ms. */
export const PATIENCE = 600;

const MOST = 8;

/**
 * Waits for a call. Once the signal is aborted every error of the engine is of
 * kind "Cancelled", and a worker that has not come back from the call within
 * PATIENCE is ended, with what it holds.
 */
export async function patiently<T>(engine: Engine, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new EngineFailure(cancelled());
  const { life } = engine;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    timer = setTimeout(() => {
      if (life !== engine.life) return;
      if (engine.up) engine.restart(stopped());
      else end(); // it starts yet, and has no call to come back from
    }, PATIENCE);
  };
  signal.addEventListener("abort", end);
  try {
    return await ask();
  } catch (reason) {
    throw signal.aborted && reason instanceof EngineFailure ? new EngineFailure(cancelled()) : reason;
  } finally {
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  }
}

/** Asks, and once more if the worker was lost. Where it was ended because of another call, which says nothing of this one, it asks again, too, up to MOST times in all. */
export async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let [asked, lost] = [1, 0]; ; asked++) {
    try {
      return await ask();
    } catch (reason) {
      if (!(reason instanceof EngineFailure) || !isGone(reason) || asked === MOST) throw reason;
      if (reason.detail.kind === "Lost" && ++lost > 1) throw reason;
    }
  }
}

/** A place in an engine, with the runs that it holds, until it is let go of or the worker is gone. */
export class Lease {
  private readonly life: number;
  private readonly runs = new Set<number>();
  private free = false;

  /** table gives the handle of the rows there, 0 for drawn ones. */
  constructor(
    readonly engine: Engine,
    readonly table: () => Promise<number>,
  ) {
    this.life = engine.life;
    engine.load++;
  }

  /** Rejects once the worker is gone. */
  async ask<T>(call: (engine: Engine) => Promise<T>): Promise<T> {
    if (this.life !== this.engine.life) throw new EngineFailure(this.engine.ended);
    return call(this.engine);
  }

  /** Starts a run, which is closed with the lease, or at once where that is over. */
  async start(query: string, cell: number, table: number, on?: On): Promise<Started> {
    const started = await this.engine.start(query, cell, table, on);
    this.runs.add(started.run);
    if (this.free) this.close(started.run);
    return started;
  }

  close(run: number): void {
    this.runs.delete(run);
    this.engine.close("run", run, this.life).catch(() => undefined); // an engine that is gone holds no run
  }

  release(): void {
    if (this.free) return;
    this.free = true;
    for (const run of this.runs) this.close(run);
    if (this.life === this.engine.life) this.engine.load--;
  }
}

/** Work that is begun and ended together. What comes of it after its end is dropped. */
export class Round {
  private readonly ending = new AbortController();
  private readonly leases = new Set<Lease>();

  get over(): boolean {
    return this.ending.signal.aborted;
  }

  /** Lets go of all that it holds. A worker that does not come back from one of its calls is ended. */
  end(): void {
    this.ending.abort();
    for (const lease of this.leases) lease.release();
  }

  /** Rejects with kind "Cancelled" when the round is over. */
  async ask<T>(lease: Lease, call: (engine: Engine) => Promise<T>): Promise<T> {
    const { signal } = this.ending;
    const answer = await patiently(lease.engine, signal, () => lease.ask(call));
    if (signal.aborted) throw new EngineFailure(cancelled());
    return answer;
  }

  /** Starts a run on the rows of the lease. */
  async start(lease: Lease, query: string, cell: number, on?: On): Promise<Started> {
    const table = await this.ask(lease, () => lease.table());
    return this.ask(lease, () => lease.start(query, cell, table, on));
  }

  /**
   * Does a piece of work in a place, and again in another, as `again` does. null
   * where it failed, which is told, or the round is over.
   */
  async one<T>(place: () => Lease, work: (lease: Lease) => Promise<T>, failed: (error: EngineError) => void): Promise<T | null> {
    try {
      return await again(async () => {
        const lease = place();
        this.leases.add(lease);
        try {
          return await work(lease);
        } finally {
          this.leases.delete(lease);
          lease.release();
        }
      });
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (!this.over) failed(reason.detail);
      return null;
    }
  }

  /** Does all tasks, each as `one` does, so many at a time, and takes them from the list; no more while goesOn says no. */
  async each<Task>(tasks: Task[], lanes: number, place: (task: Task) => Lease, work: (task: Task, lease: Lease) => Promise<void>, failed: (task: Task, error: EngineError) => void, goesOn = (): boolean => true): Promise<void> {
    const lane = async (): Promise<void> => {
      while (!this.over && goesOn()) {
        const [task] = tasks.splice(0, 1);
        if (task === undefined) return;
        await this.one(() => place(task), (lease) => work(task, lease), (error) => failed(task, error));
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, tasks.length) }, lane));
  }
}
