// Data as RFC 4180 has it, a header and lines that end in CR LF, or in the dialect of a file.
import type { Column } from "../charts/sheet.js";
import type { Charset } from "../engine/protocol.js";
import type { Turns } from "./turns.js";

/** How a text file was written, so that what opens it opens another. */
export interface Dialect {
  readonly separator: string;
  readonly point: string; // the decimal mark
  readonly charset: Charset;
}

/** NaN, and what a shorter column lacks, are empty cells. */
export async function csv(columns: readonly Column[], turns: Turns, like?: Dialect): Promise<Blob> {
  const length = Math.max(0, ...columns.map(({ values }) => values.length));
  const { separator = ",", point = ".", charset = "utf-8" } = like ?? {};
  const line = liner([",", ";", "\t", "|"].includes(separator) ? separator : ",", point);
  const parts: string[] = [];
  let text = line(columns.map(({ name }) => name));
  for (let row = 0; row < length; row++) {
    text += line(columns.map(({ values }) => values[row] ?? ""));
    if (!turns.due) continue;
    parts.push(text);
    text = "";
    await turns.pass(row / length);
  }
  parts.push(text);
  return new Blob(like ? await encoded(parts, charset, turns) : parts, { type: like && charset !== "utf-8" ? "text/csv" : "text/csv;charset=utf-8" });
}

function liner(separator: string, point: string): (cells: readonly (number | string)[]) => string {
  const numeral = (value: number): string => {
    const text = Number.isNaN(value) ? "" : String(value).replace(".", point);
    return separator === point && text.includes(point) ? `"${text}"` : text;
  };
  return (cells) => `${cells.map((value) => (typeof value === "string" ? field(value) : numeral(value))).join(separator)}\r\n`;
}

/**
 * A text that no spreadsheet takes for a formula, not even where one of another country
 * begins its next cell: an apostrophe stands before it, unless it is a number.
 */
function field(text: string): string {
  const guarded = /^[-+]\d[\d.,]*$/.test(text) ? text : text.replace(/(^|[,;|\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g, "$1'");
  return /[",;|\t\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The bytes of texts, in UTF-8 where the charset lacks one of their characters. */
async function encoded(texts: readonly string[], charset: Charset, turns: Turns): Promise<Uint8Array<ArrayBuffer>[]> {
  const utf8 = new TextEncoder();
  const isPlain = texts.every((text) => !/[^\u0000-\u007f]/.test(text));
  const codes = codesOf(charset);
  const isNarrow = codes !== null && texts.every((text) => [...text].every((one) => one < "\u0080" || codes.has(one)));
  const isWide = charset === "utf-16le" || charset === "utf-16be";
  const parts: Uint8Array<ArrayBuffer>[] = isWide ? [units("\ufeff", charset)] : isPlain || isNarrow ? [] : [utf8.encode("\ufeff")]; // without the mark, Excel takes UTF-8 for another charset
  for (const text of texts) {
    if (turns.due) await turns.pass();
    parts.push(isWide ? units(text, charset) : isNarrow ? Uint8Array.from(text, (one) => codes.get(one) ?? one.charCodeAt(0)) : utf8.encode(text));
  }
  return parts;
}

/** The bytes of a charset's characters beyond ASCII, null where they are not one each. */
function codesOf(charset: Charset): ReadonlyMap<string, number> | null {
  if (charset !== "windows-1252" && charset !== "latin-1") return null;
  const codes = Uint8Array.from({ length: 128 }, (_, i) => i + 128);
  return new Map(Array.from(new TextDecoder("windows-1252").decode(codes), (one, i) => [one, codes[i] ?? 0])); // as browsers read either
}

function units(text: string, charset: Charset): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), charset === "utf-16le");
  return new Uint8Array(view.buffer);
}
