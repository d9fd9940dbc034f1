// Calls that belong together, in a place in an engine that is let go of, and calls
// that are made once more because a worker went away.
import { cancelled, EngineFailure, isGone, stopped, type Engine, type On } from "./engine.js";
import type { Calls, EngineError, Started } from "./protocol.js";

/** How long a worker may take to leave an unwanted call, ms. */
export const PATIENCE = 600;

const MOST = 8;

/**
 * Waits for a call. After an abort errors are of kind "Cancelled", and a worker that
 * does not return within PATIENCE is ended.
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

/** Asks again, once, if the worker was lost, but not for want of memory. If it was ended for another call, asks up to MOST times in all. */
export async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let [asked, lost] = [1, 0]; ; asked++) {
    const { result, error } = await answerOf(ask());
    if (!error) return result;
    if (!isGone(error) || asked === MOST || error.kind === "Full" || (error.kind === "Lost" && ++lost > 1)) throw new EngineFailure(error);
  }
}

export type Answer<T> = { readonly result: T; readonly error: null } | { readonly result: null; readonly error: EngineError };

export async function answerOf<T>(call: Promise<T>): Promise<Answer<T>> {
  try {
    return { result: await call, error: null };
  } catch (reason) {
    if (reason instanceof EngineFailure) return { result: null, error: reason.detail };
    throw reason;
  }
}

/** A place in an engine, with its runs, until it is released or the worker is gone. */
export class Lease {
  /** Once it is aborted all calls reject with kind "Cancelled". */
  signal = new AbortController().signal;

  private readonly life: number;
  private readonly runs = new Set<number>();
  private free = false;

  /** rows gives the handle of the rows there, 0 for drawn ones. */
  constructor(
    readonly engine: Engine,
    private readonly rows: () => Promise<number>,
  ) {
    this.life = engine.life;
    engine.load++;
  }

  /** Rejects once the worker is gone. A worker that does not return after an abort is ended. */
  async ask<T>(call: (engine: Engine) => Promise<T>): Promise<T> {
    const { engine, signal } = this;
    const answer = await patiently(engine, signal, async () => {
      if (this.life !== engine.life) throw new EngineFailure(engine.ended);
      return call(engine);
    });
    if (signal.aborted) throw new EngineFailure(cancelled());
    return answer;
  }

  /** As answerOf, but rejects once the worker is gone or the signal aborted. */
  async attempt<T>(call: Promise<T>): Promise<Answer<T>> {
    const answer = await answerOf(call);
    if (answer.error && (this.signal.aborted || isGone(answer.error))) throw new EngineFailure(answer.error);
    return answer;
  }

  call<Name extends keyof Calls>(name: Name, args: Calls[Name]["args"]): Promise<Calls[Name]["result"]> {
    return this.ask((engine) => engine.call(name, args));
  }

  table(): Promise<number> {
    return this.ask(() => this.rows());
  }

  /** Starts a run on the rows here, which is closed with the lease. */
  async start(query: string, cell: number, on: On = { fold: -1, crossValidation: null }): Promise<Started> {
    const table = await this.table();
    return this.ask(async (engine) => {
      const started = await engine.call("start", { query, cell, table, ...on });
      this.runs.add(started.run);
      if (this.free) this.close(started.run);
      return started;
    });
  }

  close(run: number): void {
    this.runs.delete(run);
    this.engine.close(run, this.life);
  }

  release(): void {
    if (this.free) return;
    this.free = true;
    for (const run of this.runs) this.close(run);
    if (this.life === this.engine.life) this.engine.load--;
  }
}

/** Does a piece of work in a place, and again in another, as `again` does. */
export function inPlace<T>(signal: AbortSignal, place: () => Lease, work: (lease: Lease) => Promise<T>): Promise<T> {
  return again(async () => {
    const lease = place();
    lease.signal = signal;
    const release = (): void => lease.release();
    signal.addEventListener("abort", release);
    try {
      return await work(lease);
    } finally {
      signal.removeEventListener("abort", release);
      release();
    }
  });
}
