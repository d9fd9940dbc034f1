// The text form of settings, the query of a link. This is the page's half of
// core/spec/link.go: both read core/spec/testdata/links.json in their tests.
import { fields, limits, type Field, type Spec } from "./spec.gen.js";

export { fields, type Field, type Spec };

/** Tells that a value of a link was not used as it stood. */
export interface Notice {
  readonly key: string; // the parameter, as written
  readonly found: string; // its value, as written
  readonly message: string; // the sentence to show
}

export type Value = string | number | readonly string[] | readonly number[];
export type Settings = Readonly<Record<string, Value>>;
export type Pair = readonly [key: string, value: string];

/** The parameters of a query in their order, with or without its leading "?". */
export function pairs(query: string): Pair[] {
  return query.replace(/^\?/, "").split("&").filter((pair) => pair !== "").map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [unescape(pair), ""] : [unescape(pair.slice(0, at)), unescape(pair.slice(at + 1))];
  });
}

/** Reads a Spec from a link's query. Never fails: what is not used as it stands leaves a notice. */
export function parse(query: string): { spec: Spec; notices: Notice[] } {
  const { settings, notices } = readAll(fields, query);
  const fitted = fit(settings as unknown as Spec);
  return { spec: fitted.spec, notices: [...notices, ...fitted.notices] };
}

/** Reads a query of which every parameter should be a field of `table`. */
export function readAll(table: readonly Field[], query: string): { settings: Settings; notices: Notice[] } {
  const { settings, notices, rest } = read(table, pairs(query));
  for (const [key, found] of rest) notices.push({ key, found, message: `the link's parameter ${quote(key)} is not known here and was ignored` });
  return { settings, notices };
}

/** The link's query for a Spec, without "?": the fields that differ from their defaults, in the order of `fields`. */
export function encode(spec: Spec): string {
  return write(fields, spec as unknown as Settings);
}

/** Reads the parameters that are fields of `table`; `rest` are the others. */
export function read(table: readonly Field[], parameters: readonly Pair[]): { settings: Settings; notices: Notice[]; rest: Pair[] } {
  const settings: Record<string, Value> = {};
  for (const field of table) settings[field.key] = set(field, empty(field), field.default).value;
  const notices: Notice[] = [];
  const rest: Pair[] = [];
  for (const [key, text] of parameters) {
    const field = table.find((f) => f.key === key);
    if (!field) {
      rest.push([key, text]);
      continue;
    }
    const { value, ok } = set(field, settings[key] ?? empty(field), text);
    settings[key] = value;
    if (!ok) notices.push({ key, found: text, message: `the link's ${key} was ${quote(text)}; used ${quote(form(value))} instead` });
  }
  return { settings, notices, rest };
}

/** Writes the settings that differ from their defaults. */
export function write(table: readonly Field[], settings: Settings): string {
  return table
    .map((field) => [field, form(settings[field.key] ?? empty(field))] as const)
    .filter(([field, text]) => text !== field.default)
    .map(([field, text]) => `${field.key}=${escape(text)}`)
    .join("&");
}

/** Holds a synthetic design, and what a fit of some rank keeps of its rows, to limits.cells numbers each: n gives way first, then the test rows. */
export function fit(spec: Spec): { spec: Spec; notices: Notice[] } {
  if (spec.source !== "synthetic") return { spec, notices: [] };
  const notices: Notice[] = [];
  const rank = Math.max(spec.k, spec.rank);
  const lower = (key: string, rows: number, most: number): number => {
    const used = Math.max(most, 10);
    if (rows <= used) return rows;
    notices.push({ key, found: `${rows}`, message: `the link's ${key} was ${rows}, too many rows for ${rank > spec.d ? `a rank of ${rank}` : `d = ${spec.d}`}; used ${used} instead` });
    return used;
  };
  const cells = Math.floor(limits.cells / Math.max(spec.d, rank));
  const n = lower("n", spec.n, cells - spec.test);
  return { spec: { ...spec, n, test: lower("test", spec.test, cells - n) }, notices };
}

function empty(field: Field): Value {
  switch (field.kind) {
    case "int":
    case "float":
      return 0;
    case "choice":
    case "text":
      return "";
    default:
      return [];
  }
}

/** Reads text as a value of field; ok is false when something else than the text had to be used. */
function set(field: Field, now: Value, text: string): { value: Value; ok: boolean } {
  switch (field.kind) {
    case "choice":
      return field.options.includes(text) ? { value: text, ok: true } : { value: now, ok: false };
    case "text":
      return byteLength(text) <= limits.text ? { value: text, ok: true } : { value: cut(text, limits.text), ok: false };
    case "int":
    case "float": {
      const { value, ok } = readNumber(field, text);
      return Number.isNaN(value) ? { value: now, ok: false } : { value, ok };
    }
    case "ints":
    case "floats": {
      const list: number[] = [];
      let ok = true;
      for (const part of text.split(",")) {
        const read = readNumber(field, part);
        ok = ok && read.ok && list.length < limits.list;
        if (!Number.isNaN(read.value) && list.length < limits.list && !list.includes(read.value)) list.push(read.value);
      }
      return { value: list.length > 0 ? list : now, ok };
    }
    case "names": {
      const names = splitNames(text);
      const list = names.slice(0, limits.names).filter((name) => byteLength(name) <= limits.text);
      return { value: list, ok: list.length === names.length };
    }
    case "set": {
      const names = splitNames(text);
      const list = field.options.filter((option) => names.includes(option));
      return list.length > 0 ? { value: list, ok: names.every((name) => field.options.includes(name)) } : { value: now, ok: false };
    }
  }
}

/** A number within the field's bounds; NaN when text is none. Whole for a field of whole numbers. */
function readNumber(field: Field, text: string): { value: number; ok: boolean } {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return { value: Number.NaN, ok: false };
  const found = Number(text);
  let value = Math.min(Math.max(found, field.min), field.max);
  if (field.kind === "int" || field.kind === "ints") value = Math.trunc(value);
  return { value: value + 0, ok: value === found };
}

/** A value in a link's form, before escaping. */
export function form(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return value.map((item) => (typeof item === "number" ? String(item) : item.replace(/[\\,]/g, "\\$&"))).join(",");
}

/** Texts that joinNames or a reader wrote: a comma between two, \ before a comma or \ inside one. */
function splitNames(text: string): string[] {
  if (text === "") return [];
  const names: string[] = [];
  let name = "";
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === ",") {
      names.push(name);
      name = "";
    } else if (c === "\\" && i + 1 < text.length) {
      name += text.charAt(++i);
    } else {
      name += c;
    }
  }
  return [...names, name];
}

/** Unreserved characters and the comma stand for themselves, every other byte is %XX. */
export function escape(text: string): string {
  let out = "";
  for (const byte of new TextEncoder().encode(text)) {
    const c = String.fromCharCode(byte);
    out += /[A-Za-z0-9\-_.~,]/.test(c) ? c : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** %XX and + for space; a broken escape stands for itself, a run of bytes that are no UTF-8 becomes one U+FFFD. */
function unescape(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const out: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    const digits = String.fromCharCode(bytes[i + 1] ?? 0, bytes[i + 2] ?? 0);
    if (byte === 0x2b) {
      out.push(0x20);
    } else if (byte === 0x25 && /^[0-9A-Fa-f]{2}$/.test(digits)) {
      out.push(Number.parseInt(digits, 16));
      i += 2;
    } else {
      out.push(byte);
    }
  }
  return decode(Uint8Array.from(out));
}

function decode(bytes: Uint8Array): string {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (part: Uint8Array): string | undefined => {
    try {
      return strict.decode(part);
    } catch {
      return undefined;
    }
  };
  const whole = decoded(bytes);
  if (whole !== undefined) return whole;
  let out = "";
  let broken = false;
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = i + length <= bytes.length ? decoded(bytes.subarray(i, i + length)) : undefined;
    if (character === undefined) {
      if (!broken) out += "\uFFFD";
      broken = true;
      i++;
    } else {
      out += character;
      broken = false;
      i += length;
    }
  }
  return out;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The longest beginning of text of at most most bytes. */
function cut(text: string, most: number): string {
  let bytes = 0;
  let out = "";
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > most) break;
    out += character;
  }
  return out;
}

/** Puts a value into a sentence, cut to a readable length. */
function quote(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : text);
}
