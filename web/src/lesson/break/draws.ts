// The run of the chapter: FM against iFM on matrices that are drawn at random.
import { Round } from "../../engine/calls.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import type { Work } from "../chapter/chapter.js";
import type { Phase } from "../chapter/runner.js";

const LEVEL = 1.01; // two errors within 1 % count as the same

/** Who is ahead on how many matrices. */
export interface Tally {
  readonly ifm: number;
  readonly fm: number;
  readonly level: number;
  readonly median: number; // of the scores
  readonly most: number;
}

export class Draws implements Work {
  phase: Phase = "idle";
  seconds = 0;
  scores: readonly number[] = [];
  of = 0;
  errors: readonly EngineError[] = [];

  private round = new Round();

  constructor(
    private readonly pool: Pool,
    private readonly changed: () => void,
  ) {}

  /** Fits so many matrices of a seed, some at a time. */
  async start(seed: number, of: number): Promise<void> {
    const round = new Round();
    Object.assign(this, { round, of, phase: "running", seconds: 0, scores: [], errors: [] });
    const begun = performance.now();
    const tasks = Array.from({ length: of }, (_, number) => number);
    await round.each(
      tasks,
      this.pool.size,
      () => this.pool.lease(null),
      async (number, lease) => {
        const { score } = await round.ask(lease, (engine) => engine.contest(null, seed, number));
        this.scores = [...this.scores, score];
        this.changed();
      },
      (_, error) => (this.errors = [...this.errors, error]),
    );
    if (round.over) return;
    Object.assign(this, { phase: "done", seconds: (performance.now() - begun) / 1000 });
    this.changed();
  }

  stop(): void {
    if (this.phase !== "running") return;
    this.round.end();
    this.phase = "stopped";
    this.changed();
  }

  get tally(): Tally {
    const sorted = [...this.scores].sort((a, b) => a - b);
    const ifm = sorted.filter((score) => score > LEVEL).length;
    const fm = sorted.filter((score) => score < 1 / LEVEL).length;
    const half = sorted.length >> 1;
    return { ifm, fm, level: sorted.length - ifm - fm, median: ((sorted[half] ?? Number.NaN) + (sorted[sorted.length - 1 - half] ?? Number.NaN)) / 2, most: sorted.at(-1) ?? Number.NaN };
  }
}
