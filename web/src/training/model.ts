// The file of a trained model, as far as the page reads it; core/fm/file.go
// says all that it holds.
import type { Matrix, ModelFile } from "../engine/protocol.js";

function read(file: ModelFile): { readonly target: { readonly mean: number }; readonly features: readonly { readonly scale: number }[] } {
  return JSON.parse(new TextDecoder().decode(file.bytes)) as ReturnType<typeof read>;
}

/** The mean of the training rows' targets. */
export function targetMean(file: ModelFile): number {
  return read(file).target.mean;
}

/**
 * The interactions per standard deviation of both features, in target units:
 * in the features' own units a pair of large numbers would look weak. O(d²).
 */
export function perDeviation(raw: Matrix, file: ModelFile): Matrix {
  const scale = read(file).features.map((feature) => feature.scale); // what one unit of each scaled feature is in the feature as it was given
  return { ...raw, values: raw.values.map((v, at) => v * (scale[Math.floor(at / raw.d)] ?? Number.NaN) * (scale[at % raw.d] ?? Number.NaN)) };
}
