// Axes of shares, and of values by their logarithms, one of them with a place for 0.
import { powers, type Axis, type Line, type Scale } from "../../charts/lines.js";
import { decades, multiples, roundUp } from "../../charts/ticks.js";

const STEP = 0.4; // decades from the smallest value above 0 to 0

/** Where a value stands: at its logarithm, and 0 a step to the left of the smallest of all, what lies between them in proportion. */
export function place(value: number, all: readonly number[]): number {
  const least = Math.min(...all.filter((v) => v > 0));
  if (!Number.isFinite(least)) return value > 0 ? Math.log10(value) : -STEP;
  return value >= least * (1 - 1e-9) ? Math.log10(value) : Math.log10(least) - STEP * (1 - value / least);
}

/** The axis of such values, in rising order: a tick at each, which reads as that value, and so does what lies nearest to it. */
export function decadesOf(all: readonly number[], format: (value: number) => string): Required<Pick<Axis, "domain" | "ticks" | "format" | "value">> {
  const ticks = all.map((v) => place(v, all));
  const value = (x: number): number => {
    const nearest = ticks.reduce((best, at, i) => (Math.abs(at - x) < Math.abs((ticks[best] ?? 0) - x) ? i : best), 0);
    return all[nearest] ?? Number.NaN;
  };
  const [first = 0, end = 0] = [ticks[0], ticks.at(-1)];
  const room = Math.max(0.15, 0.04 * (end - first));
  return { domain: [first - room, end + room], ticks, format: (x) => format(value(x)), value };
}

/** What a logarithmic axis shows beyond its values, as exponents of ten. */
interface Reach {
  readonly top?: number; // at least up to this
  readonly bottom?: number; // and down to this
  readonly deepest?: number; // at most so many decades
}

/** A logarithmic axis of whole decades around those values that are above 0; null where none is. */
export function logScale(label: string, values: readonly number[], { top = -Infinity, bottom = Infinity, deepest = Infinity }: Reach = {}): Scale | null {
  const all = values.filter((v) => v > 0 && Number.isFinite(v)).map(Math.log10);
  if (all.length === 0) return null;
  const high = Math.max(top, Math.ceil(Math.max(...all)));
  const low = Math.max(Math.min(bottom, Math.floor(Math.min(...all)), high - 1), high - deepest);
  return { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label, format: powers };
}

/** An axis from 0 to 1, or as far as the lines with marks go; null where there are none. */
export function shareScale(label: string, lines: readonly Line[]): Scale | null {
  const all = lines.filter(({ symbol }) => symbol !== "").flatMap(({ y }) => y);
  if (all.length === 0) return null;
  const high = Math.max(...all) <= 1 ? 1 : roundUp(Math.max(...all));
  return { type: "linear", domain: [0, high], ticks: multiples(roundUp(high / 5), 0, high * (1 + 1e-9)), label, format: String };
}
