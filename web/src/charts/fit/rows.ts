// Test rows, and what one model predicts for them.
import type { Predictions } from "../../engine/protocol.js";
import type { Model } from "../../training/series.js";
import { isModel } from "../../training/standing.js";

export type Predictor = Model | "ridge" | "trees";

export const POINTS = 2000; // rows drawn at most, and visited by a cursor

export interface Rows {
  readonly line: Int32Array; // in the file; row number for synthetic rows
  readonly actual: Float64Array;
  readonly predicted: Float64Array;
  readonly residual: Float64Array; // predicted − actual: positive where too much is predicted; of more than two classes predicted − 1
  readonly spread: Spread;
  ranked(): readonly number[]; // the rows with the largest errors, largest first
}

/** What one look at all rows tells, in target units. */
interface Spread {
  readonly rmse: number;
  readonly bias: number; // mean of the residuals
  readonly sd: number; // theirs
  readonly within: number; // share of them no farther than sd from bias
  readonly worst: number; // row with the largest one
  readonly reach: number; // its size; of the finite ones, if a prediction is not finite
  readonly correlation: number; // Pearson's, of actual and predicted
  readonly low: number; // of actual
  readonly high: number;
}

/**
 * The rows of every model there are predictions of, those of ridge and, if they are given, those of trees, in the
 * order in which they are drawn. What has stayed is taken from before, and one of the others is measured: whole
 * says whether it was the last. isMany: the target has more than two classes. O(rows).
 */
export function rowsOf(predictions: ReadonlyMap<Model, Predictions>, before: ReadonlyMap<Predictor, Rows>, trees: Float64Array | null = null, isMany = false): { rows: Map<Predictor, Rows>; whole: boolean } {
  const all = new Map<Predictor, Rows>();
  let [fresh, whole] = [0, true];
  const add = (whose: Predictor, { line, actual }: Predictions, predicted: Float64Array): void => {
    const own = before.get(whose);
    if (own?.predicted === predicted) all.set(whose, own);
    else if (fresh++ === 0) all.set(whose, measured(line, actual, predicted, isMany));
    else whole = false;
  };
  for (const model of ["fm", "gfm", "ifm"] as const) {
    const p = predictions.get(model);
    if (!p) continue;
    if (all.size === 0) {
      add("ridge", p, p.ridge); // the same rows for every model
      if (trees) add("trees", p, trees);
    }
    add(model, p, p.predicted);
  }
  return { rows: all, whole };
}

// There may be hundreds of thousands of rows, and all of them are looked at in
// one task of the page: plain loops, a fifth of what closures take.
function measured(line: Int32Array, actual: Float64Array, predicted: Float64Array, isMany: boolean): Rows {
  const n = actual.length;
  const residual = new Float64Array(n);
  let [sum, squares, sumA, sumP, worst, reach] = [0, 0, 0, 0, 0, 0];
  let [low, high, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < n; i++) {
    const a = actual[i] as number;
    const p = predicted[i] as number;
    const r = p - (isMany ? 1 : a);
    const size = Math.abs(r);
    residual[i] = r;
    sum += r;
    squares += r * r;
    sumA += a;
    sumP += p;
    if (a < low) low = a;
    if (a > high) high = a;
    if (size > most || (Number.isNaN(size) && !Number.isNaN(most))) {
      worst = i; // what is no number is the worst
      most = size;
    }
    if (size > reach && size < Number.POSITIVE_INFINITY) reach = size;
  }
  const [bias, meanA, meanP] = [sum / n, sumA / n, sumP / n];
  let [around, ab, aa, bb] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const off = (residual[i] as number) - bias;
    const x = (actual[i] as number) - meanA;
    const y = (predicted[i] as number) - meanP;
    around += off * off;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  const sd = Math.sqrt(around / n);
  let inside = 0;
  for (let i = 0; i < n; i++) if (Math.abs((residual[i] as number) - bias) <= sd) inside++;
  let ranked: readonly number[] | undefined;
  return { line, actual, predicted, residual, ranked: () => (ranked ??= largestOf(residual, POINTS)), spread: { rmse: Math.sqrt(squares / n), bias, sd, within: inside / n, worst, reach, correlation: ab / Math.sqrt(aa * bb), low, high } };
}

/** At most so many rows with the largest sizes, largest first; what is no number is the largest. */
export function largestOf(residual: Float64Array, most: number): number[] {
  const size = new Float64Array(residual.length);
  for (let row = 0; row < size.length; row++) {
    const r = Math.abs(residual[row] as number);
    size[row] = Number.isNaN(r) ? Number.POSITIVE_INFINITY : r;
  }
  const least = size.slice().sort()[size.length - most] ?? 0; // typed arrays sort fast: no comparison is called
  const rows: number[] = []; // larger, fewer than asked for
  for (let row = 0; row < size.length; row++) if ((size[row] as number) > least) rows.push(row);
  const of = (row: number): number => size[row] as number;
  rows.sort((i, j) => (of(i) === of(j) ? i - j : of(j) - of(i)));
  for (let row = 0; row < size.length && rows.length < most; row++) if (size[row] === least) rows.push(row);
  return rows;
}

/** Counts of residuals in bins of one width, one of them around 0. The outermost hold what lies beyond them. */
export interface Bins {
  readonly width: number; // target units
  readonly half: number; // bins on either side of the one around 0
  readonly counts: ReadonlyMap<Predictor, readonly number[]>;
}

/** From where to where a bin reaches; the outermost reach to infinity. */
export function edges({ width, half }: Pick<Bins, "width" | "half">, bin: number): readonly [number, number] {
  const low = (bin - half - 0.5) * width;
  return [bin === 0 ? Number.NEGATIVE_INFINITY : low, bin === 2 * half ? Number.POSITIVE_INFINITY : low + width];
}

/**
 * The residuals of all in common bins. They reach as far as ridge's do, or
 * those of the model that is closest where ridge is closer still, so that they
 * stay while the models learn; at most 3.5 times the root mean square, so that
 * a single row does not press all others together.
 */
export function bin(all: ReadonlyMap<Predictor, Rows>): Bins {
  const reach = ({ spread }: Rows): number => Math.min(spread.reach, Number.isNaN(spread.rmse) ? Number.POSITIVE_INFINITY : 3.5 * spread.rmse);
  const ridge = all.get("ridge");
  const closest = Math.min(...[...all].flatMap(([whose, rows]) => (!isModel(whose) ? [] : [reach(rows)])));
  const far = Math.max(ridge ? reach(ridge) : 0, Number.isFinite(closest) ? closest : 0);
  const n = ridge?.actual.length ?? 0;
  const wanted = Math.min(Math.max(2.5 * Math.cbrt(n), 11), 41); // a little finer than Rice's rule
  const width = nice((2 * far) / wanted || 1);
  const half = Math.max(1, Math.round(far / width));
  const counts = new Map(
    [...all].map(([whose, { residual }]): [Predictor, readonly number[]] => {
      const own = new Array<number>(2 * half + 1).fill(0);
      for (let row = 0; row < residual.length; row++) {
        const r = residual[row] as number;
        if (Number.isNaN(r)) continue;
        const at = Math.min(Math.max(Math.round(r / width) + half, 0), 2 * half);
        own[at] = (own[at] as number) + 1;
      }
      return [whose, own];
    }),
  );
  return { width, half, counts };
}

/** The next number of one digit, or 1.5 or 2.5, times a power of ten. */
export function nice(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((m) => m * unit >= value * (1 - 1e-9)) ?? 10);
}
