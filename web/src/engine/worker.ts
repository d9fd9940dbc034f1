// One engine in one web worker: Go's WebAssembly behind the calls of protocol.ts.
// Built as a classic script with Go's wasm_exec.js in front of it, so that a
// blob can importScripts it where a worker may not come from another origin.
import kernelBytes from "../../../core/kernel/simd/kernel.wasm";
import { Fault, type Heed, type Piece, type Pieces, type Unpacked } from "../packed/piece.js";
import type { Readers } from "../packed/readers.js";
import { MemorySource, type Source } from "../packed/source.js";
import { packed as strings } from "../packed/strings.js";
import { link } from "./link.mjs";
import { response, type Answer, type Boot, type Open, type Request, type Sign } from "./messages.js";
import type { EngineError, Note, Sky, Table } from "./protocol.js";
import { over, unread } from "./strings.js";

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

type Opening = Extract<Request, { args: Open }>;

type Outcome<T> = { readonly result: T } | { readonly error: EngineError };

/** What wasm/main.go registers. No function throws before the engine ends. A function in which it ends returns nothing; the page hears of the end by itself. */
interface Engine {
  call(name: string, args: object): Outcome<unknown> | undefined;
  openBegin(args: { call: Opening["call"]; name: string; query: string }): Outcome<number> | undefined;
  openWrite(handle: number, bytes: Uint8Array): Outcome<null> | undefined;
  openEnd(handle: number): Outcome<Table | Sky> | undefined;
  openCancel(handle: number): Outcome<null> | undefined;
}

interface Scope {
  ifmlab?: Engine;
  onmessage: ((event: MessageEvent<Boot | Request>) => void) | null;
  onmessageerror: (() => void) | null;
  postMessage(message: Answer, transfer?: Transferable[]): void;
}

function failure(kind: string, message: string): EngineError {
  return { kind, message, file: "", line: 0, column: 0, field: "", found: "" };
}

/** The buffers of an answer's own columns, which are moved to the page; nested ones are copied. */
function buffers(result: unknown): Transferable[] {
  if (typeof result !== "object" || result === null) return [];
  return Object.values(result).flatMap((value: unknown) => (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : []));
}

/** Bytes read at a time: 64 kB would cost seconds for 100 MB. */
const sliceSize = 2 << 20;

/**
 * Slices on their way. A slice arrives only while the engine does not read, so one alone
 * would mostly be waited for. A cancel is heard in some 80 ms.
 */
const slicesAhead = 3;

function ofFile(text: string): Note {
  return { topic: "file", columns: [], cells: 0, text, ask: false, answers: [] };
}

async function* slices(file: Source): AsyncGenerator<Piece, void, void> {
  let at = 0;
  const ask = (): Promise<Piece> | undefined => {
    if (at >= file.size) return undefined;
    const loaded = Math.min(at + sliceSize, file.size);
    const slice = file.slice(at, loaded).arrayBuffer().then((buffer) => ({ bytes: new Uint8Array(buffer), loaded }));
    at = loaded;
    slice.catch(() => undefined); // who waits for it is told
    return slice;
  };
  const ahead = Array.from({ length: slicesAhead }, ask);
  for (let next = ahead.shift(); next; next = ahead.shift()) {
    ahead.push(ask());
    yield next;
  }
}

/** How files that are packed begin: gzip, zip and what is made of it, Parquet, old Office. */
const PACKED = /^(\x1f\x8b|PK\x03\x04|PK\x05\x06|PAR1|PARE|\xd0\xcf\x11\xe0)/;

/** Charsets that the browser decodes before the engine reads. */
const DECODED = ["windows-1251", "shift_jis", "gbk"];

async function opened(file: Source, name: string, query: string, readers: readonly string[], heed: Heed): Promise<Unpacked> {
  const found = await asPacked(file, name, query, readers, heed);
  const charset = new URLSearchParams(query).get("charset") ?? "";
  return DECODED.includes(charset) && !found.settings.includes("charset=") ? { ...found, settings: `${found.settings}&charset=utf-8`, pieces: decoded(found.pieces, charset) } : found;
}

async function* decoded(pieces: Pieces, charset: string): AsyncGenerator<Piece, void, void> {
  const decoder = new TextDecoder(charset);
  const encoder = new TextEncoder();
  let read = 0;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    read = next.value.loaded;
    yield { bytes: encoder.encode(decoder.decode(next.value.bytes, { stream: true })), loaded: read };
  }
  yield { bytes: encoder.encode(decoder.decode()), loaded: read };
}

async function asPacked(file: Source, name: string, query: string, readers: readonly string[], heed: Heed): Promise<Unpacked> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (!PACKED.test(String.fromCharCode(...head))) return { name, settings: "", choices: [], notices: [], pieces: slices(file) };
  const asked = new URLSearchParams(query);
  const wanted = { member: asked.get("member") ?? "", sheet: asked.get("sheet") ?? "" };
  const brotli = (): Readers["brotli"] => reader("brotli", readers);
  return reader("unpack", readers)(file, name, { wanted, keep: (asked.get("keep") ?? "").split(","), parquet: () => reader("parquet", readers)(brotli), heed });
}

function reader<Name extends keyof Readers>(name: Name, readers: readonly string[]): Readers[Name] {
  const script = readers.find((address) => new RegExp(`/${name}[^/]*$`).test(address));
  try {
    if (!globalThis.ifmLabReaders?.[name] && script) importScripts(script);
  } catch {
    // told below
  }
  const found = globalThis.ifmLabReaders?.[name];
  if (!found) throw new Fault(strings.lost);
  return found as Readers[Name];
}

/** Whether an error says why a file cannot be read. Each script has a class of its own for it. */
function isFault(reason: unknown): reason is Fault {
  return reason instanceof Error && reason.name === "Fault";
}

function reads(): Promise<boolean> {
  return new Blob(["?"]).arrayBuffer().then(
    () => true,
    () => false,
  );
}

class Cancelled extends Error {}

/** Listens to what Go writes, which goes on to the console until it is this. Returns what tells whether it was. */
function hear(what: RegExp): () => boolean {
  const { fs } = globalThis as unknown as { fs: { writeSync(file: number, bytes: Uint8Array): number } }; // wasm_exec.js's
  const write = fs.writeSync.bind(fs);
  let heard = false;
  fs.writeSync = (file, bytes) => {
    heard ||= what.test(new TextDecoder().decode(bytes));
    return heard ? bytes.length : write(file, bytes);
  };
  return () => heard;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function serve(scope: Scope): void {
  const cancelled = new Set<number>(); // ids of open calls
  let readers: readonly string[] = [];
  let ended = false; // the engine has

  const answer = (id: number, outcome: Outcome<unknown> | undefined): void => {
    if (!outcome) return;
    if ("error" in outcome) scope.postMessage({ id, error: outcome.error });
    else scope.postMessage({ id, result: outcome.result }, buffers(outcome.result));
  };

  /** Reads a file, and then the second of two with the first. */
  async function open(engine: Engine, { id, call, args }: Opening, first: Table | null = null): Promise<void> {
    const { second } = args;
    const own = first && second ? second.file : args.file;
    const query = first && second ? `${args.query}&${second.as}=${first.table}` : args.query;
    const { name } = own;
    const file: Source = own instanceof File ? own : new MemorySource(own.bytes);
    let handle: number | undefined;
    let pieces: Pieces | undefined;
    let told = 0;
    const refuse = (error: EngineError): void => {
      if (handle !== undefined && !ended) engine.openCancel(handle);
      answer(id, { error });
    };
    const heed: Heed = async (loaded) => {
      if (performance.now() - told > 50) {
        scope.postMessage({ id, progress: { loaded, total: file.size } });
        await turn();
        told = performance.now();
      }
      if (cancelled.has(id)) throw new Cancelled();
    };
    try {
      const unpacked = await opened(file, name, query, readers, heed);
      ({ pieces } = unpacked);
      const { settings, choices, notices } = unpacked;
      const begun = engine.openBegin({ call, name: unpacked.name, query: settings ? `${query}&${settings}` : query });
      if (!begun || "error" in begun) return answer(id, begun);
      handle = begun.result;
      for (;;) {
        const next = await pieces.next();
        if (cancelled.has(id)) throw new Cancelled();
        if (next.done) break;
        const { bytes, loaded } = next.value;
        const written = bytes.length > 0 ? engine.openWrite(handle, bytes) : { result: null };
        if (!written || "error" in written) return answer(id, written);
        await heed(loaded);
      }
      const made = engine.openEnd(handle);
      if (!made || call === "sky" || "error" in made) return answer(id, made);
      const table = made.result as Table;
      const fixed = (["separator", "header", "charset"] as const).filter((key) => settings.includes(`${key}=`));
      const ofPacked = notices.map((notice) => (typeof notice === "string" ? ofFile(notice) : notice));
      const asks = table.asks + ofPacked.filter(({ ask }) => ask).length;
      const whole = { ...table, notes: [...ofPacked, ...table.notes], asks, choices, fixed } satisfies Table;
      if (second && !first) return await open(engine, { id, call, args }, whole);
      answer(id, { result: first ? { ...whole, choices: first.choices ?? [], fixed: first.fixed ?? [] } : whole });
    } catch (reason) {
      if (reason instanceof Cancelled) return refuse(failure("Cancelled", ""));
      const message = isFault(reason) ? `${name}: ${reason.message}` : unread(name, reason);
      const error = { ...failure(isFault(reason) && reason.message === strings.lost ? "Absent" : "FileError", message), file: name };
      refuse(isFault(reason) && reason.choice ? { ...error, kind: "ChoiceError", choice: reason.choice } : error);
    } finally {
      cancelled.delete(id);
      void pieces?.return?.();
      if (first && !ended) engine.call("close", { handle: first.table });
    }
  }

  async function boot(message: Boot): Promise<void> {
    ({ readers } = message);
    const asked = reads();
    const go = new Go();
    const kernel = link(kernelBytes);
    const imports = { ...go.importObject, ...kernel.imports };
    const instance = message.module
      ? await WebAssembly.instantiate(message.module, imports)
      : (await WebAssembly.instantiate(await (await response(message.wasm)).arrayBuffer(), imports)).instance;
    kernel.attach(instance);
    const full = hear(/out of memory/);
    const end = (reason: string): void => {
      ended = true;
      scope.postMessage({ crashed: full() ? over.full : reason, full: full() });
    };
    void go.run(instance).then(
      () => end(over.itself),
      (reason: unknown) => end(String(reason)),
    );
    if (scope.ifmlab) scope.postMessage({ ready: true, reads: await asked });
  }

  scope.onmessage = ({ data }) => {
    if ("wasm" in data) {
      boot(data).catch((reason: unknown) => scope.postMessage({ crashed: String(reason) }));
      return;
    }
    const engine = scope.ifmlab;
    if (!engine) {
      answer(data.id, { error: failure("NotReady", "the engine has not started") });
    } else if (data.call === "open" || data.call === "sky") {
      void open(engine, data);
    } else if (data.call === "cancel") {
      cancelled.add(data.args.id);
    } else {
      answer(data.id, engine.call(data.call, data.args));
    }
  };
  scope.onmessageerror = () => scope.postMessage({ crashed: "a message could not be read" });
  void sign().then((made) => scope.postMessage(made));
}

/** A lock is held only where it must be: it keeps a page from coming back as it was when its reader does. */
async function sign(): Promise<Sign> {
  const picture = URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'], { type: "image/svg+xml" }));
  return { picture, held: self.origin === "null" && (await hold(picture)) };
}

/** Takes a lock for ever; false where there is none, as in a sandboxed frame. */
function hold(name: string): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const granted = (): Promise<never> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(name, granted).catch(reject);
  }).catch(() => false);
}

serve(globalThis as unknown as Scope);
