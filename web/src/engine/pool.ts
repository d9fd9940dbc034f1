// The pool of engines, and a reader's files spread over it. What opens tables is an
// engine of its own, which is loaded when the first table comes.
import { again, answerOf, inPlace, Lease, patiently } from "./calls.js";
import { changed as strings } from "./changed.js";
import { Engine, EngineFailure, isGone, stopped, unusable, type Program } from "./engine.js";
import type { Progress, Second } from "./messages.js";
import type { Calls, EngineError, Sky, Table } from "./protocol.js";

/** Above this size a file stays in the worker that read it, and all its runs are there. */
export const SHARED_BYTES = 64 * 1024 * 1024;

interface Shared {
  readonly file: File;
  readonly second?: Second | undefined;
  readonly query: string; // the settings it was read under
  readonly home: Engine;
  readonly copies: Map<Engine, EngineCopy>;
}

export interface Opened extends Shared {
  readonly table: Table;
}

export interface OpenedSky extends Shared {
  readonly sky: Sky;
}

interface EngineCopy {
  readonly life: number; // of the engine
  readonly read: Promise<number>; // of this engine alone
  readonly handle: Promise<number>; // the same; rejects once it is known whether another holds the file
}

/** A reading without its handle: equal for two readings of an unchanged file. */
function fingerprint(read: Table | Sky): string {
  return JSON.stringify(read, (key, value: unknown) => (key === "table" || key === "sky" ? 0 : value));
}

function alone(opened: (Shared & { readonly table?: Table }) | null): boolean {
  return opened !== null && Math.max(opened.file.size, opened.table?.bytes ?? 0) >= SHARED_BYTES; // of what was packed, what it unpacks to
}

function holding(home: Engine, handle: number): Shared["copies"] {
  const read = Promise.resolve(handle);
  return new Map([[home, { life: home.life, read, handle: read }]]);
}

/** Reads an opened file in one more engine. Rejects where it is not what it was. */
async function readAgain(opened: Opened | OpenedSky, engine: Engine): Promise<number> {
  const { file, query, second } = opened;
  const read = await engine.read("sky" in opened ? "sky" : "open", { file, query, second });
  const handle = "sky" in read ? read.sky : read.table;
  if (fingerprint(read) === fingerprint("sky" in opened ? opened.sky : opened.table)) return handle;
  engine.close(handle, engine.life);
  throw new EngineFailure(unusable(strings.other(file.name)));
}

/** An engine other than this one that holds what was read of a file. */
async function keeperOf({ copies }: Shared, other: Engine): Promise<Engine | undefined> {
  for (const [engine, { life, read }] of copies) {
    const holds = engine !== other && life === engine.life && (await read.then(() => true, () => false));
    if (holds && life === engine.life) return engine;
  }
  return undefined;
}

interface Work<Task> {
  readonly signal: AbortSignal; // ends all of it
  readonly work: (task: Task, lease: Lease) => Promise<void>;
  readonly failed: (task: Task, error: EngineError) => void;
  readonly ready?: () => Promise<void>; // resolves once the next task may be begun
  readonly lanes?: number | undefined; // tasks at a time; else one an engine
  readonly place?: (task: Task) => Lease;
}

type CallOnTable = { [Name in keyof Calls]: Calls[Name]["args"] extends { readonly table: number } ? Name : never }[keyof Calls];

/** The work of a pool: on drawn rows, or on tables and the models of files. */
export type Part = "figure" | "table";

export class Pool {
  private readonly engines: readonly Engine[];
  private readonly tables: readonly Engine[]; // the engines of tables
  private readonly closed = new WeakSet<Shared>();
  private readonly kept = new WeakMap<Shared, Engine>(); // still holds the old rows of a changed file

  get size(): number {
    return this.engines.length;
  }

  constructor(program: Program, size: number, tables = program) {
    const all = (of: Program): readonly Engine[] => Array.from({ length: Math.max(1, size) }, () => new Engine(of));
    this.engines = all(program);
    this.tables = tables === program ? this.engines : all(tables);
  }

  warm(part: Part): void {
    this.idlest(part === "table" ? this.tables : this.engines).warm();
  }

  async up(): Promise<void> {
    await this.call("info", { query: "" });
  }

  /** Makes a call in the engine with the least work. An abort rejects, and ends a worker that does not return. */
  call<Name extends keyof Calls>(name: Name, args: Calls[Name]["args"], part: Part = "figure", signal = new AbortController().signal): Promise<Calls[Name]["result"]> {
    return again(() => {
      const engine = this.idlest(part === "table" ? this.tables : this.engines);
      return patiently(engine, signal, () => engine.call(name, args));
    });
  }

  /** Makes a call about a table in the engine that holds it. The signal is that of call. */
  callOn<Name extends CallOnTable>(opened: Opened, name: Name, args: Omit<Calls[Name]["args"], "table">, signal = new AbortController().signal): Promise<Calls[Name]["result"]> {
    return again(() => {
      const home = this.kept.get(opened) ?? opened.home;
      return patiently(home, signal, async () => home.call(name, { ...args, table: await this.handle(opened, home) } as Calls[Name]["args"]));
    });
  }

  /** How many engines the runs on a file, or on none, can be spread over. */
  spread(opened: Shared | null): number {
    return alone(opened) || this.stale(opened) ? 1 : this.size;
  }

  /** Whether a file has changed, or cannot be read any more, since it was opened. Its runs are on what was read of it. */
  stale(opened: Shared | null): boolean {
    return opened !== null && this.kept.has(opened);
  }

  /** A place for the next run: in the only engine that holds the file, else in the preferred one, else in the idlest. */
  lease(opened: Opened | OpenedSky | null, preferred?: Engine): Lease {
    const only = opened && (this.kept.get(opened) ?? (alone(opened) ? opened.home : undefined));
    const engine = only ?? preferred ?? this.idlest(opened ? this.tables : this.engines);
    return new Lease(engine, () => (opened ? this.handle(opened, engine) : Promise.resolve(0)));
  }

  /**
   * Does tasks in their order, several at a time, and takes them from the list. Resolves
   * when all are done or have failed, or the signal is aborted.
   */
  async each<Task>(opened: Opened | OpenedSky | null, tasks: Task[], { signal, work, failed, ready, lanes = this.spread(opened), place = () => this.lease(opened) }: Work<Task>): Promise<void> {
    const lane = async (): Promise<void> => {
      for (;;) {
        await ready?.();
        const [task] = signal.aborted ? [] : tasks.splice(0, 1);
        if (task === undefined) return;
        const { error } = await answerOf(inPlace(signal, () => place(task), (lease) => work(task, lease)));
        if (error && !signal.aborted) failed(task, error);
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, tasks.length) }, lane));
    if (opened) this.settle(opened);
  }

  open(file: File, query: string, progress: (progress: Progress) => void, signal: AbortSignal, second?: Second): Promise<Opened> {
    return again(async () => {
      const home = this.idlest(this.tables);
      const table = await patiently(home, signal, () => home.read("open", { file, query, second }, progress, signal));
      return { file, second, query, table, home, copies: holding(home, table.table) };
    });
  }

  /** Reads an IONEX file or a table of pierce points, recognised by its content. */
  openSky(file: File, query: string, progress: (progress: Progress) => void, signal: AbortSignal): Promise<OpenedSky> {
    return again(async () => {
      const home = this.idlest();
      const sky = await patiently(home, signal, () => home.read("sky", { file, query }, progress, signal));
      return { file, query, sky, home, copies: holding(home, sky.sky) };
    });
  }

  /** The file's handle in an engine, which reads it again if it does not hold it. */
  handle(opened: Opened | OpenedSky, engine: Engine): Promise<number> {
    const copy = opened.copies.get(engine);
    if (copy && copy.life === engine.life) return copy.handle;
    const { life } = engine;
    const read = readAgain(opened, engine);
    const handle = read.catch((reason: unknown) => this.elsewhere(opened, engine, reason));
    opened.copies.set(engine, { life, read, handle });
    handle.catch(() => {
      if (opened.copies.get(engine)?.handle === handle) opened.copies.delete(engine); // the next one tries again
    });
    return handle;
  }

  /**
   * If the file has changed, sends all runs to an engine that still holds the old rows;
   * rejects if none does.
   */
  private async elsewhere(opened: Shared, engine: Engine, reason: unknown): Promise<never> {
    if (!(reason instanceof EngineFailure) || isGone(reason.detail)) throw reason;
    const keeper = await keeperOf(opened, engine);
    if (keeper === undefined) throw new EngineFailure(unusable(strings.gone(opened.file.name)));
    this.kept.set(opened, keeper);
    throw new EngineFailure(stopped());
  }

  /** Releases a file that was closed while a run was on it: the run may have read it again. */
  settle(opened: Opened | OpenedSky): void {
    if (this.closed.has(opened)) this.close(opened);
  }

  close(opened: Opened | OpenedSky): void {
    this.closed.add(opened);
    for (const [engine, { life, handle }] of opened.copies) handle.then((id) => engine.close(id, life), () => undefined);
    opened.copies.clear();
  }

  /** The engine with the least work. If one has to start for tables, one that rests is ended: there are no more engines than processors without need. */
  private idlest(of = this.engines): Engine {
    const found = of.reduce((best, engine) => (engine.work < best.work ? engine : best));
    if (of !== this.engines && !found.begun) this.engines.findLast((engine) => engine.rests)?.restart(stopped());
    return found;
  }
}
