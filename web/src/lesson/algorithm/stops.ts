// What each step of an iteration shows and says, from what the engine's own
// iteration held. No page is needed here.
import type { Held } from "../../engine/protocol.js";
import type { Phrase } from "../../text/phrase.js";
import { iteration as strings, type Form, type Stage } from "./strings.js";

export const stages = ["estimate", "correct", "orthogonalise", "update"] as const satisfies readonly Stage[];

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
  readonly held: Held;
  readonly before: readonly number[]; // d×d: M
  readonly errors: readonly [number, number]; // ‖M − M*‖/‖M*‖ before and after, of the run's records
}

/** sym(QVᵀ), the model that an iteration leaves. */
export function model({ d, k, q, v }: Pick<Held, "d" | "k" | "q" | "v">): number[] {
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
  const { error, estimate, estimateLeft } = strings.maps;
  return { maps: [error, estimate, estimateLeft].map((title) => ({ title, rows: d, columns: d, values: [] })), told: [] };
}

export function stopOf({ held, before, errors }: Walked, form: Form, stage: Stage): Stop {
  const { d, k, truth, mean } = held;
  const { maps, told } = strings;
  const square = (title: string, values: ArrayLike<number>): Shown => ({ title, rows: d, columns: d, values: Array.from(values) });
  const error = less(before, truth);
  switch (stage) {
    case "estimate":
      return { maps: [square(maps.error, error), square(maps.estimate, held.h), square(maps.estimateLeft, less(held.h, error))], told: told.estimate(held.iteration === 1, mean) };
    case "correct": {
      const left = less(held.m, error);
      return { maps: [square(maps.error, error), square(maps.corrected, held.m), square(maps.correctedLeft, left)], told: told[form](mean, trace(left, d) / d) };
    }
    case "orthogonalise": {
      const { lengths, cosine } = angles(held.u, d, k);
      const factor = (title: string, values: ArrayLike<number>): Shown => ({ ...square(title, values), columns: k });
      return { maps: [factor(maps.before, held.u), factor(maps.after, held.q), { ...factor(maps.triangle, products(held.q, held.u, d, k)), rows: k }], told: told.orthogonalise(lengths, cosine) };
    }
    case "update": {
      const after = model(held);
      const left = less(after, truth);
      return { maps: [square(maps.model, after), square(maps.truth, truth), square(maps.left, left)], told: [...told.update(...errors), ...told.trace(trace(error, d), trace(left, d), k, form)] };
    }
  }
}
