// Numbers as a reader sees them.

const EXPONENTS = new Map([..."0123456789-"].map((c, i) => [c, "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".charAt(i)]));

/** By the number of decimals, as they are asked for. Making one takes longer than writing a hundred numbers. */
const formats = new Map<number, Intl.NumberFormat>();

/** A power of ten, 10⁻³. */
export function power(exponent: number): string {
  return `10${[...String(exponent)].map((c) => EXPONENTS.get(c) ?? c).join("")}`;
}

/** A number with so many significant digits: 0.0315, 1,937, 2.4 × 10⁻⁵; one that is whole has no decimals: 12. */
export function number(value: number, digits = 3): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [mantissa = "", exponent = "0"] = size.toExponential(digits - 1).split("e");
    return `${value < 0 ? "−" : ""}${mantissa} × ${power(Number(exponent))}`;
  }
  const whole = size === 0 ? 1 : Math.floor(Math.log10(size)) + 1;
  const places = Math.min(Math.max(digits - whole, 0), 12);
  return fixed(value, Number.isInteger(value) ? 0 : places);
}

/** With its sign, for what may be negative: +0.021, −0.3. */
export function signed(value: number, digits = 3): string {
  return value > 0 ? `+${number(value, digits)}` : number(value, digits);
}

/** As many decimals as give a number of that size three digits, so that a column can be added up; what rounds to 0 has no sign. */
export function decimals(size: number): (value: number) => string {
  const places = 2 - Math.floor(Math.log10(size || 1));
  if (!(places >= -3 && places <= 5)) return (value) => number(value);
  const digits = Math.max(0, places);
  return (value) => fixed(value, digits);
}

/** For a table: as few digits as it needs, six at most. */
export function cell(value: number): string {
  if (Number.isNaN(value)) return "–";
  return value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e7) ? number(value, 4) : String(Number(value.toPrecision(6))).replace("-", "−");
}

/** With so many decimals; what rounds to 0 has no sign. */
function fixed(value: number, places: number): string {
  let format = formats.get(places);
  if (!format) formats.set(places, (format = new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places, signDisplay: "negative" })));
  return format.format(value).replace("-", "−");
}

/** A whole number, 15,000. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** A share: 12 %, 0.4 %; beyond ten times as much, > 1000 %. 100 % is of all and 0 % of none: 99.6 %, 0.04 %. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 1000) return "> 1000 %";
  return `${inside(value, 100, value !== 0 && Math.abs(value) < 9.95 ? 1 : 0).replace("-", "−")} %`;
}

/** With so many decimals, and with more where it would read as 0 or the whole and is not. */
export function inside(value: number, whole: number, places: number): string {
  const text = value.toFixed(places);
  const isOf = (end: number): boolean => (Number(text) === end) === (value === end);
  return places > 9 || Number.isNaN(value) || (isOf(0) && isOf(whole)) ? text : inside(value, whole, places + 1);
}

/** A share that may be tiny: 12 %, 0.4 %, 2.4 × 10⁻⁵. */
export function fraction(value: number): string {
  return value < 0.0005 ? number(value, 2) : percent(value);
}

/** How much more or less: +12 %, −0.4 %, > 1000 %. */
export function change(share: number): string {
  if (Math.abs(share) < 0.0005) return "±0 %"; // and not +0.0 % beside it
  return share > 10 ? percent(share) : `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`;
}

/** 12 kB, 3.4 MB, in powers of ten. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} bytes`;
  if (value < 1e6) return `${number(value / 1e3, value < 1e4 ? 2 : 3)} kB`;
  if (value < 1e9) return `${number(value / 1e6, value < 1e7 ? 2 : 3)} MB`;
  return `${number(value / 1e9, 2)} GB`;
}

const LONGEST = 80; // letters of a name within a sentence

/** A file's column names may be longer than the page. */
export function named(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}
