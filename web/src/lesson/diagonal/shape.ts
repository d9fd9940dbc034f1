// Columns between Gaussian and ±1, in closed form.

/** Families of columns with κ = 0 that end at ±1. */
export const families = ["slider", "threepoint"] as const;

export type Family = (typeof families)[number];

export const POSITIONS = 100; // of the slider, from the first column of a family to ±1

/** A column of mean 0 and variance 1 in closed form. */
export interface Shape {
  readonly parameter: number; // a of slider columns, p of three-point ones
  readonly kappa: number; // E x³
  readonly phi: number; // E x⁴
  readonly tau: number; // φ − 1 − κ², what is left of the variance of x² once x is known
  readonly points: readonly { readonly x: number; readonly share: number }[]; // values that a share of the rows has
  readonly density: ((x: number) => number) | null; // of all other rows
}

/** The column at a position: steps grow small where τ does, which is 2 at the first and 0 at the last. */
export function shapeAt(family: Family, position: number): Shape {
  const left = (1 - position / POSITIONS) ** 2;
  if (family === "threepoint") {
    const p = 1 - (2 / 3) * left; // of the rows are not 0; 1/3 has a Gaussian's φ
    const x = 1 / Math.sqrt(p);
    const points = [-x, 0, x].map((at) => ({ x: at, share: at === 0 ? 1 - p : p / 2 })).filter(({ share }) => share > 0);
    return { parameter: p, kappa: 0, phi: 1 / p, tau: 1 / p - 1, points, density: null };
  }
  const a = 1 - left;
  const [phi, tau] = [3 - 2 * a ** 4, 2 * (1 - a ** 4)];
  if (a === 1) return { parameter: 1, kappa: 0, phi, tau, points: [-1, 1].map((x) => ({ x, share: 0.5 })), density: null };
  const sd = Math.sqrt(1 - a * a);
  return { parameter: a, kappa: 0, phi, tau, points: [], density: (x) => (normal((x - a) / sd) + normal((x + a) / sd)) / (2 * sd) };
}

export function normal(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}
