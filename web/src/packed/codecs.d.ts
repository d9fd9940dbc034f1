// hyparquet-compressors has types for its index alone, which would bring all that it has.
declare module "hyparquet-compressors/src/brotli.js" {
  export function decompressBrotli(packed: Uint8Array, size: number): Uint8Array;
}
declare module "hyparquet-compressors/src/gzip.js" {
  export function gunzip(packed: Uint8Array, output: Uint8Array): Uint8Array;
}
declare module "hyparquet-compressors/src/lz4.js" {
  export function decompressLz4(packed: Uint8Array, size: number): Uint8Array;
  export function decompressLz4Raw(packed: Uint8Array, size: number): Uint8Array;
}
