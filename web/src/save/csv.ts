// Data as RFC 4180 has it: a header, commas, lines that end in CR LF.
import type { Column } from "../charts/sheet.js";
import type { Turns } from "./turns.js";

/** NaN, and what a shorter column lacks, are empty cells. */
export async function csv(columns: readonly Column[], turns: Turns): Promise<Blob> {
  const length = Math.max(0, ...columns.map(({ values }) => values.length));
  const parts: string[] = [];
  let text = line(columns.map(({ name }) => name));
  for (let row = 0; row < length; row++) {
    text += line(columns.map(({ values }) => values[row] ?? ""));
    if (!turns.due) continue;
    parts.push(text);
    text = "";
    await turns.pass(row / length);
  }
  return new Blob([...parts, text], { type: "text/csv;charset=utf-8" });
}

function line(cells: readonly (number | string)[]): string {
  return `${cells.map((value) => (typeof value === "string" ? field(value) : Number.isNaN(value) ? "" : String(value))).join(",")}\r\n`;
}

/**
 * A text that no spreadsheet takes for a formula, not even where one of another country
 * begins its next cell: an apostrophe stands before it.
 */
export function field(text: string): string {
  const guarded = text.replace(/(^|[,;|\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g, "$1'");
  return /[",;|\t\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
