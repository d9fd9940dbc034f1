// How far predictions are off on test rows. There may be hundreds of thousands
// of them: plain loops, a fifth of what closures take.

/** In target units, but for r2. */
export interface Errors {
  readonly rmse: number;
  readonly mae: number; // mean absolute error
  readonly r2: number; // 1 − squared error/squared distance of these rows from their own mean; NaN where they are all the same
}

export interface Measured extends Errors {
  readonly auc: number; // of a target of two values, or the mean of more than two classes; NaN of others
  readonly accuracy: number; // of classes: the share of rows whose likeliest class is their own; NaN of numbers
}

const EQUAL = new Float64Array(); // weights of rows that all count the same
const SURE = 1e-15; // a probability is taken to be no nearer to 0 and 1: its logarithm stays a number

/** What a row costs that is 0 or 1 and has the probability p of being 1: −log of what its own class has. */
export function logLoss(y: number, p: number): number {
  return -Math.log(Math.max(SURE, y > 0 ? p : 1 - p));
}

export function squared(y: number, p: number): number {
  return (p - y) ** 2;
}

/** The mean loss of rows, by their weights; none: 1 each. O(rows). */
export function meanLoss(actual: Float64Array, predicted: Float64Array, loss: (y: number, p: number) => number, weight: Float64Array = EQUAL): number {
  let [n, sum] = [0, 0];
  for (let i = 0; i < actual.length; i++) {
    const counts = weight[i] ?? 1;
    n += counts;
    sum += counts * loss(actual[i] as number, predicted[i] as number);
  }
  return sum / n;
}

/** The share of rows of two classes that are on their own side of one half, by their weights. O(rows). */
export function accuracy(actual: Float64Array, predicted: Float64Array, weight: Float64Array = EQUAL): number {
  return meanLoss(actual, predicted, (y, p) => (p >= 0.5 === y > 0 ? 1 : 0), weight);
}

/** The share of rows of a class, by their weights. O(rows). */
export function shareOf(actual: Float64Array, of: number, weight: Float64Array = EQUAL): number {
  return meanLoss(actual, actual, (y) => (y === of ? 1 : 0), weight);
}

/** Each row counts its weight; none: 1 each. O(rows). */
export function errors(actual: Float64Array, predicted: Float64Array, weight: Float64Array = EQUAL): Errors {
  const weighs = weight.length > 0;
  let [n, sum, absolute, squares] = [0, 0, 0, 0];
  for (let i = 0; i < actual.length; i++) {
    const y = actual[i] as number;
    const off = (predicted[i] as number) - y;
    const counts = weighs ? (weight[i] as number) : 1;
    n += counts;
    sum += counts * y;
    absolute += counts * Math.abs(off);
    squares += counts * off * off;
  }
  const mean = sum / n;
  let around = 0;
  for (let i = 0; i < actual.length; i++) {
    const off = (actual[i] as number) - mean;
    around += (weighs ? (weight[i] as number) : 1) * off * off;
  }
  return { rmse: Math.sqrt(squares / n), mae: absolute / n, r2: around > 0 ? 1 - squares / around : Number.NaN };
}

/** The lower of a target's two values; null of any other target. */
function lower(actual: Float64Array): number | null {
  const first = actual[0] as number;
  let second = first;
  for (let i = 1; i < actual.length; i++) {
    const y = actual[i] as number;
    if (y === first || y === second) continue;
    if (second !== first || Number.isNaN(y)) return null;
    second = y;
  }
  return first === second || Number.isNaN(first) ? null : Math.min(first, second);
}

/** For a target of two values, the share of pairs of rows with different values that are predicted in order. Ties count half, and a pair the product of its weights. NaN for other targets. O(rows·log rows). */
export function auc(actual: Float64Array, predicted: Float64Array, weight: Float64Array = EQUAL): number {
  const low = lower(actual);
  if (low === null) return Number.NaN;
  const by = Uint32Array.from(predicted, (_, i) => i).sort((i, j) => (predicted[i] as number) - (predicted[j] as number));
  let [twice, below, above] = [0, 0, 0]; // pairs in order, twice, and what the rows so far count
  for (let i = 0; i < by.length; ) {
    const p = predicted[by[i] as number];
    let [alikeBelow, alikeAbove] = [0, 0];
    for (; i < by.length && predicted[by[i] as number] === p; i++) {
      const counts = weight[by[i] as number] ?? 1;
      if (actual[by[i] as number] === low) alikeBelow += counts;
      else alikeAbove += counts;
    }
    twice += alikeAbove * (2 * below + alikeBelow);
    below += alikeBelow;
    above += alikeAbove;
  }
  return twice / (2 * below * above);
}

/** Test rows, and those that differ from the commonest target, below which no difference of two predictors can be told from chance: core/measure/ratio.go says why. */
export const FEWEST = 6;

/** How many rows of some weight differ from the target that more than half of them have, and that target; all where there is none. O(rows·log rows). */
export function rarer(actual: Float64Array, weight: Float64Array = EQUAL): { rows: number; commonest: number } {
  const sorted = actual.filter((_, i) => (weight[i] ?? 1) > 0).sort();
  let [most, run, commonest] = [0, 0, 0];
  sorted.forEach((y, i) => {
    run = y === sorted[i - 1] ? run + 1 : 1;
    if (run > most) [most, commonest] = [run, y];
  });
  return { rows: sorted.length - (2 * most > sorted.length ? most : 0), commonest };
}

const Z = 1.959963984540054; // the normal distribution's 97.5 % quantile

/** The number of rows of equal weight that tell as much as these: Kish's (Σw)²/Σw². */
function effective(rows: number, weight: Float64Array): number {
  return weight.length === 0 ? rows : weight.reduce((sum, w) => sum + w, 0) ** 2 / weight.reduce((sum, w) => sum + w * w, 0);
}

/** Wilson's 95 % interval of a share of rows. */
export function shareInterval(share: number, rows: number, weight: Float64Array = EQUAL): readonly [low: number, high: number] {
  const size = effective(rows, weight);
  const shrunk = 1 + Z ** 2 / size;
  const middle = (share + Z ** 2 / (2 * size)) / shrunk;
  const half = (Z / shrunk) * Math.sqrt((share * (1 - share)) / size + Z ** 2 / (4 * size ** 2));
  return [Math.max(0, Math.min(share, middle - half)), Math.min(1, Math.max(share, middle + half))];
}

/** The 95 % interval of an area under the ROC curve for these rows of two values: that of core/measure/measure.go. */
export function aucInterval(area: number, actual: Float64Array, weight: Float64Array = EQUAL): readonly [low: number, high: number] {
  const low = lower(actual);
  const rows = (is: (y: number) => boolean): number => effective(actual.filter(is).length, weight.filter((_, i) => is(actual[i] as number)));
  const [zeros, ones] = [rows((y) => y === low), rows((y) => y !== low)];
  const n = (zeros + ones) / 2 - 1;
  const isWithin = (a: number): boolean => (area - a) ** 2 <= (Z ** 2 * a * (1 - a) * (2 * n + 1 - (3 * n) / ((2 - a) * (1 + a)))) / (zeros * ones);
  const end = (out: number): number => {
    let within = area;
    for (let i = 0; i < 50; i++) {
      const middle = (within + out) / 2;
      if (isWithin(middle)) within = middle;
      else out = middle;
    }
    return within;
  };
  return [end(0), end(1)];
}
