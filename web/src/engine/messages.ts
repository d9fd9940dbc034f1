// What the page and a worker post to each other.
import type { Calls, EngineError, Readings } from "./protocol.js";

/** The first message to a worker. Without module the worker compiles wasm, an address or the file itself. */
export interface Boot {
  readonly wasm: string | Blob;
  readonly module: WebAssembly.Module | null;
  readonly readers: readonly string[]; // addresses of the scripts for packed files; none where they are built in
}

export interface Open {
  readonly file: File | Lent;
  readonly query: string;
  readonly second?: Second | undefined;
}

/** A file of the same columns, whose rows come below those of the first, or are the test rows. */
export interface Second {
  readonly file: File | Lent;
  readonly as: "below" | "tests";
}

/** A file that the page has read for a worker that may read none. */
interface Lent {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type Request =
  | { readonly id: number; readonly call: keyof Readings; readonly args: Open }
  | { readonly id: number; readonly call: "cancel"; readonly args: { readonly id: number } } // stops reading a file; gets no answer
  | { readonly id: number; readonly call: keyof Calls; readonly args: Calls[keyof Calls]["args"] };

export interface Progress {
  readonly loaded: number; // bytes
  readonly total: number;
}

/** What shows that a worker lives. It is told before all else. */
export interface Sign {
  readonly picture: string; // an address of its own, which is gone with it
  readonly held: boolean; // it holds the lock of that name: on a page from a file Chromium shows no picture
}

export type Answer =
  | Sign
  | { readonly ready: true; readonly reads: boolean } // files, itself: WebKit's workers may not on a page from a disk
  | { readonly crashed: string; readonly full?: boolean } // full: for want of memory
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: EngineError }
  | { readonly id: number; readonly progress: Progress };

/** What WebAssembly compiles while it comes. */
export function response(wasm: Boot["wasm"]): Promise<Response> {
  return typeof wasm === "string" ? fetch(wasm) : Promise.resolve(new Response(wasm));
}
