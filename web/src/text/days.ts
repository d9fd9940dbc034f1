import { cell } from "./format.js";

/** A number of a column; days since 1970, of a part of dates, as their date. */
export function cellIn(column: string, dates: string, value: number, write = cell): string {
  return column !== `${dates} (days)` || Number.isNaN(value) ? write(value) : new Date(86_400_000 * value).toISOString().slice(0, 10);
}
