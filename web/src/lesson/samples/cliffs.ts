// From how many rows on the truth is found: the cliffs of the map, on either of two axes.
import type { Spec } from "../../state/spec.js";
import { cycle } from "../chapter/cycle.js";
import type { Line } from "../../charts/lines.js";

/** What rows are counted in: the d·k numbers of a factor matrix, or all that the truth is free in. */
export const axes = ["dk", "free"] as const;
export type Axis = (typeof axes)[number];

/**
 * The free numbers of a truth: a symmetric M of rank r has dr − r(r−1)/2, and no
 * more than there are places off its diagonal, or with it where that is kept; w
 * has d and the bias 1. UVᵀ of Gaussian factors has rank 2k once it is symmetric.
 */
export function free(d: number, k: number, truth: Pick<Spec, "truth" | "scenario" | "diagonal">): number {
  const r = Math.min(truth.truth === "gaussian" && truth.scenario === "mixed" ? 2 * k : k, d);
  return Math.min(d * r - (r * (r - 1)) / 2, (d * (d + (truth.diagonal === "kept" ? 1 : -1))) / 2) + d + 1;
}

/** The share of trials that found the truth, by rows. */
export interface Cliff {
  readonly name: string;
  readonly k: number;
  readonly d: number;
  readonly unit: number; // rows that are 1 on the axis
  readonly n: readonly number[]; // in rising order
  readonly share: readonly number[];
}

/** The rows from which on every trial found the truth; NaN where there are none. */
export function edge({ n, share }: Cliff): number {
  const missed = share.findLastIndex((v) => v < 1);
  return n[missed + 1] ?? Number.NaN;
}

/** A line for each cliff; and, where bounds are asked for, where rows like k²d would put the others' edges if they put the first's where it is. */
export function lines(cliffs: readonly Cliff[], bound: (name: string) => string, bounded: boolean): Line[] {
  const found = cliffs.map((cliff, i): Line => ({ colour: "ifm", ...cycle(i), name: cliff.name, x: cliff.n.map((n) => n / cliff.unit), y: cliff.share }));
  const first = cliffs.find((cliff) => Number.isFinite(edge(cliff)));
  if (!bounded || !first) return found;
  const later = cliffs.filter(({ k }) => k > first.k);
  return [
    ...found,
    ...later.map((cliff): Line => {
      const at = (edge(first) * (cliff.k / first.k) ** 2 * (cliff.d / first.d)) / cliff.unit;
      return { colour: "base", ...cycle(cliffs.indexOf(cliff)), symbol: "", name: bound(cliff.name), x: [at, at], y: [0, 1] };
    }),
  ];
}
