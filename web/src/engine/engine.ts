// One worker as the page sees it: calls that return promises, and a new worker
// in place of one that died or had to be ended.
import { response, type Answer, type Boot, type Open, type Progress, type Request, type Sign } from "./messages.js";
import { during } from "./pending.js";
import type { Calls, EngineError, Readings, Start } from "./protocol.js";

/** Where a build put the worker, and what each is told first. */
export interface Program {
  readonly worker: URL;
  readonly boot: () => Promise<Boot>;
  readonly renew: () => Promise<boolean>; // fetches it past the cache; false where that is no use
  readonly explain: (reason: string) => Promise<EngineError>; // why it did not start
}

/** An error of the engine, with its place in a file where it has one. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
  constructor(readonly detail: EngineError) {
    super(detail.message);
  }
}

/** Compiles the engine once for all workers, off the main thread, when it is first asked for. */
export function load(worker: URL, readers: readonly URL[], engine: Promise<Boot["wasm"]>, time: Promise<void>): Program {
  let boot: Promise<Boot> | undefined;
  let renewed: Promise<boolean> | undefined;
  const forbidden = violations();
  const begin = async (): Promise<Boot> => {
    const wasm = await engine;
    const module = await WebAssembly.compileStreaming(response(wasm)).catch(() => null); // a worker then tries by itself and tells why it failed,
    if (!module) boot = undefined; // and the next one finds what has come meanwhile
    return { wasm, module, readers: readers.map(({ href }) => href) };
  };
  const files = async (): Promise<URL[]> => {
    const wasm = await engine;
    return typeof wasm === "string" ? [worker, new URL(wasm)] : [];
  };
  const renew = async (): Promise<boolean> => {
    const from = await files();
    if (from.length === 0 || forbidden.size > 0) return false;
    const came = await Promise.all(from.map((file) => fetch(file, { cache: "reload" }).then(async (answer) => answer.ok && (await answer.arrayBuffer()).byteLength > 0, () => false)));
    boot = undefined;
    const all = came.every(Boolean);
    if (!all) renewed = undefined; // the network may be back when it is asked for again
    return all;
  };
  return {
    worker,
    boot: () => (boot ??= time.then(() => during(begin()))),
    renew: () => (renewed ??= during(renew())),
    explain: explainer(files, forbidden),
  };
}

function violations(): ReadonlySet<string> {
  const forbidden = new Set<string>();
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => forbidden.add(`${effectiveDirective} ${blockedURI}`.slice(0, 99)));
  return forbidden;
}

function explainer(files: () => Promise<URL[]>, forbidden: ReadonlySet<string>): Program["explain"] {
  return (reason) =>
    Promise.all([import("./unstarted.js"), files()]).then(
      async ([{ explain }, from]) => ({ ...lost(await explain(reason, [...forbidden], from)), kind: "Unstarted" }),
      () => ({ ...lost(reason), kind: "NotStarted" }),
    );
}

/** The rows that a run takes of a table whose settings ask for folds. */
export type On = Pick<Start, "fold" | "crossValidation">;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: EngineFailure) => void;
  readonly progress: ((progress: Progress) => void) | undefined;
}

export class Engine {
  /** Counts this engine's workers: a handle is valid only in its own life. */
  life = 0;
  ended: EngineError = lost("");
  load = 0;

  /** Runs that it holds and calls without an answer; 0: it is free. */
  get work(): number {
    return this.load + this.asked;
  }

  up = false;
  private reads = true; // its worker, files

  get begun(): boolean {
    return this.started !== undefined;
  }

  /** Whether it is idle. Ending it loses only files, which are read again when they are needed. */
  get rests(): boolean {
    return this.up && this.work === 0;
  }

  private readonly program: Program;
  private worker: Worker | undefined;
  private started: Promise<Worker> | undefined;
  private abandon: ((reason: EngineFailure) => void) | undefined; // tells those who wait for the start
  private watch: Watch | undefined;
  private waiting = new Map<number, Waiting>();
  private asked = 0; // calls that wait for their answer, or for the worker to start
  private lastId = 0;

  constructor(program: Program) {
    this.program = program;
  }

  /** Starts the worker before there is a call; the first call tells if that fails. */
  warm(): void {
    this.boot().catch(() => undefined);
  }

  /** Makes a call. A film never ends, so its calls do not keep the page pending. */
  call<Name extends keyof Calls>(name: Name, args: Calls[Name]["args"], film = false): Promise<Calls[Name]["result"]> {
    return this.counted(async (worker) => {
      const answer = this.send(worker, { id: ++this.lastId, call: name, args }) as Promise<Calls[Name]["result"]>;
      return film ? answer : during(answer);
    });
  }

  /** Streams a file into the engine. Aborting the signal asks the worker to stop that. */
  read<Name extends keyof Readings>(call: Name, args: Open, progress?: (progress: Progress) => void, signal?: AbortSignal): Promise<Readings[Name]> {
    return this.counted(async (worker) => {
      if (signal?.aborted) throw new EngineFailure(cancelled());
      const id = ++this.lastId;
      const cancel = (): void => worker.postMessage({ id: 0, call: "cancel", args: { id } } satisfies Request);
      signal?.addEventListener("abort", cancel);
      try {
        return (await during(this.send(worker, { id, call, args: this.reads ? args : await lend(args) }, progress))) as Readings[Name];
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    });
  }

  close(handle: number, life: number): void {
    if (life === this.life) this.call("close", { handle }).catch(() => undefined); // an engine that is gone holds nothing
  }

  /** Ends the worker with all that it holds; the next call starts another. */
  restart(why: EngineError): void {
    this.watch?.off();
    this.worker?.terminate();
    this.worker = undefined;
    this.started = undefined;
    this.watch = undefined;
    this.up = false;
    this.life++;
    this.ended = why;
    this.load = 0;
    this.abandon?.(new EngineFailure(why));
    const { waiting } = this;
    this.waiting = new Map();
    for (const { reject } of waiting.values()) reject(new EngineFailure(why));
  }

  /** Asks the worker once it has started, and counts the call until its answer. */
  private async counted<Result>(ask: (worker: Worker) => Promise<Result>): Promise<Result> {
    this.asked++;
    try {
      return await ask(await this.boot());
    } finally {
      this.asked--;
    }
  }

  private send(worker: Worker, request: Request, progress?: (progress: Progress) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (worker !== this.worker) {
        reject(new EngineFailure(this.ended));
        return;
      }
      this.waiting.set(request.id, { resolve, reject, progress });
      worker.postMessage(request);
      void this.watch?.on();
    });
  }

  private boot(): Promise<Worker> {
    this.started ??= this.spawn();
    return this.started;
  }

  /** Pending from when the worker is told to start: until then it may wait to be seen. */
  private spawn(): Promise<Worker> {
    const started = new Promise<Worker>((resolve, reject) => {
      this.abandon = reject;
      this.begin(() => started, resolve);
    });
    return started;
  }

  /** Starts a worker. If it does not start, its files may be damaged: they are fetched past the cache, and one more is tried. */
  private begin(started: () => Promise<Worker>, resolve: (worker: Worker) => void, renewed = false): void {
    const worker = launch(this.program.worker);
    this.worker = worker;
    const end = (why: EngineError): void => {
      if (worker === this.worker) this.restart(why);
    };
    const crash = async (reason: string, kind = "Lost"): Promise<void> => {
      if (worker !== this.worker || this.up) return end({ ...lost(reason), kind });
      if (renewed || !(await this.program.renew())) return end(await this.program.explain(reason));
      if (worker !== this.worker) return;
      this.watch?.off();
      worker.terminate();
      this.begin(started, resolve, true);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      void crash(event.message || "it could not be loaded");
    };
    worker.onmessageerror = () => void crash("an answer could not be read");
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (worker !== this.worker) return;
      if ("picture" in data) {
        this.watch = new Watch(data, () => worker === this.worker && (!this.up || this.waiting.size > 0), () => end(lost("")));
        void this.watch.on();
      } else if ("ready" in data) {
        this.up = true;
        this.reads = data.reads;
        resolve(worker);
      } else if ("crashed" in data) {
        void crash(data.crashed, data.full ? "Full" : "Lost");
      } else {
        this.receive(data);
      }
    };
    const tell = (boot: Boot): void => {
      void during(started());
      try {
        worker.postMessage(boot);
      } catch {
        worker.postMessage({ ...boot, module: null } satisfies Boot); // this browser does not pass a compiled module here
      }
    };
    this.program.boot().then(tell, (reason: unknown) => end({ ...lost(String(reason)), kind: "NotStarted" }));
  }

  private receive(answer: Extract<Answer, { id: number }>): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if ("progress" in answer) {
      waiting.progress?.(answer.progress);
      return;
    }
    this.waiting.delete(answer.id);
    if ("error" in answer) waiting.reject(new EngineFailure(answer.error));
    else waiting.resolve(answer.result);
  }
}

function lost(reason: string): EngineError {
  return { kind: "Lost", message: reason, file: "", line: 0, column: 0, field: "", found: "" };
}

/** Reads a file here. If that fails, the worker tries and reports the error. */
async function lend({ file, query, second }: Open): Promise<Open> {
  const lent = async (file: Open["file"]): Promise<Open["file"]> => {
    const bytes = file instanceof File ? await file.arrayBuffer().catch(() => null) : null;
    return bytes ? { name: file.name, bytes: new Uint8Array(bytes) } : file;
  };
  return { file: await lent(file), query, second: second && { ...second, file: await lent(second.file) } };
}

export function unusable(message: string): EngineError {
  return { ...lost(message), kind: "FileError" };
}

/** The error of a file of the page that could not be fetched. */
export function absent(message: string): EngineError {
  return { ...lost(message), kind: "Absent" };
}

/** Whether a file of the page, or of the engine, did not come, so that it is asked for again once the network is back. */
export function isAbsent(error: EngineError | null | undefined): boolean {
  return error?.kind === "Absent" || error?.kind === "Unstarted" || error?.kind === "NotStarted";
}

/** The error of calls whose worker was ended because of another call. */
export function stopped(): EngineError {
  return { ...lost(""), kind: "Stopped" };
}

/** Whether the worker is gone, so that another can be asked. */
export function isGone({ kind }: EngineError): boolean {
  return kind === "Stopped" || kind === "Lost" || kind === "Full";
}

/** Whether the engine failed, whatever it was asked: it went away, did not start or panicked. */
export function isOfTheEngine(error: EngineError): boolean {
  return isGone(error) || error.kind === "Unstarted" || error.kind === "NotStarted" || error.kind === "panicked";
}

export function cancelled(): EngineError {
  return { ...lost(""), kind: "Cancelled" };
}

/** Starts a worker. A page of another origin than the script's, or of none (a sandboxed frame), needs a blob that imports it. */
function launch(script: URL): Worker {
  if (self.origin === script.origin) {
    try {
      return new Worker(script);
    } catch {
      // the policy of this page allows no worker from here: try the blob
    }
  }
  const blob = URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(script.href)})`], { type: "text/javascript" }));
  const worker = new Worker(blob);
  setTimeout(() => URL.revokeObjectURL(blob), 60_000); // long after the worker has read it
  return worker;
}

const EVERY = 1500; // ms between two looks

/**
 * Tells when a worker is gone that said nothing: it closed itself, or the browser
 * ended it for want of memory. A busy worker cannot be asked, but a picture that it
 * has made goes with it. If a policy forbids that picture, nothing is looked at.
 */
class Watch {
  private readonly shows: Promise<boolean>;
  private readonly image = new Image();
  private looks = 0;
  private looking = false;

  constructor(
    private readonly sign: Sign,
    private readonly wanted: () => boolean,
    private readonly gone: () => void,
  ) {
    this.shows = sign.held ? Promise.resolve(false) : this.look();
    if (sign.held) void navigator.locks.request(sign.picture, gone); // granted when the worker is gone
  }

  async on(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    for (let missed = 0; this.wanted() && (await this.shows); ) {
      await new Promise((resolve) => setTimeout(resolve, EVERY));
      missed = !this.wanted() || (await this.look()) ? 0 : missed + 1;
      if (missed === 2 && this.wanted()) this.gone(); // one could be chance: a page that is left shows no picture
    }
    this.looking = false;
  }

  off(): void {
    this.image.removeAttribute("src"); // or the browser complains of a picture that is on its way
  }

  private look(): Promise<boolean> {
    return new Promise((resolve) => {
      this.image.onload = () => resolve(true);
      this.image.onerror = () => resolve(false);
      this.image.src = `${this.sign.picture}#${++this.looks}`; // always another, or the browser shows what it has from before
    });
  }
}
