// FM against iFM on matrices: those that are drawn at random, which are the
// chapter's run, and the one that the reader paints.
import { Round } from "../../engine/calls.js";
import { EngineFailure } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { Contest, EngineError } from "../../engine/protocol.js";
import type { Phase, Run, Work } from "../chapter/definition.js";
import { median } from "../chapter/measure.js";
import type { Break } from "./fields.gen.js";
import { read, write, type Pairs } from "./pairs.js";

const LEVEL = 1.01; // two errors within 1 % count as the same

/** Which model is ahead on how many matrices. */
export interface Tally {
  readonly ifm: number;
  readonly fm: number;
  readonly level: number;
  readonly median: number; // of the scores
  readonly most: number;
}

export function tallied(scores: readonly number[]): Tally {
  const ifm = scores.filter((score) => score > LEVEL).length;
  const fm = scores.filter((score) => score < 1 / LEVEL).length;
  return { ifm, fm, level: scores.length - ifm - fm, median: median(scores), most: scores.length > 0 ? Math.max(...scores) : Number.NaN };
}

/** What the chapter reads: the scores of the matrices that were drawn, and the painted one's contest. */
export interface Scores {
  readonly drawn: readonly number[];
  readonly of: number;
  readonly painted: Contest | null;
}

export class Contests implements Work<Break, Scores> {
  readonly starting = false;
  seconds = 0;
  of = 0;
  errors: readonly EngineError[] = [];
  painted: Contest | null = null; // of the last matrix that was fitted
  trouble: EngineError | null = null; // with the painted one
  listener: () => void = () => undefined; // hears of the painted one at once

  private phase: Phase = "idle";
  private settings: Break | null = null;
  private scores: readonly number[] = [];
  private round = new Round();
  private wanted: Pairs | null = null; // the next matrix to fit, if one waits
  private last = ""; // that was asked for
  private fitting: Promise<void> | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly notify: () => void,
  ) {}

  /** The run, with the matrix that is painted now: the scores are compared with its own. */
  get run(): Run<Break, Scores> | null {
    const { settings, phase, scores, of, painted } = this;
    if (!settings) return null;
    const m = painted ? write([...painted.pairs]) : settings.m;
    return { settings: { ...settings, m }, plan: { drawn: scores, of, painted }, tracks: [], phase, whole: phase !== "stopped" };
  }

  get over(): number {
    return this.scores.length;
  }

  get share(): number {
    return this.of > 0 ? this.over / this.of : 0;
  }

  /** Fits the matrices that the seed draws, and the painted one. */
  async start(settings: Break): Promise<void> {
    const round = new Round();
    Object.assign(this, { round, settings, of: settings.draws, phase: "running", seconds: 0, scores: [], errors: [] });
    const begun = performance.now();
    await this.fit(read(settings.m) ?? []);
    await round.each(
      Array.from({ length: settings.draws }, (_, number) => number),
      this.pool.size,
      () => this.pool.lease(null),
      async (number, lease) => {
        const { score } = await round.ask(lease, (engine) => engine.contest(null, settings.seed, number));
        this.scores = [...this.scores, score];
        this.notify();
      },
      (_, error) => (this.errors = [...this.errors, error]),
    );
    if (round.over) return;
    Object.assign(this, { phase: "done", seconds: (performance.now() - begun) / 1000 });
    this.notify();
  }

  stop(): void {
    if (this.phase !== "running") return;
    this.round.end();
    this.phase = "stopped";
    this.notify();
  }

  close(): void {
    this.stop();
  }

  jobs(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }

  /** Fits the painted matrix: one call at a time, and of those that were asked for meanwhile the last. */
  fit(pairs: Pairs): Promise<void> {
    if (write(pairs) === this.last) return this.fitting ?? Promise.resolve();
    this.last = write(pairs);
    this.wanted = pairs;
    this.fitting ??= this.fitAll().finally(() => (this.fitting = null));
    return this.fitting;
  }

  private async fitAll(): Promise<void> {
    for (let next = this.wanted; next; next = this.wanted) {
      this.wanted = null;
      const contest = await this.contest(next, 0, 0);
      if (!contest) continue;
      this.painted = contest;
      this.tell();
    }
  }

  /** The matrix of that number that a seed draws; null where it cannot be had, which trouble tells. */
  async drawn(seed: number, number: number): Promise<Pairs | null> {
    const contest = await this.contest(null, seed, number);
    return contest && [...contest.pairs];
  }

  private async contest(pairs: Pairs | null, seed: number, number: number): Promise<Contest | null> {
    try {
      const contest = await this.pool.contest(pairs, seed, number);
      this.trouble = null;
      return contest;
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      this.trouble = reason.detail;
      this.tell();
      return null;
    }
  }

  private tell(): void {
    this.listener();
    this.notify();
  }
}
