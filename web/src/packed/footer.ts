// The footer of a Parquet file, as core/packed/footer.go reads it. What a table needs
// is held to the format, and the rest, such as statistics, is skipped.
import { Thrift } from "./thrift.js";

const TYPES = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"] as const;
const CONVERTED = ["UTF8", "MAP", "MAP_KEY_VALUE", "LIST", "ENUM", "DECIMAL", "DATE", "TIME_MILLIS", "TIME_MICROS", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", "UINT_8", "UINT_16", "UINT_32", "UINT_64"] as const;
const REPEATED = 2;
const STRUCT = 12;

type Type = (typeof TYPES)[number];

/** What the values of a column mean, in which unit. */
interface Meaning {
  readonly is: "DECIMAL" | "DATE" | "TIME" | "TIMESTAMP" | "INTEGER" | "UUID" | "FLOAT16" | "";
  readonly decimals: number; // of seconds, or of a decimal
  readonly utc: boolean;
  readonly signed: boolean;
}

/** A column, or a group of columns. */
export interface Element {
  readonly name: string;
  readonly type: Type | undefined; // of a column
  readonly length: number; // in bytes, of a FIXED_LEN_BYTE_ARRAY
  readonly repetition: number; // 0 required, 1 optional, 2 repeated
  readonly children: number;
  readonly meaning: Meaning;
}

/** The values of a column in a row group. */
export interface Chunk {
  readonly type: number;
  readonly path: readonly string[];
  readonly codec: number;
  readonly values: number;
  readonly unpacked: number; // bytes
  readonly from: number; // in the file
  readonly to: number;
}

interface Group {
  readonly rows: number;
  readonly chunks: readonly Chunk[]; // one a column, those in groups of columns too
}

/** A column with one value a row, and its place among all columns. */
export interface Flat {
  readonly element: Element;
  readonly leaf: number;
}

export interface Footer {
  readonly groups: readonly Group[];
  readonly columns: readonly Flat[];
  readonly nested: readonly string[]; // names of the other columns: of nested ones,
  readonly binary: readonly string[]; // and of those that hold bytes or intervals
}

const NONE: Meaning = { is: "", decimals: 0, utc: false, signed: true };

export function readFooter(bytes: Uint8Array): Footer {
  const schema: Element[] = [];
  const groups: Group[] = [];
  const footer = new Thrift(bytes);
  footer.fields(STRUCT, {
    2: (kind) => footer.list(kind, (of) => schema.push(element(footer, of))),
    4: (kind) => footer.list(kind, (of) => groups.push(group(footer, of))),
  });
  if (footer.at !== bytes.length) throw new RangeError("its footer is longer than it should be");
  const { leaves, ...columns } = columnsOf(schema);
  if (groups.some(({ rows, chunks }) => rows < 0 || chunks.length !== leaves)) throw new RangeError("a row group does not have the columns of the table");
  return { groups, ...columns };
}

/** Whether the bytes of a column are decimals, halves or UUIDs. */
function hasMeaning({ length, meaning: { is } }: Element): boolean {
  return is === "DECIMAL" || (is === "FLOAT16" && length === 2) || (is === "UUID" && length === 16);
}

function columnsOf(schema: readonly Element[]): Omit<Footer, "groups"> & { readonly leaves: number } {
  const columns: Flat[] = [];
  const nested: string[] = [];
  const binary: string[] = [];
  let leaves = 0;
  let children = 0;
  for (let at = 1; at < schema.length; children++) {
    const element = schema[at] as Element;
    if (!element.type || element.repetition === REPEATED) nested.push(element.name);
    else if (element.type === "FIXED_LEN_BYTE_ARRAY" && !hasMeaning(element)) binary.push(element.name);
    else columns.push({ element, leaf: leaves });
    for (let open = 1; open > 0; open--, at++) {
      const inner = schema[at];
      if (!inner) throw new RangeError("a group of columns lacks some");
      if (inner.type) leaves++;
      open += inner.children;
    }
  }
  if (schema[0]?.children !== children) throw new RangeError("the table does not have its columns");
  return { columns, nested, binary, leaves };
}

function element(footer: Thrift, kind: number): Element {
  let name = "";
  let type = -1;
  let length = 0;
  let repetition = 0;
  let children = 0;
  let converted = -1;
  let scale = 0;
  let meaning = NONE;
  footer.fields(kind, {
    1: (of) => (type = footer.integer(of)),
    2: (of) => (length = footer.integer(of)),
    3: (of) => (repetition = footer.integer(of)),
    4: (of) => (name = footer.text(of)),
    5: (of) => (children = footer.integer(of)),
    6: (of) => (converted = footer.integer(of)),
    7: (of) => (scale = footer.integer(of)),
    10: (of) => (meaning = logical(footer, of)),
  });
  if (type < -1 || type >= TYPES.length || repetition < 0 || repetition > REPEATED || children < 0 || (type >= 0 && children > 0)) throw new RangeError(`column ${name} is of an unknown kind`);
  return { name, type: TYPES[type], length, repetition, children, meaning: meaning.is ? meaning : meant(CONVERTED[converted], scale) };
}

function logical(footer: Thrift, kind: number): Meaning {
  let meaning = NONE;
  const is = (what: Meaning["is"], more: Record<number, (of: number) => void> = {}) => (of: number): void => {
    meaning = { ...NONE, is: what };
    footer.fields(of, more);
  };
  const unit = (of: number): void => {
    const unitOf = (decimals: number) => (inner: number) => {
      meaning = { ...meaning, decimals };
      footer.fields(inner, {});
    };
    footer.fields(of, { 1: unitOf(3), 2: unitOf(6), 3: unitOf(9) });
  };
  const time = { 1: (of: number) => (meaning = { ...meaning, utc: footer.boolean(of) }), 2: unit };
  footer.fields(kind, {
    5: is("DECIMAL", { 1: (of) => (meaning = { ...meaning, decimals: footer.integer(of) }) }),
    6: is("DATE"),
    7: is("TIME", time),
    8: is("TIMESTAMP", time),
    10: is("INTEGER", { 2: (of) => (meaning = { ...meaning, signed: footer.boolean(of) }) }),
    14: is("UUID"),
    15: is("FLOAT16"),
  });
  if ((meaning.is === "TIME" || meaning.is === "TIMESTAMP") && meaning.decimals === 0) throw new RangeError("a time has no unit");
  return meaning;
}

/** The meaning as older writers note it. */
function meant(converted: (typeof CONVERTED)[number] | undefined, scale: number): Meaning {
  switch (converted) {
    case "DECIMAL":
      return { ...NONE, is: "DECIMAL", decimals: scale };
    case "DATE":
      return { ...NONE, is: "DATE" };
    case "TIME_MILLIS":
    case "TIME_MICROS":
      return { ...NONE, is: "TIME", decimals: converted === "TIME_MILLIS" ? 3 : 6 };
    case "TIMESTAMP_MILLIS":
    case "TIMESTAMP_MICROS":
      return { ...NONE, is: "TIMESTAMP", decimals: converted === "TIMESTAMP_MILLIS" ? 3 : 6, utc: true };
    case "UINT_8":
    case "UINT_16":
    case "UINT_32":
    case "UINT_64":
      return { ...NONE, is: "INTEGER", signed: false };
    default:
      return NONE;
  }
}

function group(footer: Thrift, kind: number): Group {
  const chunks: Chunk[] = [];
  let rows = -1;
  footer.fields(kind, {
    1: (of) => footer.list(of, (inner) => chunks.push(chunk(footer, inner))),
    3: (of) => (rows = footer.integer(of)),
  });
  return { rows, chunks };
}

function chunk(footer: Thrift, kind: number): Chunk {
  const path: string[] = [];
  let [type, codec, values, unpacked, packed, data, dictionary] = [-1, -1, -1, -1, -1, -1, 0];
  footer.fields(kind, {
    3: (of) =>
      footer.fields(of, {
        1: (inner) => (type = footer.integer(inner)),
        3: (inner) => footer.list(inner, (part) => path.push(footer.text(part))),
        4: (inner) => (codec = footer.integer(inner)),
        5: (inner) => (values = footer.integer(inner)),
        6: (inner) => (unpacked = footer.integer(inner)),
        7: (inner) => (packed = footer.integer(inner)),
        9: (inner) => (data = footer.integer(inner)),
        11: (inner) => (dictionary = footer.integer(inner)),
      }),
  });
  const from = dictionary > 0 ? Math.min(dictionary, data) : data;
  return { type, path, codec, values, unpacked, from, to: from + packed };
}

/** Whether the values of a column in a group are what the column's schema says, and within the file's first bytes. */
export function fits({ element }: Flat, { type, path, values, unpacked, from, to }: Chunk, rows: number, end: number): boolean {
  return TYPES[type] === element.type && path.length === 1 && path[0] === element.name && values === rows && unpacked >= 0 && from >= 4 && from <= to && to <= end;
}
