// How far predictions are off on test rows. There may be hundreds of thousands
// of them: plain loops, a fifth of what closures take.

/** In target units, but for r2. */
export interface Errors {
  readonly rmse: number;
  readonly mae: number; // mean absolute error
  readonly r2: number; // 1 − squared error/squared distance of these rows from their own mean; NaN where they are all the same
}

/** All that is said of predictions. */
export interface Measured extends Errors {
  readonly auc: number; // of a target of two values; NaN of others
}

/** O(rows). */
export function errors(actual: Float64Array, predicted: (row: number) => number): Errors {
  const n = actual.length;
  let [sum, absolute, squares] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const off = predicted(i) - (actual[i] as number);
    sum += actual[i] as number;
    absolute += Math.abs(off);
    squares += off * off;
  }
  const mean = sum / n;
  let around = 0;
  for (let i = 0; i < n; i++) around += ((actual[i] as number) - mean) ** 2;
  return { rmse: Math.sqrt(squares / n), mae: absolute / n, r2: around > 0 ? 1 - squares / around : Number.NaN };
}

/** Of a target of two values: the share of pairs of rows that differ in it that are in order, ties half. NaN for others. O(rows·log rows). */
export function auc(actual: Float64Array, predicted: Float64Array): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const y of actual) [low, high] = [Math.min(low, y), Math.max(high, y)];
  if (!(low < high) || actual.some((y) => y !== low && y !== high)) return Number.NaN;
  const below = predicted.filter((_, i) => actual[i] === low).sort();
  const above = predicted.filter((_, i) => actual[i] === high).sort();
  let [twice, less, same] = [0, 0, 0]; // how many of those below are less than one above, and how many no more
  for (const p of above) {
    while (less < below.length && (below[less] as number) < p) less++;
    while (same < below.length && (below[same] as number) <= p) same++;
    twice += less + same;
  }
  return twice / (2 * below.length * above.length);
}

/**
 * By how many standard errors the squared errors of a are below those of b on
 * the same rows: t = mean d/(sd d/√n) with d = (y − b)² − (y − a)². 0 where the
 * two are off alike in every row, or there is one row alone. O(rows).
 */
export function paired(actual: Float64Array, a: Float64Array, b: Float64Array): number {
  const n = actual.length;
  const gains = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const y = actual[i] as number;
    const gain = ((b[i] as number) - y) ** 2 - ((a[i] as number) - y) ** 2;
    gains[i] = gain;
    sum += gain;
  }
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += ((gains[i] as number) - mean) ** 2;
  const t = Number.isFinite(mean) ? mean / Math.sqrt(squares / (n - 1) / n) : mean; // what is infinitely off is worse beyond all chance
  return Number.isNaN(t) ? 0 : t;
}
