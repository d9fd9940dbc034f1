// FM against iFM on the matrix as it is now: one call at a time, and of those that
// were asked for meanwhile the last.
import { EngineFailure } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { Contest, EngineError } from "../../engine/protocol.js";
import { write, type Pairs } from "./pairs.js";

export class Asked {
  contest: Contest | null = null; // of the last matrix that was fitted
  error: EngineError | null = null;

  private wanted: Pairs | null = null;
  private last = ""; // that was asked for
  private busy = false;

  constructor(
    private readonly pool: () => Pool,
    private readonly changed: () => void,
  ) {}

  async ask(pairs: Pairs): Promise<void> {
    if (write(pairs) === this.last) return;
    this.last = write(pairs);
    this.wanted = pairs;
    if (this.busy) return;
    this.busy = true;
    while (this.wanted) {
      const next: Pairs = this.wanted;
      this.wanted = null;
      const contest = await this.got(next, 0, 0);
      if (!contest) continue;
      this.contest = contest;
      this.changed();
    }
    this.busy = false;
  }

  /** The matrix of that number that a seed draws; null where it cannot be had, which is told. */
  async drawn(seed: number, number: number): Promise<Pairs | null> {
    const contest = await this.got(null, seed, number);
    return contest && [...contest.pairs];
  }

  private async got(pairs: Pairs | null, seed: number, number: number): Promise<Contest | null> {
    try {
      const contest = await this.pool().contest(pairs, seed, number);
      this.error = null;
      return contest;
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      this.error = reason.detail;
      this.changed();
      return null;
    }
  }
}
