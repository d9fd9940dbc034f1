// The file of a trained model, as far as the page reads it; core/fm/file.go
// says all that it holds.
import type { Matrix, ModelFile } from "../engine/protocol.js";

/** A column of the design: z = (x − mean)/scale, where x is the number of the table's column, or 0 or 1. */
export interface Feature {
  readonly name: string;
  readonly column: string; // of the table
  readonly kind: "value" | "knot" | "level" | "other" | "missing"; // the last three are 0 or 1
  readonly level?: string; // of kind level
  readonly knot?: number; // of kind knot: where the feature is 1
  readonly mean: number;
  readonly scale: number;
}

export function features(file: ModelFile): readonly Feature[] {
  return (JSON.parse(new TextDecoder().decode(file.bytes)) as { features: readonly Feature[] }).features;
}

/** The mean of the training rows' targets. */
export function targetMean(file: ModelFile): number {
  return (JSON.parse(new TextDecoder().decode(file.bytes)) as { target: { mean: number } }).target.mean;
}

/**
 * The interactions per standard deviation of both features, in target units:
 * in the features' own units a pair of large numbers would look weak. O(d²).
 */
export function perDeviation(raw: Matrix, file: ModelFile): Matrix {
  const scale = features(file).map((feature) => feature.scale); // what one unit of each scaled feature is in the feature as it was given
  return { ...raw, values: raw.values.map((v, at) => v * (scale[Math.floor(at / raw.d)] ?? Number.NaN) * (scale[at % raw.d] ?? Number.NaN)) };
}

/** ‖M − truth‖ / ‖truth‖, Frobenius. */
export function relativeError(m: Matrix, truth: Matrix): number {
  let [off, all] = [0, 0];
  for (let at = 0; at < truth.values.length; at++) {
    const v = truth.values[at] ?? 0;
    off += ((m.values[at] ?? 0) - v) ** 2;
    all += v ** 2;
  }
  return Math.sqrt(off / all);
}
