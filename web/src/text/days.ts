import { cell } from "./format.js";

/** A number of a column, or the date of days since 1970 if there is one: a model file can have any number. */
export function cellIn(isDays: boolean, value: number, write = cell): string {
  const date = new Date(86_400_000 * value);
  return !isDays || Number.isNaN(date.getTime()) ? write(value) : date.toISOString().slice(0, 10);
}
