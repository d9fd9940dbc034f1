// The work of chapters whose runs are cells of queries.
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import type { Run, Work } from "./definition.js";
import { over, Runner, type Job } from "./runner.js";

/** What is to be run, and what is known of it before the first run. */
export interface Planned<P> {
  readonly jobs: readonly Job[];
  readonly plan: P;
}

/** How a chapter's cells follow from its settings. */
interface Cells<S, P> {
  /** The jobs of these settings; before is the plan of the last ones. Rejects with an EngineFailure where there is nothing to run. */
  plan(settings: S, pool: Pool, before: P | null, signal: AbortSignal): Planned<P> | Promise<Planned<P>>;
  /** Whether an error of a run is a result, which the chapter shows itself. */
  expects?(error: EngineError): boolean;
  /** Lets go of what a plan holds in the engines. */
  close?(plan: P, pool: Pool): void;
}

/** Work that runs cells. */
export function cells<S, P>(declared: Cells<S, P>): (pool: Pool, notify: () => void) => Work<S, P> {
  return (pool, notify) => new CellWork(declared, pool, notify);
}

/** Cells that need no plan. */
export function jobs<S>(of: (settings: S) => readonly Job[], expects?: (error: EngineError) => boolean): (pool: Pool, notify: () => void) => Work<S, null> {
  return cells<S, null>({ plan: (settings) => ({ jobs: of(settings), plan: null }), ...(expects ? { expects } : {}) });
}

class CellWork<S, P> extends Runner implements Work<S, P> {
  starting = false;
  private settings: S | null = null;
  private plan: P | null = null;
  private all: readonly Job[] = []; // of the run, also those that are yet to be run
  private opened: P | null = null; // the last plan, with what it holds in the engines
  private planning = new AbortController();

  constructor(
    private readonly declared: Cells<S, P>,
    pool: Pool,
    notify: () => void,
  ) {
    super(pool, notify);
  }

  get run(): Run<S, P> | null {
    const { settings, plan, tracks, phase, all } = this;
    const whole = phase === "done" || phase === "stopped" ? tracks.length === all.length && tracks.every(over) : true;
    return settings && { settings, plan, tracks, phase, whole };
  }

  get errors(): readonly EngineError[] {
    return this.tracks.flatMap(({ error }) => (error && !this.declared.expects?.(error) ? [error] : []));
  }

  async start(settings: S, first?: (run: Run<S, P>) => number): Promise<boolean> {
    this.starting = true;
    const planned = await this.prepare(settings).finally(() => (this.starting = false));
    if (!planned) return false;
    const { plan, jobs: all } = planned;
    Object.assign(this, { settings, plan, all, tracks: [] });
    const some = first?.({ settings, plan, tracks: [], phase: "idle", whole: true });
    await this.begin((signal) => this.train(all.slice(0, some), signal));
    return true;
  }

  async finish(): Promise<void> {
    const { tracks, all } = this;
    await this.begin((signal) => this.train(all.slice(tracks.length), signal, tracks));
  }

  override stop(): void {
    this.planning.abort();
    super.stop();
  }

  async jobs(settings: S): Promise<readonly Job[]> {
    return (await this.prepare(settings))?.jobs ?? [];
  }

  close(): void {
    this.stop();
    this.release();
  }

  private release(): void {
    if (this.opened !== null) this.declared.close?.(this.opened, this.pool);
    this.opened = null;
  }

  /** The plan of these settings; null where it was stopped meanwhile. */
  private async prepare(settings: S): Promise<Planned<P> | null> {
    const { signal } = (this.planning = new AbortController());
    try {
      const planned = await this.declared.plan(settings, this.pool, this.opened, signal);
      this.opened = planned.plan;
      if (!signal.aborted) return planned;
      this.release();
    } catch (reason) {
      if (!signal.aborted) throw reason;
    }
    return null;
  }
}
