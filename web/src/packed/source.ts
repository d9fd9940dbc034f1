// Where bytes are read from.

export interface Source {
  readonly size: number;
  slice(from: number, to?: number): Source;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Bytes in memory: unpacked, or of a file that a worker may not read, as in WebKit on a page from a disk. */
export class MemorySource implements Source {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  slice(from: number, to?: number): MemorySource {
    return new MemorySource(this.bytes.subarray(from, to));
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.bytes.slice().buffer);
  }
}
