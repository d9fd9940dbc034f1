// FM against iFM on matrices: those that are drawn at random, which are the
// chapter's run, and the one that the reader paints.
import { answerOf, type Answer } from "../../engine/calls.js";
import type { Pool } from "../../engine/pool.js";
import type { Contest, EngineError } from "../../engine/protocol.js";
import type { Run, Work } from "../chapter/definition.js";
import { median } from "../chapter/measure.js";
import { Session } from "../chapter/session.js";
import type { Break } from "./fields.gen.js";
import { read, write, type Pairs } from "./pairs.js";

const LEVEL = 1.01; // two errors within 1 % count as the same

export type Tally = ReturnType<typeof tallied>;

/** On how many matrices each model is ahead, and the median and the highest score. */
export function tallied(scores: readonly number[]) {
  const ifm = scores.filter((score) => score > LEVEL).length;
  const fm = scores.filter((score) => score < 1 / LEVEL).length;
  return { ifm, fm, level: scores.length - ifm - fm, median: median(scores), most: scores.length > 0 ? Math.max(...scores) : Number.NaN };
}

/** The scores of the matrices that were drawn, and the painted one's contest. */
export interface Scores {
  readonly drawn: readonly number[];
  readonly of: number;
  readonly painted: Contest | null;
}

export class Contests extends Session implements Work<Break, Scores> {
  readonly starting = false;
  of = 0;
  errors: readonly EngineError[] = [];
  painted: Contest | null = null; // of the last matrix that was fitted
  trouble: EngineError | null = null; // with the matrix that was painted or drawn last
  listener: () => void = () => undefined; // hears of the painted one at once

  private settings: Break | null = null;
  private scores: readonly number[] = [];
  private wanted: Pairs | null = null; // the next matrix to fit, if one waits
  private last = ""; // that was asked for
  private fitting: Promise<void> | null = null;

  constructor(
    private readonly pool: Pool,
    notify: () => void,
  ) {
    super(notify);
  }

  /** The run, with the matrix that is painted now. */
  get run(): Run<Break, Scores> | null {
    const { settings, phase, scores, of, painted } = this;
    if (!settings) return null;
    const m = painted ? write([...painted.pairs]) : settings.m;
    return { settings: { ...settings, m }, plan: { drawn: scores, of, painted }, tracks: [], phase, whole: phase !== "stopped" };
  }

  get over(): number {
    return this.scores.length;
  }

  /** Fits the matrices that the seed draws, and the painted one. */
  async start(settings: Break): Promise<boolean> {
    Object.assign(this, { settings, of: settings.draws, scores: [], errors: [] });
    await this.begin(async (signal) => {
      await this.fit(read(settings.m) ?? []);
      await this.pool.each(null, [...Array.from({ length: settings.draws }).keys()], {
        signal,
        work: async (number, lease) => {
          const { score } = await lease.call("contest", { pairs: new Float64Array(), seed: settings.seed, number });
          this.scores = [...this.scores, score];
          this.notify();
        },
        failed: (_, error) => (this.errors = [...this.errors, error]),
      });
    });
    return true;
  }

  close(): void {
    this.stop();
  }

  jobs(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }

  /** Fits the painted matrix, one call at a time. Of those painted meanwhile it fits the last. */
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
      const { result, error } = await this.contest(next, 0, 0);
      this.trouble = error;
      if (result) this.painted = result;
      else if (!this.wanted) this.last = ""; // so that it can be tried again
      this.tell();
    }
  }

  /** The seed's matrix of that number; null after an error, which trouble holds. */
  async drawn(seed: number, number: number): Promise<Pairs | null> {
    const { result, error } = await this.contest(null, seed, number);
    if (error) {
      this.trouble = error;
      this.tell();
    }
    return result && [...result.pairs];
  }

  private contest(pairs: Pairs | null, seed: number, number: number): Promise<Answer<Contest>> {
    return answerOf(this.pool.call("contest", { pairs: Float64Array.from(pairs ?? []), seed, number }));
  }

  private tell(): void {
    this.listener();
    this.notify();
  }
}
