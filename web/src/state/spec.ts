// The text form of settings, the query of a link. This is the page's half of
// core/spec/link.go: both read core/spec/testdata/links.json in their tests.
import { fields, limits, type Field, type Spec } from "./spec.gen.js";

export { fields, type Field, type Spec };

/** What was not used of a link as it stood. */
export interface Notice {
  readonly key: string; // the parameter, as written
  readonly found: string; // its value, as written
  readonly message: string; // the sentence to show
}

export type Value = string | number | readonly string[] | readonly number[];
export type Settings = Readonly<Record<string, Value>>;
export type Pair = readonly [key: string, value: string];

/** With or without the query's leading "?". */
export function pairs(query: string): Pair[] {
  return query.replace(/^\?/, "").split("&").filter((pair) => pair !== "").map((pair) => {
    const [key = "", ...value] = pair.split("=");
    return [unescape(key), unescape(value.join("="))];
  });
}

/** Never fails: what is not used as it stands leaves a notice. */
export function parse(query: string): { spec: Spec; notices: Notice[] } {
  const { settings, notices } = readAll(fields, query);
  const solver = settings["solver"] === "default" && listsLambdas(settings) ? "agd" : settings["solver"]; // as before version 0.8.0
  const fitted = fit({ ...settings, solver } as unknown as Spec);
  return { spec: fitted.spec, notices: [...notices, ...fitted.notices] };
}

/** Reads a query of which every parameter should be a field of `table`. */
export function readAll(table: readonly Field[], query: string): { settings: Settings; notices: Notice[] } {
  const { settings, notices, rest } = read(table, pairs(query));
  const unknown = rest.map(([key, found]): Notice => ({ key, found, message: `the link's parameter ${quote(key)} is not known here and was ignored` }));
  return { settings, notices: [...notices, ...unknown] };
}

/** The query, without "?": the fields that differ from their defaults, in the order of `fields`, without lambdas that the default solver does not use. */
export function encode(spec: Spec): string {
  const settings = spec as unknown as Settings;
  return write(spec.solver === "default" ? fields.filter(({ key }) => key !== "lambdas") : fields, settings);
}

function listsLambdas(settings: Settings): boolean {
  return write(fields.filter(({ key }) => key === "lambdas"), settings) !== "";
}

/** Reads the parameters that are fields of `table`; `rest` are the others. */
export function read(table: readonly Field[], parameters: readonly Pair[]): { settings: Settings; notices: Notice[]; rest: Pair[] } {
  const settings: Record<string, Value> = {};
  for (const field of table) settings[field.key] = set(field, [], field.default).value;
  const notices: Notice[] = [];
  const rest: Pair[] = [];
  for (const [key, found] of parameters) {
    const field = table.find((f) => f.key === key);
    if (field) {
      const { value, ok } = set(field, settings[key] ?? [], found);
      settings[key] = value;
      if (!ok) notices.push({ key, found, message: `the link's ${key} was ${quote(found)}; used ${quote(form(value))} instead` });
    } else rest.push([key, found]);
  }
  return { settings, notices, rest };
}

/** What to say of fields of `table` that are given more than once. */
export function repeated(table: readonly Field[], parameters: readonly Pair[]): Notice[] {
  const given = new Map<string, number>();
  return parameters.flatMap(([key, found]) => {
    given.set(key, (given.get(key) ?? 0) + 1);
    return given.get(key) === 2 && table.some((field) => field.key === key) ? [{ key, found, message: `the link has ${quote(key)} more than once; the last value that can be used counts` }] : [];
  });
}

export function write(table: readonly Field[], settings: Settings): string {
  return table
    .map((field) => [field, form(settings[field.key] ?? [])] as const)
    .filter(([field, text]) => text !== field.default)
    .map(([field, text]) => `${field.key}=${escape(text)}`)
    .join("&");
}

/** Holds a synthetic design, and what a fit keeps of its rows, to limits.cells numbers each: n gives way first, to half of that, then the test rows. */
export function fit(spec: Spec): { spec: Spec; notices: Notice[] } {
  if (spec.source !== "synthetic") return { spec, notices: [] };
  const notices: Notice[] = [];
  const rank = Math.max(spec.k, spec.rank) * (spec.numbers === "equal" ? 2 : 1);
  const lower = (key: string, rows: number, most: number): number => {
    const used = Math.max(most, 10);
    if (rows <= used) return rows;
    notices.push({ key, found: `${rows}`, message: `the link's ${key} was ${rows}, too many rows for ${rank > spec.d ? `a rank of ${rank}` : `d = ${spec.d}`}; used ${used} instead` });
    return used;
  };
  const cells = Math.floor(limits.cells / Math.max(spec.d, rank));
  const n = lower("n", spec.n, Math.max(cells - spec.test, Math.floor(cells / 2)));
  return { spec: { ...spec, n, test: lower("test", spec.test, cells - n) }, notices };
}

/** ok is false where something else than the text had to be used. */
function set(field: Field, now: Value, text: string): { value: Value; ok: boolean } {
  switch (field.kind) {
    case "choice":
      return field.options.includes(text) ? { value: text, ok: true } : { value: now, ok: false };
    case "text": {
      const value = cut(text, limits.text);
      return { value, ok: value.length === text.length };
    }
    case "int":
    case "float": {
      const { value, ok } = readNumber(field, text);
      return { value: Number.isNaN(value) ? now : value, ok };
    }
    case "ints":
    case "floats": {
      const list: number[] = [];
      let ok = true;
      for (const part of text.split(",")) {
        const read = readNumber(field, part);
        ok &&= read.ok && list.length < limits.list;
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
      return { value: list.length > 0 ? list : now, ok: list.length > 0 && names.every((name) => field.options.includes(name)) };
    }
  }
}

/** A number within the field's bounds, whole where it has to be; NaN when text is none. */
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

/** Commas separate names; \ stands before a comma or \ inside one. */
export function splitNames(text: string): string[] {
  const names = text === "" ? [] : [""];
  for (const [, escaped, plain = ""] of text.matchAll(/\\(.)|(.)/gs)) {
    if (plain === ",") names.push("");
    else names[names.length - 1] += escaped ?? plain;
  }
  return names;
}

/** Unreserved characters and the comma stand for themselves, every other byte is %XX. */
export function escape(text: string): string {
  const whole = text.replace(/[\ud800-\udfff]/gu, "\ufffd"); // half a character
  return encodeURIComponent(whole).replaceAll("%2C", ",").replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Escapes that are whole characters of UTF-8, as the first group, or that are none. */
const ESCAPES = /* @__PURE__ */ (() => {
  const character = "%[0-7].|%(?:C[2-9A-F]|D.)%[89AB].|%E0%[AB].%[89AB].|%E[1-9A-CEF](?:%[89AB].){2}|%ED%[89].%[89AB].|%F0%[9AB].(?:%[89AB].){2}|%F[1-3](?:%[89AB].){3}|%F4%8.(?:%[89AB].){2}";
  return new RegExp(`((?:${character})+)|(?:(?!${character})%..)+`, "gi");
})();

/** %XX and + for space; a broken escape stands for itself, a run of bytes that are no UTF-8 becomes one U+FFFD. */
function unescape(text: string): string {
  const plain = text.replaceAll("+", " ").replace(/%(?![0-9A-F]{2})/gi, "%25").replace(/[\ud800-\udfff]/gu, "\ufffd");
  return plain.replace(ESCAPES, (_, characters?: string) => (characters ? decodeURIComponent(characters) : "\ufffd"));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The longest beginning of text of at most most bytes. */
function cut(text: string, most: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text).subarray(0, most), { stream: true });
}

/** A value in a sentence, cut to a readable length. */
export function quote(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : text);
}

/** The settings of a link without any. */
export const initial: Spec = /* @__PURE__ */ (() => parse("").spec)(); // what needs none leaves it out

export function pick<Key extends keyof Spec>(spec: Spec, keys: readonly Key[]): Pick<Spec, Key> {
  return Object.fromEntries(keys.map((key) => [key, spec[key]])) as Pick<Spec, Key>;
}

export function optionsOf<Key extends keyof Spec>(key: Key): readonly Spec[Key][] {
  return (fields.find((field) => field.key === key)?.options ?? []) as unknown as readonly Spec[Key][];
}
