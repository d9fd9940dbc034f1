// Work that the reader can start, pause and stop, and the time that it has taken.
import type { Progress } from "./remaining.js";

export type Phase = "idle" | "running" | "paused" | "done" | "stopped";

export abstract class Session implements Progress {
  phase: Phase = "idle";
  abstract readonly over: number;
  abstract readonly of: number;

  private ending = new AbortController(); // of the work that is on, or was last
  private spent = 0; // s, until it last went on
  private since = 0; // ms, when that was
  private readonly waiting: (() => void)[] = []; // for the next phase

  constructor(protected readonly notify: () => void) {}

  /** Seconds at work, without pauses; 0 after a stop. */
  get seconds(): number {
    return this.spent + (this.phase === "running" ? (performance.now() - this.since) / 1000 : 0);
  }

  get share(): number {
    return this.of > 0 ? this.over / this.of : 0;
  }

  /** Begins no more tasks; those that are on their way come to their end. */
  pause(): void {
    if (this.phase === "running") this.enter("paused");
  }

  resume(): void {
    if (this.phase === "paused") this.enter("running");
  }

  /** Ends the work; what has come stays. A worker that does not come back from a call is ended too. */
  stop(): void {
    if (this.phase !== "running" && this.phase !== "paused") return;
    this.ending.abort();
    this.enter("stopped");
  }

  /** Does work in place of what is on. Resolves when it is over or stopped. */
  async begin(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.ending.abort();
    const { signal } = (this.ending = new AbortController());
    this.spent = 0;
    this.enter("running");
    await work(signal);
    await this.ready();
    if (!signal.aborted) this.enter("done");
  }

  /** Resolves once it is not paused. */
  protected async ready(): Promise<void> {
    while (this.phase === "paused") await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private enter(phase: Phase): void {
    this.spent = phase === "stopped" ? 0 : this.seconds;
    Object.assign(this, { phase, since: performance.now() });
    for (const go of this.waiting.splice(0)) go();
    this.notify();
  }
}
