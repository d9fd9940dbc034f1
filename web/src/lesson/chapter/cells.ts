// The work of chapters whose runs are cells of queries.
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import type { Run, Work } from "./definition.js";
import { over, Runner, shareOf, type Job } from "./runner.js";

/** What is to be run, and what is known of it before the first run. */
interface Planned<P> {
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

class CellWork<S, P> implements Work<S, P> {
  starting = false;
  private readonly runner: Runner;
  private settings: S | null = null;
  private plan: P | null = null;
  private planning = new AbortController();

  constructor(
    private readonly declared: Cells<S, P>,
    private readonly pool: Pool,
    notify: () => void,
  ) {
    this.runner = new Runner(pool, notify);
  }

  get run(): Run<S, P> | null {
    const { settings, plan, runner: { tracks, phase } } = this;
    return settings && { settings, plan, tracks, phase, whole: phase !== "stopped" || tracks.every(over) };
  }

  get seconds(): number {
    return this.runner.seconds;
  }

  get over(): number {
    return this.runner.tracks.filter(over).length;
  }

  get of(): number {
    return this.runner.tracks.length;
  }

  get share(): number {
    return shareOf(this.runner.tracks);
  }

  get errors(): readonly EngineError[] {
    return this.runner.tracks.flatMap(({ error }) => (error && !this.declared.expects?.(error) ? [error] : []));
  }

  async start(settings: S): Promise<void> {
    this.starting = true;
    const { jobs, plan } = await this.prepare(settings).finally(() => (this.starting = false));
    Object.assign(this, { settings, plan });
    await this.runner.start(jobs);
  }

  stop(): void {
    this.runner.stop();
  }

  async jobs(settings: S): Promise<readonly Job[]> {
    const { jobs, plan } = await this.prepare(settings);
    this.plan = plan;
    return jobs;
  }

  close(): void {
    this.planning.abort();
    this.stop();
    if (this.plan !== null) this.declared.close?.(this.plan, this.pool);
    this.plan = null;
  }

  private async prepare(settings: S): Promise<Planned<P>> {
    this.planning = new AbortController();
    return this.declared.plan(settings, this.pool, this.plan, this.planning.signal);
  }
}
