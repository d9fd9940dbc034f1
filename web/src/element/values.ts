// A setting as a property of the element, and as the attribute that it reflects.

/** How a property is written: one text or number, or several. */
export type Kind = "text" | "number" | "texts" | "numbers";

export type Value = string | number | readonly string[] | readonly number[];

/** A value in the form of a link: a comma between two of a list. */
export function form(value: unknown): string {
  return Array.isArray(value) ? value.map((item) => String(item).replace(/[\\,]/g, "\\$&")).join(",") : String(value);
}

/** What an attribute says; null where there is none, NaN where it is no number. */
export function read(kind: Kind, text: string | null): Value | null {
  if (text === null) return null;
  if (kind === "text") return text;
  if (kind === "number") return number(text);
  const items = text === "" ? [] : [""];
  for (const [, escaped, plain = ""] of text.matchAll(/\\([\\,])|(.)/gs)) {
    if (plain === ",") items.push("");
    else items[items.length - 1] += escaped ?? plain;
  }
  return kind === "numbers" ? items.map(number) : items;
}

function number(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
