// The flat columns of a Parquet file as the text of a table, to the byte as
// core/packed/parquet.go writes it. No value loses a digit.
import { cell, clock, date, fixed, instant, numeral } from "./csv.js";
import { unpacker } from "./decompress.js";
import { fits, readFooter, type Element, type Flat, type Footer } from "./footer.js";
import { ColumnReader, type Unpack, type Value } from "./pages.js";
import { bytesOf, Fault, type Most, type Piece, type Unpacked } from "./piece.js";
import type { Readers } from "./readers.js";
import { packed as strings } from "./strings.js";
import type { Source } from "./source.js";
import type { ReadParquet } from "./unpack.js";

const ROWS = 1 << 15; // held at once
const VALUE = 8; // bytes of a value: a byte may stand for a million equal ones
const WRITTEN = 1 << 20; // characters given on together

interface Column extends Flat {
  readonly write: (value: NonNullable<Value>) => string;
}

export function readParquet(brotli: () => Readers["brotli"]): ReadParquet {
  return async (file, name, most): Promise<Unpacked> => {
    const length = await trying(() => footerLength(file, most));
    const end = file.size - 8 - length;
    const { groups, columns: flat, nested, binary } = await trying(async () => readFooter(await bytesOf(file, end, end + length)));
    if (flat.length === 0) throw new Fault(binary.length > 0 ? strings.noValuesLeft(binary) : nested.length > 0 ? strings.nestedOnly(nested) : strings.noColumns);
    const columns = flat.map((one): Column => ({ ...one, write: writer(one.element) }));
    for (const { rows, chunks } of groups) {
      for (const column of columns) {
        const chunk = chunks[column.leaf];
        if (!chunk || !fits(column, chunk, rows, end)) throw new Fault(strings.damagedParquet(`column ${column.element.name} is not as its footer says`));
        if (Math.max(chunk.unpacked, VALUE * chunk.values) > most.held) throw new Fault(strings.large(most.held));
      }
    }
    return { name, settings: "charset=utf-8&separator=comma&header=yes", choices: [], notices: [...(nested.length > 0 ? [strings.nested(nested)] : []), ...(binary.length > 0 ? [strings.noValues(binary)] : [])], pieces: lines(file, groups, columns, unpacker(brotli), most) };
  };
}

/** How long the footer is. It may not have more bytes, or structures, each of which ends with a zero, than core/packed/footer.go takes. */
async function footerLength(file: Source, most: Most): Promise<number> {
  const tail = await bytesOf(file, Math.max(0, file.size - 8), file.size);
  if (file.size < 12 || String.fromCharCode(...tail.subarray(4)) !== "PAR1") throw new RangeError("its end is missing");
  const length = new DataView(tail.buffer).getUint32(0, true);
  const end = file.size - 8;
  if (length > end - 4) throw new RangeError("its footer is said to be longer than the file");
  if (length > most.held / 32 || (await bytesOf(file, end - length, end)).reduce((zeros, byte) => zeros + Number(byte === 0), 0) > most.held / 128) throw new RangeError("its footer is longer than any should be");
  return length;
}

/** Whatever is thrown is damage: these bytes come from anywhere. */
async function trying<T>(read: () => T | Promise<T>, where = ""): Promise<T> {
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof Fault || reason instanceof DOMException) throw reason; // the file itself could not be read
    throw new Fault(strings.damagedParquet(where + (reason instanceof Error ? reason.message : String(reason))));
  }
}

const MOST_SCALE = 100; // zeros that a scale adds to each cell; no decimal of a database has more than 76 digits

/** What writes the values of a column that are there. */
function writer({ name, type, meaning: { is, decimals, utc, signed: isSigned } }: Element): Column["write"] {
  const whole = (value: Value): bigint => (value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint));
  const are = (...types: readonly Element["type"][]): void => {
    if (!types.includes(type)) throw new Fault(strings.damagedParquet(`column ${name} is of an unknown kind`));
  };
  switch (is) {
    case "DECIMAL":
      are("INT32", "INT64", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY");
      if (Math.abs(decimals) > MOST_SCALE) throw new Fault(strings.damagedParquet(`a decimal has the scale ${decimals}`));
      return (value) => fixed(whole(value), decimals);
    case "DATE":
      are("INT32");
      return (value) => date(Number(value)) || String(value);
    case "TIMESTAMP":
      are("INT64");
      return (value) => zoned(instant(whole(value), decimals), utc ? "Z" : "");
    case "TIME":
      are("INT32", "INT64");
      return (value) => timed(whole(value), decimals);
    case "INTEGER":
      are("INT32", "INT64");
      return isSigned ? String : (value) => String(BigInt.asUintN(type === "INT32" ? 32 : 64, whole(value)));
    case "FLOAT16":
      are("FIXED_LEN_BYTE_ARRAY");
      return (value) => numeral(half(value as Uint8Array));
    case "UUID":
      are("FIXED_LEN_BYTE_ARRAY");
      return (value) => hex(value as Uint8Array).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
  if (type === "INT96") return (value) => instant(nanoseconds(value as Uint8Array), 9);
  if (type === "INT32" || type === "INT64") return String;
  if (type === "FLOAT" || type === "DOUBLE") return (value) => numeral(value as number);
  if (type === "BOOLEAN") return String;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const known = new Map<Uint8Array, string>(); // a dictionary gives the same bytes again and again
  return (value) => {
    const bytes = value as Uint8Array;
    let text = known.get(bytes);
    if (text === undefined) {
      try {
        text = bytes.includes(0) ? `0x${hex(bytes)}` : cell(decoder.decode(bytes));
      } catch {
        text = `0x${hex(bytes)}`; // no text
      }
      if (known.size > ROWS) known.clear();
      known.set(bytes, text);
    }
    return text;
  };
}

function zoned(text: string, zone: string): string {
  return text.includes("T") ? text + zone : text;
}

function timed(units: bigint, decimals: number): string {
  return units >= 0n && units < 86_400n * 10n ** BigInt(decimals) ? clock(units, decimals) : String(units);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An instant as Impala and early Spark stored it: nanoseconds of a day that counts from 4713 BC. */
function nanoseconds(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return BigInt(view.getInt32(8, true) - 2_440_588) * 86_400_000_000_000n + view.getBigUint64(0, true);
}

/** A whole number in bytes, the highest first. */
function signed(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${hex(bytes)}`));
}

/** IEEE 754 binary16. */
function half(bytes: Uint8Array): number {
  const bits = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
}

async function* lines(file: Source, groups: Footer["groups"], columns: readonly Column[], unpack: Unpack, most: Most): AsyncGenerator<Piece, void, void> {
  const encoder = new TextEncoder();
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  let text = `${columns.map(({ element }) => cell(element.name)).join(",")}\n`;
  let total = 0;
  let done = 0;
  for (const group of groups) {
    const readers = columns.flatMap(({ element, leaf }) => (group.chunks[leaf] ? [new ColumnReader(file, element, group.chunks[leaf], unpack, most)] : []));
    for (let left = group.rows; left > 0; left -= ROWS) {
      const count = Math.min(left, ROWS);
      const loaded = Math.round((file.size * done) / rows);
      const texts: string[][] = [];
      for (const [i, { element, write }] of columns.entries()) {
        texts.push(await trying(async () => ((await readers[i]?.take(count)) ?? []).map((value) => (value === null ? "" : write(value))), `column ${element.name}: `));
        yield { bytes: new Uint8Array(), loaded };
      }
      for (let row = 0; row < count; row++) {
        for (let i = 0; i < texts.length; i++) text += `${i > 0 ? "," : ""}${texts[i]?.[row] ?? ""}`;
        text += "\n";
        if (text.length < WRITTEN) continue;
        const bytes = encoder.encode(text);
        text = "";
        total += bytes.length;
        if (total > most.text) throw new Fault(strings.large(most.text));
        yield { bytes, loaded };
      }
      done += count;
    }
  }
  yield { bytes: encoder.encode(text), loaded: file.size };
}
