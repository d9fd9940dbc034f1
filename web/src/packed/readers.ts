// The scripts that read what is packed, each of which a worker loads when the
// first such file comes. The offline file has them in its worker.
import type { ReadParquet } from "./unpack.js";
import type { unpack } from "./unpack.js";

export interface Readers {
  readonly unpack: typeof unpack; // gzip, zip, workbooks
  readonly parquet: (brotli: () => Readers["brotli"]) => ReadParquet;
  readonly brotli: (packed: Uint8Array, size: number) => Uint8Array; // a tenth of it decodes, the rest is a dictionary
}

declare global {
  var ifmLabReaders: Partial<Readers> | undefined;
}

export function provide(readers: Partial<Readers>): void {
  globalThis.ifmLabReaders = { ...globalThis.ifmLabReaders, ...readers };
}
