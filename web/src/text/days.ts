import { cell } from "./format.js";

/** A number of a column, or the date of days since 1970. */
export function cellIn(isDays: boolean, value: number, write = cell): string {
  return !isDays || Number.isNaN(value) ? write(value) : new Date(86_400_000 * value).toISOString().slice(0, 10);
}
