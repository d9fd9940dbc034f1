// Test rows, and what one model predicts for them.
import type { Predictions } from "./protocol.js";
import type { Model } from "./series.js";

export type Predictor = Model | "ridge";

export interface Rows {
  readonly line: Int32Array; // in the file; row number for synthetic rows
  readonly actual: Float64Array;
  readonly predicted: Float64Array;
}

/** The rows of every model there are predictions of, and those of ridge, in the order in which they are drawn. */
export function rowsOf(predictions: ReadonlyMap<Model, Predictions>): Map<Predictor, Rows> {
  const all = new Map<Predictor, Rows>();
  for (const model of ["fm", "gfm", "ifm"] as const) {
    const p = predictions.get(model);
    if (!p) continue;
    if (all.size === 0) all.set("ridge", { line: p.line, actual: p.actual, predicted: p.ridge }); // the same rows for every model
    all.set(model, p);
  }
  return all;
}

/** predicted − actual; positive where too much is predicted. */
export function residual({ actual, predicted }: Rows, row: number): number {
  return (predicted[row] ?? Number.NaN) - (actual[row] ?? Number.NaN);
}

/** The row with the largest error. */
export function farthest(rows: Rows): number {
  let best = 0;
  for (let row = 1; row < rows.actual.length; row++) if (Math.abs(residual(rows, row)) > Math.abs(residual(rows, best))) best = row;
  return best;
}

/** At most so many rows with the largest errors, largest first. Sorting all rows takes too long where there are many. */
export function worst(rows: Rows, most: number): number[] {
  const off = (row: number): number => Math.abs(residual(rows, row));
  const least = rows.actual.map((_, row) => off(row)).sort().at(-most) ?? 0;
  return Array.from(rows.actual.keys())
    .filter((row) => !(off(row) < least))
    .sort((i, j) => off(j) - off(i))
    .slice(0, most);
}

/** What one look at all residuals tells, in target units. */
export interface Spread {
  readonly rmse: number;
  readonly bias: number; // their mean
  readonly sd: number;
  readonly within: number; // share of them no farther than sd from bias
  readonly worst: number; // row
}

export function spreadOf(rows: Rows): Spread {
  const n = rows.actual.length;
  let [sum, squares] = [0, 0];
  for (let row = 0; row < n; row++) {
    const r = residual(rows, row);
    sum += r;
    squares += r * r;
  }
  const bias = sum / n;
  let around = 0;
  for (let row = 0; row < n; row++) around += (residual(rows, row) - bias) ** 2;
  const sd = Math.sqrt(around / n);
  let inside = 0;
  for (let row = 0; row < n; row++) if (Math.abs(residual(rows, row) - bias) <= sd) inside++;
  return { rmse: Math.sqrt(squares / n), bias, sd, within: inside / n, worst: farthest(rows) };
}

/** Pearson's, of actual and predicted. */
export function correlation({ actual, predicted }: Rows): number {
  const mean = (v: Float64Array): number => v.reduce((sum, x) => sum + x, 0) / v.length;
  const [ma, mb] = [mean(actual), mean(predicted)];
  let [ab, aa, bb] = [0, 0, 0];
  actual.forEach((v, i) => {
    const [x, y] = [v - ma, (predicted[i] ?? 0) - mb];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(aa * bb);
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
  const reach = (rows: Rows): number => {
    const { rmse, worst } = spreadOf(rows);
    return Math.min(Math.abs(residual(rows, worst)), 3.5 * rmse);
  };
  const ridge = all.get("ridge");
  const closest = Math.min(...[...all].flatMap(([whose, rows]) => (whose === "ridge" ? [] : [reach(rows)])));
  const far = Math.max(ridge ? reach(ridge) : 0, Number.isFinite(closest) ? closest : 0);
  const n = ridge?.actual.length ?? 0;
  const wanted = Math.min(Math.max(2.5 * Math.cbrt(n), 11), 41); // a little finer than Rice's rule
  const width = nice((2 * far) / wanted || 1);
  const half = Math.max(1, Math.round(far / width));
  const counts = new Map(
    [...all].map(([whose, rows]): [Predictor, readonly number[]] => {
      const own = new Array<number>(2 * half + 1).fill(0);
      for (let row = 0; row < rows.actual.length; row++) {
        const r = residual(rows, row);
        if (Number.isNaN(r)) continue;
        const at = Math.min(Math.max(Math.round(r / width) + half, 0), 2 * half);
        own[at] = (own[at] ?? 0) + 1;
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
