// A setting as a property of the element, and as the attribute that it reflects.
import { splitNames, type Value } from "../state/spec.js";

export type Kind = "text" | "number" | "texts" | "numbers";

export function form(value: unknown): string {
  return Array.isArray(value) ? value.map((item) => String(item).replace(/[\\,]/g, "\\$&")).join(",") : String(value);
}

/** null where there is no attribute, NaN where it is no number. */
export function read(kind: Kind, text: string | null): Value | null {
  if (text === null || kind === "text") return text;
  if (kind === "number") return number(text);
  const items = splitNames(text);
  return kind === "numbers" ? items.map(number) : items;
}

function number(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
