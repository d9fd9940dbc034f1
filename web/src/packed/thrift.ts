// Values in Thrift's compact protocol, as core/packed/thrift.go reads them:
// github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;
const DEEP = 40;
const LONG = 7; // bytes of a number: 48 bits and its sign

/** Reads the value of a field, whose kind it is given. */
type Read = (kind: number) => void;

export class Thrift {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("a structure ends too soon");
    return byte;
  }

  private unsigned(): number {
    let number = 0;
    for (let i = 0; i < LONG; i++) {
      const byte = this.byte();
      number += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return number;
    }
    throw new RangeError("a number is too long");
  }

  /** A whole number of any width. */
  integer(kind: number): number {
    if (kind === BYTE) return (this.byte() << 24) >> 24;
    expect(kind > BYTE && kind <= I64);
    const number = this.unsigned();
    return number % 2 ? -(number + 1) / 2 : number / 2;
  }

  boolean(kind: number): boolean {
    expect(kind === TRUE || kind === FALSE);
    return kind === TRUE;
  }

  text(kind: number): string {
    expect(kind === BINARY);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.take(this.unsigned()));
  }

  private take(length: number): Uint8Array {
    this.expectLeft(length);
    return this.bytes.subarray(this.at, (this.at += length));
  }

  private expectLeft(length: number): void {
    if (length > this.bytes.length - this.at) throw new RangeError("something in its footer is said to be longer than the footer");
  }

  list(kind: number, read: Read): void {
    expect(kind === LIST);
    const head = this.byte();
    const length = head >> 4 === 15 ? this.unsigned() : head >> 4;
    this.expectLeft(length); // each value takes a byte at least
    for (let n = length; n > 0; n--) read(head & 15);
  }

  /** Reads the fields of a structure that have a reader, and skips the others. */
  fields(kind: number, readers: Readonly<Record<number, Read>>, depth = 0): void {
    expect(kind === STRUCT);
    for (let field = 0, head = this.byte(); head !== 0; head = this.byte()) {
      const before = field;
      field = head >> 4 ? field + (head >> 4) : this.integer(I64);
      expect(field > before);
      const read = readers[field];
      if (read) read(head & 15);
      else this.skip(head & 15, depth);
    }
  }

  private skip(kind: number, depth: number): void {
    expect(depth <= DEEP);
    if (kind === TRUE || kind === FALSE) return; // the kind is the value
    if (kind >= BYTE && kind <= I64) this.integer(kind);
    else if (kind === DOUBLE) this.take(8);
    else if (kind === BINARY) this.take(this.unsigned());
    else if (kind === LIST) this.list(kind, (of) => void (of === TRUE || of === FALSE ? this.byte() : this.skip(of, depth + 1)));
    else this.fields(kind, {}, depth + 1);
  }
}

function expect(fits: boolean): void {
  if (!fits) throw new TypeError("a structure has a field of another kind than it should");
}
