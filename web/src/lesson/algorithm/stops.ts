// What each step of an iteration shows and says, from what the engine's own
// iteration left. No page is needed here.
import type { IterationMatrices } from "../../engine/protocol.js";
import { number } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { list } from "../../text/strings.js";

export type Form = "printed" | "algorithm1";

export const stages = ["estimate", "correct", "orthogonalise", "update"] as const;
export type Stage = (typeof stages)[number];

const none = (value: number): Quantity => quantity("none", value);

const maps = {
  error: "M − M*, the hidden error",
  estimate: "H(r), the estimate",
  estimateLeft: "H(r) minus the error",
};

const told = {
  printed: (mean: number, left: number): Phrase =>
    say`As printed, line 5 subtracts only G₁ and G₂ from the diagonal. Half the mean of r, ${none(mean / 2)}, stays: the diagonal is off by ${none(left)} on average. The term that would subtract it, −½P⁽⁰⁾(r)·I, is missing. Choose “with the missing term” to put it back.`,
  algorithm1: (mean: number, left: number): Phrase => say`The term −½P⁽⁰⁾(r)·I subtracts half the mean of r, ${none(mean / 2)}, from every entry of the diagonal. The diagonal is then off by ${none(left)} on average: sampling error, not bias.`,
};

/** A matrix to be drawn, row-major. */
export interface Shown {
  readonly title: string;
  readonly rows: number;
  readonly columns: number;
  readonly values: readonly number[]; // none before there are any
}

export interface Stop {
  readonly maps: readonly Shown[];
  readonly told: Phrase;
}

/** One iteration, and the model that it began with. */
export interface Walked {
  readonly matrices: IterationMatrices;
  readonly before: readonly number[]; // d×d: M
  readonly errors: readonly [number, number]; // ‖M − M*‖/‖M*‖ before and after, of the run's records
}

/** sym(QVᵀ), the model that an iteration leaves. */
export function model({ d, k, q, v }: Pick<IterationMatrices, "d" | "k" | "q" | "v">): number[] {
  const dot = (i: number, j: number): number => Array.from({ length: k }, (_, f) => (q[i * k + f] ?? 0) * (v[j * k + f] ?? 0)).reduce((sum, product) => sum + product, 0);
  return Array.from({ length: d * d }, (_, at) => (dot(Math.floor(at / d), at % d) + dot(at % d, Math.floor(at / d))) / 2);
}

function less(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return Array.from(a, (value, i) => value - (b[i] ?? 0));
}

export function trace(m: readonly number[], d: number): number {
  return Array.from({ length: d }, (_, j) => m[j * d + j] ?? 0).reduce((sum, value) => sum + value, 0);
}

/** AᵀB of two d×k matrices. */
export function products(a: ArrayLike<number>, b: ArrayLike<number>, d: number, k: number): number[] {
  return Array.from({ length: k * k }, (_, at) => {
    let sum = 0;
    for (let i = 0; i < d; i++) sum += (a[i * k + Math.floor(at / k)] ?? 0) * (b[i * k + (at % k)] ?? 0);
    return sum;
  });
}

/** The lengths of the columns of a matrix, and the largest cosine between two of them. */
export function angles(u: ArrayLike<number>, d: number, k: number): { readonly lengths: readonly number[]; readonly cosine: number } {
  const gram = products(u, u, d, k);
  const lengths = Array.from({ length: k }, (_, f) => Math.sqrt(gram[f * k + f] ?? 0));
  const cosine = gram.reduce((most, value, at) => (at % k > Math.floor(at / k) ? Math.max(most, Math.abs(value) / ((lengths[at % k] ?? 0) * (lengths[Math.floor(at / k)] ?? 0))) : most), 0);
  return { lengths, cosine };
}

/** The maps as they will be, so that nothing moves when their numbers come. */
export function blank(d: number): Stop {
  return { maps: [maps.error, maps.estimate, maps.estimateLeft].map((title) => ({ title, rows: d, columns: d, values: [] })), told: [] };
}

export function stopOf({ matrices, before, errors }: Walked, form: Form, stage: Stage): Stop {
  const { d, k, truth, mean } = matrices;
  const square = (title: string, values: ArrayLike<number>): Shown => ({ title, rows: d, columns: d, values: Array.from(values) });
  const error = less(before, truth);
  switch (stage) {
    case "estimate":
      return {
        maps: [square(maps.error, error), square(maps.estimate, matrices.h), square(maps.estimateLeft, less(matrices.h, error))],
        told: say`${matrices.iteration === 1 ? "The model is still 0, so its error is −M*. " : ""}H(r) is the mean of ½·r·xxᵀ over the rows, where r is the residual. Off the diagonal, H(r) is near the error of the model. On the diagonal, H(r) adds half the mean of r to every entry: ${none(mean / 2)}. The third map shows it.`,
      };
    case "correct": {
      const left = less(matrices.m, error);
      return { maps: [square(maps.error, error), square("𝓜(r), corrected", matrices.m), square("𝓜(r) minus the error", left)], told: told[form](mean, trace(left, d) / d) };
    }
    case "orthogonalise": {
      const { lengths, cosine } = angles(matrices.u, d, k);
      const factor = (title: string, values: ArrayLike<number>): Shown => ({ ...square(title, values), columns: k });
      return {
        maps: [factor("U = V − 𝓜Ū, before QR", matrices.u), factor("Ū, after QR: U = ŪR", matrices.q), { ...factor("R", products(matrices.q, matrices.u, d, k)), rows: k }],
        told: say`U is V less 𝓜 times the old Ū. Its columns have the lengths ${list(lengths.map((value) => [quantity("none", value, number(value, 2))]))}, and the largest cosine between two is ${none(cosine)}. QR makes them perpendicular and of length 1: only their directions are kept.`,
      };
    }
    case "update": {
      const after = model(matrices);
      const left = less(after, truth);
      const factor = form === "printed" ? say` Without the missing term each iteration multiplies it by about −k/2 = ${none(-k / 2)}.` : [];
      return {
        maps: [square("M = sym(ŪVᵀ), the new model", after), square("M*, the truth", truth), square("M − M*, the new error", left)],
        told: say`V becomes V·ŪᵀŪ less 𝓜Ū, and w becomes w − 𝓦. M was off by ${none(errors[0])} of its size; now it is off by ${none(errors[1])}. The error of its trace goes from ${none(trace(error, d))} to ${none(trace(left, d))}.${factor}`,
      };
    }
  }
}
