// The interactions of six features by their pairs i < j, row by row: as a link
// has them, and as a reader changes them.

export const FEATURES = 6;

/** A matrix by its pairs: hundredths from −1 to 1. */
export type Pairs = readonly number[];

/** Every pair of different features, in the order of the numbers. */
export const places: readonly (readonly [i: number, j: number])[] = Array.from({ length: FEATURES }, (_, i) => Array.from({ length: FEATURES - 1 - i }, (_, n) => [i, i + 1 + n] as const)).flat();

/** Where the pair of two features stands; −1 for one with itself. */
export function index(i: number, j: number): number {
  const [low, high] = i < j ? [i, j] : [j, i];
  return places.findIndex(([a, b]) => a === low && b === high);
}

/** The nearest number that an entry may be. */
function held(value: number): number {
  return Math.min(1, Math.max(-1, Math.floor(100 * value + 0.5) / 100)) + 0;
}

/** Reads a link's form as core/spec does; null if it is no matrix. */
export function read(text: string): Pairs | null {
  const parts = text.split(",");
  const numbers = parts.map(Number);
  if (numbers.length !== places.length || parts.some((part) => !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(part)) || numbers.some((v) => Math.abs(v) > 1)) return null;
  return numbers.map(held);
}

export function write(pairs: Pairs): string {
  return pairs.join(",");
}

/** The same with one pair changed. */
export function changed(pairs: Pairs, at: number, value: number): Pairs {
  return pairs.map((v, i) => (i === at ? held(value) : v));
}

/** The first three features whose pairs have a negative product; null if there are none. */
export function frustrated(pairs: Pairs): readonly [number, number, number] | null {
  const at = (i: number, j: number): number => pairs[index(i, j)] ?? 0;
  for (const [i, j] of places) {
    for (let k = j + 1; k < FEATURES; k++) if (at(i, j) * at(j, k) * at(i, k) < 0) return [i, j, k];
  }
  return null;
}

/** What was made of a matrix to which eigenvalues were given. */
export interface Bent {
  readonly pairs: Pairs;
  readonly held: boolean; // entries beyond −1 and 1 were
}

/** The pairs of Σ valueᵢ·vectorᵢ·vectorᵢᵀ, whose diagonal is left out. */
export function bent(values: readonly number[], vectors: ArrayLike<number>): Bent {
  const exact = places.map(([i, j]) => values.reduce((sum, value, v) => sum + value * (vectors[v * FEATURES + i] ?? 0) * (vectors[v * FEATURES + j] ?? 0), 0));
  return { pairs: exact.map(held), held: exact.some((v) => Math.abs(v) > 1.005) };
}
