// How much one predictor's error is above another's, and how surely: on the same test rows, or
// over several splits.
import { FEWEST, squared } from "./error.js";
import type { Outcome } from "./standing.js";

/** The ratio of the losses of two predictors on the same rows, with its 95 % interval. */
export interface Ratio {
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

const HALVES = 999;
const GROUPS = 256; // of more rows, neighbours are added up first

/**
 * Σb/Σa of the losses of two predictors, each times its row's weight. The interval is that of
 * core/measure/ratio.go, number by number: the ratios of random halves of the rows lie on
 * either side of it as often as chance has it, however heavy the tails of the errors are. With
 * fewer than FEWEST rows it is 0 to infinity. O(rows).
 */
export function ratio(actual: Float64Array, a: Float64Array, b: Float64Array, loss: (y: number, p: number) => number = squared, weight: Float64Array = new Float64Array()): Ratio {
  const size = Math.ceil(actual.length / GROUPS);
  const [own, its] = [grouped(actual, a, loss, weight, size), grouped(actual, b, loss, weight, size)];
  const of = quotient(own.reduce(sum, 0), its.reduce(sum, 0));
  if (actual.length < FEWEST) return { of, low: 0, high: Number.POSITIVE_INFINITY };
  const [low, high] = [new Float64Array(HALVES), new Float64Array(HALVES)];
  const sums = new Float64Array(4);
  let bits = 2463534242;
  for (let half = 0; half < HALVES; half++) {
    sums.fill(0);
    for (let i = 0; i < own.length; i++) {
      if (i % 32 === 0) {
        bits ^= bits << 13;
        bits ^= bits >>> 17;
        bits ^= bits << 5;
      }
      const at = 2 * ((bits >>> (i % 32)) & 1);
      sums[at] = (sums[at] as number) + (own[i] as number);
      sums[at + 1] = (sums[at + 1] as number) + (its[i] as number);
    }
    const [one, other] = [quotient(sums[0] as number, sums[1] as number), quotient(sums[2] as number, sums[3] as number)];
    low[half] = Math.min(one, other);
    high[half] = Math.max(one, other);
  }
  const outside = (HALVES + 1) / 20 - 1;
  return { of, low: low.sort()[outside] as number, high: high.sort()[HALVES - 1 - outside] as number };
}

/** The weighted losses of so many neighbouring rows, added up. */
function grouped(actual: Float64Array, predicted: Float64Array, loss: (y: number, p: number) => number, weight: Float64Array, size: number): Float64Array {
  const groups = new Float64Array(Math.ceil(actual.length / Math.max(1, size)));
  for (let i = 0; i < actual.length; i++) {
    const at = Math.floor(i / size);
    groups[at] = (groups[at] as number) + (weight[i] ?? 1) * loss(actual[i] as number, predicted[i] as number);
  }
  return groups;
}

function sum(a: number, b: number): number {
  return a + b;
}

/** b/a, 1 for two that are equal up to rounding, 0 and infinite ones too. */
function quotient(a: number, b: number): number {
  return a === b || Math.abs(a - b) < 1e-12 * a ? 1 : b / a;
}

/**
 * Student's quantile of two standard errors, 95.4 % of the normal distribution, for so
 * many values: the expansion of Cornish and Fisher, to .005.
 */
function bound(values: number): number {
  const free = values - 1;
  return 2 + 2.5 / free + 3.0625 / free ** 2 + 2.859 / free ** 3;
}

/** Test rows for each row that trains or validates, of every split. */
const TESTED = 1 / 4;

/**
 * The ratio of another's error to one's own over splits of the same rows, with its interval:
 * 0 to infinity of fewer than FEWEST splits. null of none. Splits share most of their training rows, so the variance
 * of the mean logarithm is that of Nadeau and Bengio ("Inference for the Generalization
 * Error", Machine Learning 52, 2003): (1/J + test rows/training rows) times that of a split.
 */
export function overSplits(own: readonly number[], its: readonly number[]): Ratio | null {
  const logs = own.map((error, i) => Math.log((its[i] ?? Number.NaN) / error)).filter((log) => !Number.isNaN(log));
  const n = logs.length;
  if (n === 0) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  if (n < FEWEST) return { of: Math.exp(mean), low: 0, high: Number.POSITIVE_INFINITY };
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (n - 1);
  const reach = bound(n) * Math.sqrt((1 / n + TESTED) * variance);
  return { of: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}

/** What the ratio of another's error to one's own tells. */
export function outcome({ low, high }: Ratio): Outcome {
  if (low > 1) return "better";
  return high < 1 ? "worse" : "level";
}
