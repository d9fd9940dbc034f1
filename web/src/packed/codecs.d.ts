// hyparquet-compressors has types for its index alone, which would bring all that it has.
declare module "hyparquet-compressors/src/brotli.js" {
  export function decompressBrotli(packed: Uint8Array, size: number): Uint8Array;
}
