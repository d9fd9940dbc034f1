// One engine in one web worker: Go's WebAssembly behind the calls of protocol.ts.
// Built as a classic script with Go's wasm_exec.js in front of it, so that a
// blob can importScripts it where a worker may not come from another origin.
import kernelBytes from "../../../core/kernel/simd/kernel.wasm";
import { link } from "./link.mjs";
import { response, type Answer, type Boot, type Open, type Request, type Sign } from "./messages.js";
import type { EngineError, Sky, Table } from "./protocol.js";

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

type Opening = Extract<Request, { args: Open }>;

type Outcome<T> = { readonly result: T } | { readonly error: EngineError };

/** What wasm/main.go registers. No function throws. */
interface Engine {
  call(name: string, args: object): Outcome<unknown>;
  openBegin(args: { call: Opening["call"]; name: string; query: string }): Outcome<number>;
  openWrite(handle: number, bytes: Uint8Array): Outcome<null>;
  openEnd(handle: number): Outcome<Table | Sky>;
  openCancel(handle: number): Outcome<null>;
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

/** The buffers of the typed arrays in an answer: moved to the page, not copied. */
function buffers(result: unknown): Transferable[] {
  if (typeof result !== "object" || result === null) return [];
  return Object.values(result).flatMap((value: unknown) => (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : []));
}

/**
 * Bytes read at a time. A slice has a price, 64 kB at a time costs seconds for
 * 100 MB.
 */
const sliceSize = 2 << 20;

/**
 * How many slices are on their way. A slice arrives only while the engine does
 * not read, so that with one of them most of the time would pass in waiting for
 * it. A cancel is heard when those and the one after have been read, in some 80 ms.
 */
const slicesAhead = 3;

/** What is read of a file in one go. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly loaded: number; // of the file, so far
}

/** The pieces of a file in order, null after the last. */
type Pieces = () => Promise<Piece | null>;

/** The slices of a file, in order, those ahead already asked for. */
function slices(file: File): Pieces {
  let at = 0;
  const ask: Pieces = () => {
    if (at >= file.size) return Promise.resolve(null);
    const loaded = Math.min(at + sliceSize, file.size);
    const slice = file.slice(at, loaded).arrayBuffer().then((buffer) => ({ bytes: new Uint8Array(buffer), loaded }));
    at = loaded;
    slice.catch(() => undefined); // who waits for it is told
    return slice;
  };
  const ahead = Array.from({ length: slicesAhead }, ask);
  return () => {
    ahead.push(ask());
    return ahead.shift() ?? ask();
  };
}

/** What a gzip archive holds, in order. */
function unpacked(file: File): Pieces {
  let loaded = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, out) {
      loaded += bytes.length;
      out.enqueue(bytes);
    },
  });
  const reader = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")).getReader();
  return async () => {
    const { value } = await reader.read();
    return value ? { bytes: value, loaded } : null;
  };
}

/** Whether a file begins as a gzip archive does, and this browser can unpack it. */
async function isPacked(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b && "DecompressionStream" in globalThis;
}

function serve(scope: Scope): void {
  const cancelled = new Set<number>(); // ids of open calls

  const answer = (id: number, outcome: Outcome<unknown>): void => {
    if ("error" in outcome) scope.postMessage({ id, error: outcome.error });
    else scope.postMessage({ id, result: outcome.result }, buffers(outcome.result));
  };

  async function open(engine: Engine, { id, call, args: { file, query } }: Opening): Promise<void> {
    const begun = engine.openBegin({ call, name: file.name, query });
    if ("error" in begun) {
      answer(id, begun);
      return;
    }
    const handle = begun.result;
    let told = 0;
    let packed = false;
    try {
      packed = call === "sky" && (await isPacked(file));
      const next = packed ? unpacked(file) : slices(file);
      for (;;) {
        const piece = await next();
        if (cancelled.delete(id)) {
          engine.openCancel(handle);
          answer(id, { error: failure("Cancelled", "") });
          return;
        }
        if (!piece) break;
        const written = engine.openWrite(handle, piece.bytes);
        if ("error" in written) {
          answer(id, written);
          return;
        }
        if (performance.now() - told > 50) {
          told = performance.now();
          scope.postMessage({ id, progress: { loaded: piece.loaded, total: file.size } });
        }
      }
    } catch (reason) {
      engine.openCancel(handle);
      const message = `${file.name} could not be ${packed ? "unpacked" : "read"} to its end (${String(reason)}); is it ${packed ? "whole, and " : ""}still where it was?`;
      answer(id, { error: { ...failure("FileError", message), file: file.name } });
      return;
    }
    answer(id, engine.openEnd(handle));
  }

  async function boot(message: Boot): Promise<void> {
    const go = new Go();
    const kernel = link(kernelBytes);
    const imports = { ...go.importObject, ...kernel.imports };
    const instance = message.module
      ? await WebAssembly.instantiate(message.module, imports)
      : (await WebAssembly.instantiate(await (await response(message.wasm)).arrayBuffer(), imports)).instance;
    kernel.attach(instance);
    const ended = go.run(instance).then(
      () => "it ended",
      (reason: unknown) => String(reason),
    );
    void ended.then((reason) => scope.postMessage({ crashed: reason }));
    if (scope.ifmlab) scope.postMessage({ ready: true });
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

/** Takes a lock for ever. false where there is none, as in a sandboxed frame. */
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
