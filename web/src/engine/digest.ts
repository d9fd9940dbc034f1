// A digest of all that a run has recorded, to the last bit: whoever runs the same
// query again, wherever, finds the same one.
import type { Records } from "./protocol.js";

const COLUMNS = ["candidate", "rank", "lambda", "weights", "hats", "iteration", "train", "valid", "test", "passes", "errorW", "errorM", "lead"] as const satisfies readonly (keyof Records)[];

const LOW = 0x1b3; // FNV's prime is 2⁴⁰ + 0x1b3
const SIZE = 2 ** 32;

/**
 * 64-bit FNV-1a over the float64 bits of records, little-endian. All NaNs count as one,
 * since their bits differ between machines.
 */
export class Digest {
  private high = 0xcbf29ce4;
  private low = 0x84222325;
  private readonly value = new Float64Array(1);
  private readonly bytes = new Uint8Array(this.value.buffer);

  /** Reads on. It costs some 100 bytes a record. */
  add(records: Records): void {
    for (let i = 0; i < records.iteration.length; i++) for (const column of COLUMNS) this.number(records[column][i] ?? Number.NaN);
  }

  text(text: string): void {
    for (const byte of new TextEncoder().encode(text)) this.byte(byte);
  }

  get hex(): string {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }

  private number(value: number): void {
    this.value[0] = value;
    if (Number.isNaN(value)) this.bytes.set([0, 0, 0, 0, 0, 0, 0xf8, 0x7f]);
    for (let i = 0; i < 8; i++) this.byte(this.bytes[i] ?? 0);
  }

  private byte(byte: number): void {
    const low = (this.low ^ byte) >>> 0;
    const product = low * LOW; // below 2⁴¹
    this.high = (this.high * LOW + Math.floor(product / SIZE) + ((low << 8) >>> 0)) >>> 0;
    this.low = product >>> 0;
  }
}
