// Where bytes are read from.

/** What is read of a file. Files and Blobs are such. */
export interface Source {
  readonly size: number;
  slice(from: number, to?: number): Source;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Bytes in memory: what was unpacked, or a file where a worker may read neither files nor Blobs, as WebKit's may not on a page from a disk. */
export class Held implements Source {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  slice(from: number, to?: number): Held {
    return new Held(this.bytes.subarray(from, to));
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.bytes.slice().buffer);
  }
}
