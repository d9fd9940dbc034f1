// The flat columns of a Parquet file as the text of a table, to the byte as
// core/packed/parquet.go writes it. No value loses a digit.
import { decompress } from "fzstd";
import { gunzip } from "hyparquet-compressors/src/gzip.js";
import { decompressLz4, decompressLz4Raw } from "hyparquet-compressors/src/lz4.js";
import { parquetHeader } from "hyparquet/src/column.js";
import { parquetMetadataAsync } from "hyparquet/src/metadata.js";
import { parquetReadAsync } from "hyparquet/src/read.js";
import type { AsyncBuffer, Compressors, DecodedArray, FileMetaData, RowGroup, SchemaElement } from "hyparquet";
import { cell, clock, date, fixed, instant, numeral } from "./csv.js";
import { bytesOf, Fault, type Most, type Piece, type Unpacked } from "./piece.js";
import type { Readers } from "./readers.js";
import { packed as strings } from "./strings.js";
import type { Source } from "./source.js";
import type { ReadParquet } from "./unpack.js";
import { crc32 } from "./zip.js";

const ROWS = 1 << 15; // held at once
const VALUE = 8; // bytes of a value: a byte may stand for a million equal ones
const WRITTEN = 1 << 20; // characters given on together

interface Column {
  readonly name: string;
  readonly write: (value: unknown) => string;
}

export function readParquet(brotli: () => Readers["brotli"]): ReadParquet {
  return async (file, name, most): Promise<Unpacked> => {
    const buffer: AsyncBuffer = { byteLength: file.size, slice: (from, to = file.size) => part(file, from, to) };
    if (await isLong(file, most)) throw new Fault(strings.damagedParquet("its footer is longer than any should be"));
    const metadata = await trying(() => parquetMetadataAsync(buffer, { geoparquet: false }));
    const scale = metadata.schema.map(scaleOf).find((one) => Math.abs(one) > MOST_SCALE);
    if (scale !== undefined) throw new Fault(strings.damagedParquet(`a decimal has the scale ${scale}`));
    const { columns, nested, binary } = columnsOf(metadata);
    if (columns.length === 0) throw new Fault(binary.length > 0 ? strings.noValuesLeft(binary) : nested.length > 0 ? strings.nestedOnly(nested) : strings.noColumns);
    if (columns.some(({ name: column }) => held(metadata, column) > most.held)) throw new Fault(strings.large(most.held));
    const compressors: Compressors = { GZIP: (packed, size) => gunzip(packed, new Uint8Array(size)), ZSTD: (packed) => decompress(packed), LZ4: decompressLz4, LZ4_RAW: decompressLz4Raw };
    if (metadata.row_groups.some((group) => group.columns.some((chunk) => chunk.meta_data?.codec === "BROTLI"))) compressors.BROTLI = brotli();
    return { name, settings: "charset=utf-8&separator=comma&header=yes", choices: [], notices: [...(nested.length > 0 ? [strings.nested(nested)] : []), ...(binary.length > 0 ? [strings.noValues(binary)] : [])], pieces: lines(buffer, stored(metadata), columns, compressors, most) };
  };
}

/** A footer may name any place. */
function part(file: Source, from: number, to: number): Promise<ArrayBuffer> {
  if (!(from >= 0 && from <= to && to <= file.size)) return Promise.reject(new RangeError("its footer names a place outside of it"));
  return file.slice(from, to).arrayBuffer();
}

/** Whether a footer has more bytes, or structures, each of which ends with a zero, than core/packed/parquetfooter.go takes: objects take a hundred times as much. */
async function isLong(file: Source, most: Most): Promise<boolean> {
  const end = Math.max(0, file.size - 8);
  const tail = await bytesOf(file, end, file.size);
  const length = tail.length < 8 ? 0 : new DataView(tail.buffer).getUint32(0, true);
  if (length > end) return false; // which its reader tells
  return length > most.held / 32 || (await bytesOf(file, end - length, end)).reduce((zeros, byte) => zeros + Number(byte === 0), 0) > most.held / 128;
}

/** Whatever is thrown is damage: these bytes come from anywhere. */
async function trying<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof Fault) throw reason;
    throw new Fault(strings.damagedParquet(reason instanceof Error ? reason.message : String(reason)));
  }
}

/** The columns with one value a row, and the names of the others: of nested ones, and of those that hold bytes or intervals. */
function columnsOf({ schema }: FileMetaData): { readonly columns: Column[]; readonly nested: string[]; readonly binary: string[] } {
  const columns: Column[] = [];
  const nested: string[] = [];
  const binary: string[] = [];
  const size = (at: number): number => {
    let next = at + 1;
    for (let child = 0; child < (schema[at]?.num_children ?? 0); child++) next += size(next);
    return next - at;
  };
  for (let at = 1; at < schema.length; at += size(at)) {
    const element = schema[at] as SchemaElement;
    if (!element.type || element.num_children || element.repetition_type === "REPEATED") nested.push(element.name);
    else if (element.type === "FIXED_LEN_BYTE_ARRAY" && !hasMeaning(element)) binary.push(element.name);
    else columns.push({ name: element.name, write: writer(element) });
  }
  return { columns, nested, binary };
}

/** Whether the bytes of a column are decimals, halves or UUIDs. */
function hasMeaning({ type_length: length, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  const kind = logical?.type;
  return kind === "DECIMAL" || converted === "DECIMAL" || (kind === "FLOAT16" && length === 2) || (kind === "UUID" && length === 16);
}

/** How many bytes of a column are held at once: those of its largest chunk. */
function held({ row_groups }: FileMetaData, column: string): number {
  const chunks = row_groups.flatMap((group) => group.columns.flatMap(({ meta_data: chunk }) => (chunk?.path_in_schema[0] === column ? [chunk] : [])));
  return chunks.reduce((most, chunk) => Math.max(most, Number(chunk.total_uncompressed_size), VALUE * Number(chunk.num_values)), 0);
}

/** The same file without the meaning of its values: the reader then gives them as they are stored. */
function stored(metadata: FileMetaData): FileMetaData {
  const bare = ({ converted_type: _, logical_type: __, ...element }: SchemaElement): SchemaElement => element;
  return { ...metadata, schema: metadata.schema.map(bare) };
}

const DECIMALS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

const MOST_SCALE = 100; // zeros that a scale adds to each cell; no decimal of a database has more than 76 digits

function scaleOf({ logical_type: logical, scale = 0 }: SchemaElement): number {
  return logical?.type === "DECIMAL" ? logical.scale : scale;
}

/** What writes the values of a column that are there. */
function writer(element: SchemaElement): Column["write"] {
  const { type, type_length: length = 0, converted_type: converted, logical_type: logical } = element;
  const kind = logical?.type;
  const whole = (value: unknown): bigint => (value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint));
  if (kind === "DECIMAL" || converted === "DECIMAL") {
    const scale = scaleOf(element);
    return (value) => fixed(whole(value), scale);
  }
  if (kind === "DATE" || converted === "DATE") return (value) => date(Number(value)) || String(value);
  if (logical?.type === "TIMESTAMP") {
    const decimals = DECIMALS[logical.unit];
    const zone = logical.isAdjustedToUTC ? "Z" : "";
    return (value) => zoned(instant(whole(value), decimals), zone);
  }
  if (converted === "TIMESTAMP_MILLIS" || converted === "TIMESTAMP_MICROS") return (value) => zoned(instant(whole(value), converted === "TIMESTAMP_MILLIS" ? 3 : 6), "Z");
  if (type === "INT96") return (value) => instant(whole(value), 9);
  if (logical?.type === "TIME") {
    const decimals = DECIMALS[logical.unit];
    return (value) => timed(whole(value), decimals);
  }
  if (converted === "TIME_MILLIS" || converted === "TIME_MICROS") return (value) => timed(whole(value), converted === "TIME_MILLIS" ? 3 : 6);
  if (type === "INT32" || type === "INT64") {
    const unsigned = logical?.type === "INTEGER" ? !logical.isSigned : (converted?.startsWith("UINT_") ?? false);
    return unsigned ? (value) => String(BigInt.asUintN(type === "INT32" ? 32 : 64, whole(value))) : String;
  }
  if (type === "FLOAT" || type === "DOUBLE") return (value) => numeral(value as number);
  if (type === "BOOLEAN") return String;
  if (kind === "FLOAT16" && length === 2) return (value) => numeral(half(value as Uint8Array));
  if (kind === "UUID" && length === 16) return (value) => hex(value as Uint8Array).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
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

async function* lines(file: AsyncBuffer, metadata: FileMetaData, columns: readonly Column[], compressors: Compressors, most: Most): AsyncGenerator<Piece, void, void> {
  const encoder = new TextEncoder();
  const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  let text = `${columns.map(({ name }) => cell(name)).join(",")}\n`;
  let total = 0;
  let start = 0; // of the row group
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    for (let from = start; from < end; from += ROWS) {
      const to = Math.min(from + ROWS, end);
      const loaded = Math.round((file.byteLength * from) / rows);
      const texts: string[][] = [];
      for (const { name, write } of columns) {
        if (from === start) await trying(() => checkPages(file, group, name));
        const values = await trying(() => read(file, metadata, name, from, to, from - start, compressors));
        texts.push(Array.from(values, (value) => (value === null ? "" : write(value))));
        yield { bytes: new Uint8Array(), loaded };
      }
      for (let row = 0; row < to - from; row++) {
        for (let i = 0; i < texts.length; i++) text += `${i > 0 ? "," : ""}${texts[i]?.[row] ?? ""}`;
        text += "\n";
        if (text.length < WRITTEN) continue;
        const bytes = encoder.encode(text);
        text = "";
        total += bytes.length;
        if (total > most.text) throw new Fault(strings.large(most.text));
        yield { bytes, loaded };
      }
    }
    start = end;
  }
  yield { bytes: encoder.encode(text), loaded: file.byteLength };
}

/** Checks that the pages of a column are whole and, if they have checksums, as they were written: hyparquet looks at neither. */
async function checkPages(file: AsyncBuffer, { columns }: RowGroup, column: string): Promise<void> {
  const chunk = columns.find(({ meta_data: own }) => own?.path_in_schema[0] === column)?.meta_data;
  if (!chunk) throw new Error(`column ${column} has no values`);
  const from = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  const bytes = new Uint8Array(await file.slice(from, from + Number(chunk.total_compressed_size)));
  for (const reader = { view: new DataView(bytes.buffer), offset: 0 }; reader.offset < bytes.length; ) {
    const { compressed_page_size: size, crc } = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + size);
    if (page.length !== size) throw new Error(`column ${column} ends too soon`);
    if (crc && crc >>> 0 !== crc32(0, page)) throw new Error(`column ${column} was changed since it was written`);
    reader.offset += size;
  }
}

/** before is how many values of the group are ahead of rowStart. */
async function read(file: AsyncBuffer, metadata: FileMetaData, column: string, rowStart: number, rowEnd: number, before: number, compressors: Compressors): Promise<unknown[]> {
  const parsers = { timestampFromNanoseconds: (nanos: bigint) => nanos } as never; // of INT96, which it takes for nothing else
  const [group] = parquetReadAsync({ file, metadata, columns: [column], rowStart, rowEnd, utf8: false, compressors, parsers });
  const chunk = await group?.asyncColumns[0]?.data;
  const values: unknown[] = [];
  let skip = before - (chunk?.skipped ?? 0);
  for (const page of (chunk?.data ?? []) as DecodedArray[]) {
    for (let i = Math.max(0, skip); i < page.length && values.length < rowEnd - rowStart; i++) values.push(page[i]);
    skip -= page.length;
  }
  if (values.length !== rowEnd - rowStart || values.includes(undefined)) throw new Error(`column ${column} ends too soon, or its dictionary does`);
  return values;
}
