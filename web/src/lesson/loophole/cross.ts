// FM's loophole: columns of U that copy a row each of a symmetric matrix, of
// either sign, into UUᵀ. Matrices are d×d, row-major.
import type { Matrix, ModelFile } from "../../engine/protocol.js";
import { list } from "../../text/strings.js";

type Square = Pick<Matrix, "d" | "values">;

const TALL = 5; // times the largest other entry of its row, from where on a diagonal entry makes a cross

/** The features by the size of their rows off the diagonal, ‖M_j‖, largest first. O(d²) */
export function strongest({ d, values }: Square): number[] {
  const sizes = Array.from({ length: d }, (_, j) => values.subarray(j * d, (j + 1) * d).reduce((sum, v, i) => (i === j ? sum : sum + v * v), 0));
  return sizes.map((_, j) => j).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
}

/**
 * UUᵀ of a column for each of the features: c at the feature, and at the others 1/c of what the columns before have left
 * of its row, where c² is so many times the largest entry that is left. It has the rows of all these features off the
 * diagonal, as Cholesky's factors would with pivots c². Where times is 1 or more, what is left at most doubles with a
 * column, so that nothing is lost to rounding. O(d² for each feature)
 */
export function crossed({ d, values }: Square, features: readonly number[], times: number): Float64Array {
  const whole = new Float64Array(d * d);
  for (const feature of features) {
    const left = minus(values, whole);
    const c = Math.sqrt(times * (largest(d, left, [], false) || 1));
    const column = Array.from({ length: d }, (_, i) => (i === feature ? c : (left[i * d + feature] ?? 0) / c));
    for (const [i, a] of column.entries()) for (const [l, b] of column.entries()) whole[i * d + l] = (whole[i * d + l] ?? 0) + a * b;
  }
  return whole;
}

/** What an FM has learnt. */
export interface Learnt {
  readonly whole: Float64Array; // UUᵀ, in the units of the target and of the features as they were drawn
  readonly crosses: readonly number[]; // features
  readonly tallest: number; // the feature with the largest diagonal entry
}

/** What is in an FM's file. O(d²k) */
export function learnt(file: ModelFile): Learnt {
  const { u, target, features } = JSON.parse(new TextDecoder().decode(file.bytes)) as {
    readonly u: readonly (readonly number[])[];
    readonly target: { readonly scale: number };
    readonly features: readonly { readonly scale: number }[];
  };
  const d = u.length;
  const scale = (i: number): number => features[i]?.scale ?? Number.NaN;
  const whole = Float64Array.from(u.flatMap((a, i) => u.map((b, l) => (target.scale * a.reduce((sum, v, f) => sum + v * (b[f] ?? Number.NaN), 0)) / (scale(i) * scale(l)))));
  const tallest = u.reduce((best, _, j) => ((whole[j * (d + 1)] ?? 0) > (whole[best * (d + 1)] ?? 0) ? j : best), 0);
  return { whole, crosses: crosses(d, whole), tallest };
}

/** The same without its diagonal. */
export function hollow(d: number, whole: Float64Array): Float64Array {
  return whole.map((v, at) => (at % (d + 1) === 0 ? 0 : v));
}

export function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((v, at) => v - (b[at] ?? Number.NaN));
}

/** The largest size off the diagonal, in the rows of some features alone or in what is left without them. */
export function largest(d: number, values: Float64Array, features: readonly number[], inside: boolean): number {
  const within = (at: number): boolean => features.includes(Math.floor(at / d)) || features.includes(at % d);
  return values.reduce((most, v, at) => (at % (d + 1) === 0 || within(at) !== inside ? most : Math.max(most, Math.abs(v))), 0);
}

/** A feature's diagonal entry ÷ the largest other entry of its row. */
export function height(d: number, whole: Float64Array, feature: number): number {
  return (whole[feature * (d + 1)] ?? Number.NaN) / largest(d, whole, [feature], true);
}

/** The features whose diagonal entries make crosses, in their order. */
export function crosses(d: number, whole: Float64Array): number[] {
  return Array.from({ length: d }, (_, j) => j).filter((j) => height(d, whole, j) > TALL);
}

/** How far a feature's row is from the truth's, ‖row − row*‖ / ‖row*‖ off the diagonal. */
export function missed({ d, values }: Square, whole: Float64Array, feature: number): number {
  const size = (of: Float64Array): number => Math.hypot(...of.subarray(feature * d, (feature + 1) * d).filter((_, i) => i !== feature));
  return size(minus(whole, values)) / size(values);
}

/** Names in a row: x2, x5 and x7. */
export function named(names: readonly string[]): string {
  return list(names.map((name) => [name])).join("");
}
