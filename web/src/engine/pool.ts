// The pool of engines, and a reader's files spread over it. What opens tables is an
// engine of its own, which is loaded when the first table comes.
import { again, Lease, patiently } from "./calls.js";
import { Engine, EngineFailure, stopped, type Program } from "./engine.js";
import type { Progress } from "./messages.js";
import type { Contest, Described, Explained, Exported, Form, Info, Plan, Predicted, Sky, Table } from "./protocol.js";

/** Above this size a file stays in the worker that read it, and all its runs are there. */
export const SHARED_BYTES = 64 * 1024 * 1024;

/** A file that has been read: what the engine said of it, and where it is held. */
interface Shared {
  readonly file: File;
  readonly query: string; // the settings it was read under
  readonly home: Engine;
  readonly held: Map<Engine, Held>;
}

export interface Opened extends Shared {
  readonly table: Table;
}

/** A file for the ionosphere experiment. */
export interface OpenedSky extends Shared {
  readonly sky: Sky;
}

interface Held {
  readonly life: number; // of the engine
  readonly handle: Promise<number>;
}

function alone(opened: (Shared & { readonly table?: Table }) | null): boolean {
  return opened !== null && Math.max(opened.file.size, opened.table?.bytes ?? 0) >= SHARED_BYTES; // of what was packed, what it unpacks to
}

function holding(home: Engine, handle: number): Shared["held"] {
  return new Map([[home, { life: home.life, handle: Promise.resolve(handle) }]]);
}

/** The work of a pool: on drawn rows, or on tables and the models of files. */
export type Part = "figure" | "table";

export class Pool {
  private readonly engines: readonly Engine[];
  private readonly tables: readonly Engine[]; // those that open tables; the same ones where one program does both
  private readonly closed = new WeakSet<Shared>();

  get size(): number {
    return this.engines.length;
  }

  constructor(program: Program, size: number, tables = program) {
    const all = (of: Program): readonly Engine[] => Array.from({ length: Math.max(1, size) }, () => new Engine(of));
    this.engines = all(program);
    this.tables = tables === program ? this.engines : all(tables);
  }

  /** Starts an engine of a part before there is work for it. */
  warm(part: Part): void {
    this.idlest(part === "table" ? this.tables : this.engines).warm();
  }

  /** Rejects if no engine can be started. */
  async up(): Promise<void> {
    await this.info("");
  }

  /** What the engine says of a query: its cells and the points of its sweep. */
  info(query: string): Promise<Info> {
    return again(() => this.idlest().info(query));
  }

  /** How many engines the runs on a file, or on none, can be spread over. */
  spread(opened: Shared | null): number {
    return alone(opened) ? 1 : this.size;
  }

  /** A place for the next run: in the only engine that holds a large file, else in the preferred one, else in the one with the fewest runs. */
  lease(opened: Opened | OpenedSky | null, preferred?: Engine): Lease {
    const engine = opened && alone(opened) ? opened.home : (preferred ?? this.idlest(opened ? this.tables : this.engines));
    return new Lease(engine, () => (opened ? this.handle(opened, engine) : Promise.resolve(0)));
  }

  /** Reads a table. What was opened before is not touched. */
  open(file: File, query: string, progress: (progress: Progress) => void, signal: AbortSignal): Promise<Opened> {
    return again(async () => {
      const home = this.idlest(this.tables);
      const table = await patiently(home, signal, () => home.open({ file, query }, progress, signal));
      return { file, query, table, home, held: holding(home, table.table) };
    });
  }

  /** Reads an IONEX file or a table of pierce points, recognised by what is in it. What was opened before is not touched. */
  openSky(file: File, query: string, progress: (progress: Progress) => void, signal: AbortSignal): Promise<OpenedSky> {
    return again(async () => {
      const home = this.idlest();
      const sky = await patiently(home, signal, () => home.openSky({ file, query }, progress, signal));
      return { file, query, sky, home, held: holding(home, sky.sky) };
    });
  }

  /** The file's handle in an engine, which reads it again if it does not hold it. */
  handle(opened: Opened | OpenedSky, engine: Engine): Promise<number> {
    const held = opened.held.get(engine);
    if (held && held.life === engine.life) return held.handle;
    const { file, query } = opened;
    const handle = "sky" in opened ? engine.openSky({ file, query }).then(({ sky }) => sky) : engine.open({ file, query }).then(({ table }) => table);
    opened.held.set(engine, { life: engine.life, handle });
    handle.catch(() => {
      if (opened.held.get(engine)?.handle === handle) opened.held.delete(engine); // whoever asked sees the error; the next one tries again
    });
    return handle;
  }

  /** A table of drawn rows, as a file that could have been dropped. */
  async generate(query: string): Promise<File> {
    const { name, bytes } = await again(() => this.idlest().generate(query));
    return new File([new Uint8Array(bytes)], name, { type: "text/csv" });
  }

  plan(opened: Opened, query: string): Promise<Plan> {
    return again(async () => opened.home.plan(await this.handle(opened, opened.home), query));
  }

  /** FM against iFM on six features' interactions; see [Engine.contest]. */
  contest(pairs: readonly number[] | null, seed: number, number: number): Promise<Contest> {
    return again(() => this.idlest().contest(pairs, seed, number));
  }

  /** Says what a model file holds. */
  describe(model: Uint8Array): Promise<Described> {
    return again(() => this.idlest(this.tables).describe(model));
  }

  /** Writes the model of a file as other programs take it. */
  export(model: Uint8Array, form: Form): Promise<Exported> {
    return again(() => this.idlest(this.tables).export(model, form));
  }

  /** Predicts every row of a table by the model of a file. Aborting the signal rejects; a worker that is still at it then is ended. */
  predict(opened: Opened, model: Uint8Array, signal: AbortSignal): Promise<Predicted> {
    const { home } = opened;
    return again(() => patiently(home, signal, async () => home.predict(await this.handle(opened, home), model)));
  }

  /** Takes the prediction of a model for the row on a line of a table apart. */
  explain(opened: Opened, model: Uint8Array, line: number): Promise<Explained> {
    const { home } = opened;
    return again(async () => home.explain(await this.handle(opened, home), model, line));
  }

  /** Lets go of a file once a run on it is over, if it was closed meanwhile: the run may have read it again. */
  settle(opened: Opened | OpenedSky): void {
    if (this.closed.has(opened)) this.close(opened);
  }

  /** Lets go of a file everywhere. */
  close(opened: Opened | OpenedSky): void {
    this.closed.add(opened);
    const kind = "sky" in opened ? "sky" : "table";
    for (const [engine, { life, handle }] of opened.held) {
      void handle.then((id) => engine.close(kind, id, life)).catch((reason: unknown) => {
        if (!(reason instanceof EngineFailure)) throw reason; // an engine that is gone holds nothing
      });
    }
    opened.held.clear();
  }

  /** The engine with the fewest runs. Where another is to be started for tables, one that rests is ended: together no more than the processors are kept without need. */
  private idlest(of = this.engines): Engine {
    const found = of.reduce((best, engine) => (engine.load < best.load ? engine : best));
    if (of !== this.engines && !found.begun) this.engines.findLast((engine) => engine.rests)?.restart(stopped());
    return found;
  }
}
