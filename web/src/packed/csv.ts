// Rows as lines of CSV, to the byte as core/packed/csv.go writes them.

/** A row is a line, so that an error's line is its row: line ends in a cell become a space. */
export function cell(text: string): string {
  const line = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text;
  return /[",#'\\=\t;|]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

/** A number with all its digits. One like 1.234 gets a zero more, so that its point cannot be one of thousands. */
export function numeral(value: number): string {
  if (Number.isNaN(value)) return "";
  const text = String(value);
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** A decimal by its digits and how many of them are after the point: 12345 and 2 are 123.45. */
export function fixed(value: bigint, scale: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  if (scale <= 0) return `${sign}${digits}${digits === "0" ? "" : "0".repeat(-scale)}`;
  const text = `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
}

const two = (n: number): string => String(n).padStart(2, "0");

/** A day since 1 January 1970 as a date; "" where its year has not four digits. */
export function date(days: number): string {
  const at = new Date(days * 86_400_000);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? `${String(year).padStart(4, "0")}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}` : "";
}

/** A time of day in units of which so many decimals make a second: 13:45:00.5. */
export function clock(units: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const seconds = Number(units / unit);
  const fraction = String(units % unit).padStart(decimals, "0").replace(/0+$/, "");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${decimals > 0 && fraction ? `.${fraction}` : ""}`;
}

/** An instant in such units since 1970: 2024-05-31T13:45:00; the number itself where its year has not four digits. */
export function instant(units: bigint, decimals: number): string {
  const perDay = 86_400n * 10n ** BigInt(decimals);
  const days = units >= 0n ? units / perDay : -((-units + perDay - 1n) / perDay);
  const day = date(Number(days));
  return day ? `${day}T${clock(units - days * perDay, decimals)}` : String(units);
}
