// What is asked of a run's rows once its models are trained, slice by slice: it
// can be stopped, and begun anew.
import { Round, type Lease } from "../engine/calls.js";
import type { Engine } from "../engine/engine.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, Found } from "../engine/protocol.js";

/** What has come of a study. */
export interface Studied<Answer> {
  readonly state: "idle" | "offered" | "going" | "done" | "stopped" | "failed"; // offered: it takes long, and waits to be asked for
  readonly seconds: number; // that it may take, roughly; 0: not known
  readonly answers: ReadonlyMap<number, Answer>; // the last of each run that has begun, by its place
  readonly error: EngineError | null;
}

/** Runs of their own on the rows of one that is over: a trial each, or a model. */
export interface Subject {
  readonly query: string;
  readonly opened: Opened;
  readonly cells: readonly number[]; // of the query
  readonly found: ReadonlyMap<number, Found>; // by the folds of each cell; empty without folds
}

export class Study<Answer extends { readonly done: boolean }> {
  private round = new Round();
  private found: Studied<Answer> = { state: "idle", seconds: 0, answers: new Map(), error: null };

  /** ask does a slice of the work on the rows of a run; lasts says of what has come how many seconds the whole may take. */
  constructor(
    private readonly pool: Pool,
    private readonly ask: (engine: Engine, run: number) => Promise<Answer>,
    private readonly lasts: (answer: Answer) => number,
    private readonly changed: () => void,
  ) {}

  snapshot(): Studied<Answer> {
    return this.found;
  }

  offer(seconds: number): void {
    this.lay({ state: "offered", seconds });
  }

  /** Asks until all is done, from the beginning; what turns out to take more than so many seconds is offered instead. Resolves then, or when it is stopped. */
  async begin({ query, opened, cells, found }: Subject, most = Number.POSITIVE_INFINITY): Promise<void> {
    this.round.end();
    const round = new Round();
    this.round = round;
    this.lay({ state: "going", answers: new Map(), error: null });
    const work = async ([trial, cell]: readonly [number, number], lease: Lease): Promise<void> => {
      const { run } = await round.start(lease, query, cell, { fold: -1, found: found.get(cell) ?? null });
      for (let done = false; !done; ) {
        const answer = await round.ask(lease, (engine) => this.ask(engine, run));
        if (this.lasts(answer) > most) {
          round.end();
          this.lay({ state: "offered", seconds: this.lasts(answer), answers: new Map() });
          return;
        }
        done = answer.done;
        this.lay({ answers: new Map(this.found.answers).set(trial, answer) });
      }
    };
    await round.each([...cells.entries()], this.pool.spread(opened), () => this.pool.lease(opened), work, (_, error) => this.lay({ error }));
    this.pool.settle(opened);
    if (!round.over) this.lay({ state: this.found.error ? "failed" : "done" });
  }

  /** Ends it where it is going. A worker that does not come back from its slice is ended too. */
  stop(): void {
    if (this.found.state !== "going") return;
    this.round.end();
    this.lay({ state: "stopped" });
  }

  /** Ends it and forgets what has come of it. */
  forget(): void {
    this.round.end();
    this.found = { state: "idle", seconds: 0, answers: new Map(), error: null };
  }

  private lay(some: Partial<Studied<Answer>>): void {
    this.found = { ...this.found, ...some };
    this.changed();
  }
}
