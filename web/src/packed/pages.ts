// The values of one column of a Parquet file, page by page, as core/packed/pages.go
// reads them: github.com/apache/parquet-format/blob/master/Encodings.md.
import type { Chunk, Element } from "./footer.js";
import { bytesOf, Fault, type Most } from "./piece.js";
import type { Source } from "./source.js";
import { packed as strings } from "./strings.js";
import { Thrift } from "./thrift.js";
import { crc32 } from "./zip.js";

export type Value = number | bigint | boolean | Uint8Array | null;

/** Unpacks what a codec has packed to so many bytes. */
export type Unpack = (codec: number, packed: Uint8Array<ArrayBuffer>, size: number) => Promise<Uint8Array>;

const BYTES = 32; // of a value that is bytes, besides them
const WINDOW = 1 << 16; // bytes read at once, of which a page has often fewer
const STRUCT = 12;

const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const RLE = 3;
const DELTA_BINARY_PACKED = 5;
const DELTA_LENGTH_BYTE_ARRAY = 6;
const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;
const BYTE_STREAM_SPLIT = 9;

const DATA = 0;
const INDEX = 1;
const DICTIONARY = 2;
const DATA_V2 = 3;

interface Header {
  readonly type: number;
  readonly unpacked: number; // bytes
  readonly packed: number;
  readonly crc: number;
  readonly values: number;
  readonly encoding: number;
  readonly levels: number; // their encoding in a DATA page, and their bytes in a DATA_V2 page
  readonly repetitions: number; // bytes
  readonly nulls: number;
  readonly rows: number;
  readonly compressed: boolean;
}

function ends(fits: boolean): void {
  if (!fits) throw new RangeError("a page ends too soon");
}

function header(page: Thrift): Header {
  let [type, unpacked, packed, crc, values, encoding, levels, repetitions, nulls, rows] = [-1, -1, -1, 0, -1, -1, -1, 0, -1, -1];
  let compressed = true;
  let seen = -1; // the kind of page that is described
  const describes = (kind: number, fields: Readonly<Record<number, (of: number) => void>>) => (of: number): void => {
    seen = kind;
    page.fields(of, fields);
  };
  const number = (set: (value: number) => void) => (of: number): void => set(page.integer(of));
  const count = number((value) => (values = value));
  const coded = number((value) => (encoding = value));
  page.fields(STRUCT, {
    1: number((value) => (type = value)),
    2: number((value) => (unpacked = value)),
    3: number((value) => (packed = value)),
    4: number((value) => (crc = value)),
    5: describes(DATA, { 1: count, 2: coded, 3: number((value) => (levels = value)) }),
    7: describes(DICTIONARY, { 1: count, 2: coded }),
    8: describes(DATA_V2, {
      1: count,
      2: number((value) => (nulls = value)),
      3: number((value) => (rows = value)),
      4: coded,
      5: number((value) => (levels = value)),
      6: number((value) => (repetitions = value)),
      7: (of) => (compressed = page.boolean(of)),
    }),
  });
  if (type !== INDEX && (seen !== type || values < 0)) throw new RangeError("a page is of an unknown kind");
  return { type, unpacked, packed, crc, values, encoding, levels, repetitions, nulls, rows, compressed };
}

interface Page {
  readonly stored: ArrayLike<Value>;
  readonly levels?: Uint32Array; // 0 where a value is missing
  readonly values: number;
}

export class ColumnReader {
  private dictionary: ArrayLike<Value> | undefined;
  private page: Page = { stored: [], values: 0 };
  private at = 0; // values taken from the page
  private next = 0; // of those stored, which the missing are not
  private left: number;
  private window = new Uint8Array();
  private start = 0; // of the window

  constructor(
    private readonly file: Source,
    private readonly element: Element,
    private readonly chunk: Chunk,
    private readonly unpack: Unpack,
    private readonly most: Most,
    private place = chunk.from, // of the next page in the file
  ) {
    this.left = chunk.values;
  }

  /** The next n values. */
  async take(n: number): Promise<Value[]> {
    const values: Value[] = [];
    while (values.length < n) {
      if (this.at === this.page.values) {
        this.page = await this.read();
        this.at = this.next = 0;
      }
      const { stored, levels } = this.page;
      for (const end = Math.min(this.page.values, this.at + n - values.length); this.at < end; this.at++) values.push(levels && !levels[this.at] ? null : (stored[this.next++] as Value));
    }
    return values;
  }

  private async bytes(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const { to } = this.chunk;
    if (this.place < this.start || this.place + length > this.start + this.window.length) {
      this.window = await bytesOf(this.file, this.place, Math.min(to, this.place + Math.max(length, WINDOW)));
      this.start = this.place;
    }
    return this.window.subarray(this.place - this.start);
  }

  private async header(): Promise<Header> {
    for (let length = Math.min(this.chunk.to - this.place, 1 << 10); ; length = Math.min(this.chunk.to - this.place, 32 * length)) {
      const bytes = await this.bytes(length);
      const page = new Thrift(bytes);
      try {
        const read = header(page);
        this.place += page.at;
        return read;
      } catch (reason) {
        if (bytes.length >= this.chunk.to - this.place) throw reason; // else statistics may be long
      }
    }
  }

  /** The next page. A dictionary has no values. */
  private async read(): Promise<Page> {
    ends(this.place < this.chunk.to);
    const page = await this.header();
    const { type, encoding, values, unpacked } = page;
    ends(page.packed >= 0 && page.packed <= this.chunk.to - this.place && unpacked >= 0);
    if (unpacked > this.most.held) throw new Fault(strings.large(this.most.held));
    const packed = (await this.bytes(page.packed)).subarray(0, page.packed);
    this.place += page.packed;
    if (page.crc !== 0 && page.crc >>> 0 !== crc32(0, packed)) throw new Error("a page was changed since it was written");
    if (type === INDEX) return { stored: [], values: 0 };
    if (type === DICTIONARY) {
      if (this.dictionary || (encoding !== PLAIN && encoding !== PLAIN_DICTIONARY)) throw new RangeError("a dictionary is of an unknown kind");
      this.dictionary = this.plain(await this.unpack(this.chunk.codec, packed, unpacked), values);
      return { stored: [], values: 0 };
    }
    ends(values <= this.left);
    this.left -= values;
    const optional = this.element.repetition > 0;
    let bytes: Uint8Array;
    let levels: Uint32Array | undefined;
    if (type === DATA) {
      bytes = await this.unpack(this.chunk.codec, packed, unpacked);
      if (optional) {
        if (page.levels !== RLE) throw new RangeError("levels are of an unknown kind");
        const end = 4 + uint32(bytes, 0);
        ends(end <= bytes.length);
        levels = hybrid(bytes.subarray(4, end), 1, values);
        bytes = bytes.subarray(end);
      }
    } else {
      const { repetitions, nulls, rows } = page;
      const end = repetitions + page.levels;
      ends(repetitions >= 0 && end >= repetitions && end <= Math.min(packed.length, unpacked) && rows === values);
      if (optional) levels = hybrid(packed.subarray(repetitions, end), 1, values);
      bytes = await this.unpack(page.compressed ? this.chunk.codec : 0, packed.subarray(end), unpacked - end);
      if (nulls !== values - (levels ? sum(levels) : values)) throw new RangeError("a page does not have its missing values");
    }
    return { stored: this.decode(bytes, encoding, levels ? sum(levels) : values), values, ...(levels && { levels }) };
  }

  private decode(bytes: Uint8Array, encoding: number, count: number): ArrayLike<Value> {
    if (count === 0) return [];
    const { type } = this.element;
    if (encoding === PLAIN) return this.plain(bytes, count);
    if (encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY) {
      const { dictionary = [] } = this;
      return Array.from(hybrid(bytes.subarray(1), bytes[0] ?? 0, count), (index) => {
        const value = dictionary[index];
        if (value === undefined) throw new RangeError("a dictionary ends too soon");
        return value;
      });
    }
    if (encoding === RLE && type === "BOOLEAN") {
      const end = 4 + uint32(bytes, 0);
      ends(end <= bytes.length);
      return Array.from(hybrid(bytes.subarray(4, end), 1, count), Boolean);
    }
    if (encoding === DELTA_BINARY_PACKED && (type === "INT32" || type === "INT64")) return deltas(bytes, 0, count, type === "INT32" ? 32 : 64).values;
    if (encoding === DELTA_LENGTH_BYTE_ARRAY && type === "BYTE_ARRAY") {
      this.bounded(count);
      const lengths = deltas(bytes, 0, count, 32);
      return parts(bytes, lengths.end, lengths.values);
    }
    if (encoding === DELTA_BYTE_ARRAY && (type === "BYTE_ARRAY" || type === "FIXED_LEN_BYTE_ARRAY")) return this.prefixed(bytes, count);
    if (encoding === BYTE_STREAM_SPLIT && type !== "BOOLEAN" && type !== "INT96" && type !== "BYTE_ARRAY") {
      const size = bytes.length / count;
      const joined = new Uint8Array(bytes.length);
      if (size === width(this.element)) for (let i = 0; i < bytes.length; i++) joined[(i % count) * size + Math.floor(i / count)] = bytes[i] ?? 0;
      else throw new RangeError("a page does not have its values");
      return this.plain(joined, count);
    }
    throw new RangeError("values are of an unknown kind");
  }

  /** Byte arrays that begin as the one before does. */
  private prefixed(bytes: Uint8Array, count: number): Uint8Array[] {
    this.bounded(count);
    const prefixes = deltas(bytes, 0, count, 32);
    const lengths = deltas(bytes, prefixes.end, count, 32);
    let before = new Uint8Array();
    let total = 0;
    return parts(bytes, lengths.end, lengths.values).map((suffix, i) => {
      const prefix = Number(prefixes.values[i]);
      ends(prefix >= 0 && prefix <= before.length);
      total += prefix;
      if (total > this.most.held) throw new Fault(strings.large(this.most.held));
      const whole = new Uint8Array(prefix + suffix.length);
      whole.set(before.subarray(0, prefix));
      whole.set(suffix, prefix);
      ends(this.element.type === "BYTE_ARRAY" || whole.length === this.element.length);
      return (before = whole);
    });
  }

  /** So many values are bytes. */
  private bounded(count: number): void {
    if (count * BYTES > this.most.held) throw new Fault(strings.large(this.most.held));
  }

  private plain(bytes: Uint8Array, count: number): ArrayLike<Value> {
    const { type } = this.element;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const values: Value[] = [];
    if (type === "BOOLEAN") {
      ends(count <= 8 * bytes.length);
      for (let i = 0; i < count; i++) values.push((((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1);
      return values;
    }
    if (type === "BYTE_ARRAY") {
      ends(count <= bytes.length / 4);
      this.bounded(count);
      for (let i = 0, at = 0; i < count; i++) {
        const end = at + 4 + uint32(bytes, at);
        ends(end <= bytes.length);
        values.push(bytes.subarray(at + 4, end));
        at = end;
      }
      return values;
    }
    const size = width(this.element);
    ends(size > 0 && count <= Math.floor(bytes.length / size));
    if (type === "INT32") return Int32Array.from({ length: count }, (_, i) => view.getInt32(4 * i, true));
    if (type === "INT64") return BigInt64Array.from({ length: count }, (_, i) => view.getBigInt64(8 * i, true));
    if (type === "FLOAT") return Float32Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true));
    if (type === "DOUBLE") return Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true));
    this.bounded(count);
    return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  }
}

function uint32(bytes: Uint8Array, at: number): number {
  ends(at + 4 <= bytes.length);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

function sum(levels: Uint32Array): number {
  return levels.reduce((all, level) => all + level, 0);
}

/** The bytes of a value. */
function width({ type, length }: Element): number {
  return type === "INT32" || type === "FLOAT" ? 4 : type === "INT96" ? 12 : type === "FIXED_LEN_BYTE_ARRAY" ? length : 8;
}

/** Runs of equal numbers of so many bits, and numbers side by side. */
function hybrid(bytes: Uint8Array, bits: number, count: number): Uint32Array {
  ends(bits <= 32);
  const numbers = new Uint32Array(count);
  for (let at = 0, done = 0; done < count; ) {
    const head = varint(bytes, at);
    const left = count - done;
    const size = Number(head.value >> 1n);
    at = head.end;
    if (head.value & 1n) {
      const n = Math.min(8 * size, left);
      ends(Math.ceil((n * bits) / 8) <= bytes.length - at);
      for (let i = 0; i < n; i++) numbers[done++] = slice(bytes, 8 * at + i * bits, bits);
      at += size * bits;
    } else {
      const value = slice(bytes, 8 * at, 8 * Math.ceil(bits / 8));
      at += Math.ceil(bits / 8);
      ends(at <= bytes.length && value < 2 ** bits);
      numbers.fill(value, done, (done += Math.min(size, left)));
    }
  }
  return numbers;
}

/** The number of so many bits, 32 at most, from a bit on. */
function slice(bytes: Uint8Array, bit: number, bits: number): number {
  const shift = bit % 8;
  let number = 0;
  for (let i = 0, at = (bit - shift) / 8; 8 * i < shift + bits; i++) number += (bytes[at + i] ?? 0) * 2 ** (8 * i);
  return Math.floor(number / 2 ** shift) % 2 ** bits;
}

function varint(bytes: Uint8Array, at: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80 && value < 1n << 64n) return { value, end: at + i + 1 };
  }
  throw new RangeError("a number is too long");
}

/** Whole numbers by their differences, in blocks of smaller blocks. */
function deltas(bytes: Uint8Array, from: number, count: number, bits: number): { readonly values: Int32Array | BigInt64Array; readonly end: number } {
  let at = from;
  const unsigned = (): bigint => {
    const { value, end } = varint(bytes, at);
    at = end;
    return value;
  };
  const signed = (): bigint => {
    const value = unsigned();
    return (value >> 1n) ^ -(value & 1n);
  };
  const block = Number(unsigned());
  const parts = Number(unsigned());
  const size = block / parts;
  if (parts === 0 || block > 1 << 30 || size % 8 !== 0 || size === 0 || unsigned() !== BigInt(count)) throw new RangeError("a page does not have its values");
  let value = BigInt.asIntN(bits, signed());
  const values = bits === 32 ? new Int32Array(count) : new BigInt64Array(count);
  const set = (i: number): void => {
    if (values instanceof Int32Array) values[i] = Number(value);
    else values[i] = value;
  };
  set(0);
  for (let done = 1; done < count; ) {
    const least = signed();
    const widths = bytes.subarray(at, at + parts);
    ends(widths.length === parts);
    at += parts;
    for (let i = 0; i < parts && done < count; i++) {
      const width = widths[i] ?? 0;
      const end = at + (size / 8) * width;
      ends(width <= 64 && end <= bytes.length);
      for (let bit = 8 * at, j = Math.min(size, count - done); j > 0; j--, bit += width) {
        const low = BigInt(slice(bytes, bit, Math.min(width, 32)));
        const more = width > 32 ? low | (BigInt(slice(bytes, bit + 32, width - 32)) << 32n) : low;
        value = BigInt.asIntN(bits, value + least + more);
        set(done++);
      }
      at = end;
    }
  }
  return { values, end: at };
}

/** Byte arrays of these lengths, one after the other. */
function parts(bytes: Uint8Array, from: number, lengths: Int32Array | BigInt64Array): Uint8Array[] {
  let at = from;
  return Array.from(lengths as Int32Array, (length) => {
    const end = at + length;
    ends(length >= 0 && end <= bytes.length);
    const part = bytes.subarray(at, end);
    at = end;
    return part;
  });
}
