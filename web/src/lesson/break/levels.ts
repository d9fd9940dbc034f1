// The levels: each has a score to reach, a matrix to begin with, and what else the reader's matrix must be.
import type { Contest } from "../../engine/protocol.js";
import { FEATURES, frustrated, places, type Pairs } from "./pairs.js";

export const levels = ["pair", "triangle", "rank", "positive"] as const;
export type Level = (typeof levels)[number];

export const GOAL = { pair: 2, triangle: 10, rank: 60, positive: 10 } as const; // scores
export const MOST = 6; // pairs of the triangle's level

/** v for the pairs that between accepts, 0 for the others. */
function where(v: number, between: (i: number, j: number) => boolean): Pairs {
  return places.map(([i, j]) => (between(i, j) ? v : 0));
}

export const starts: Readonly<Record<Level, Pairs>> = {
  pair: where(-1, (_, j) => j < 2),
  triangle: where(-1, (_, j) => j < 3),
  rank: where(1, () => true),
  positive: where(1, (i, j) => i < 2 && j >= FEATURES - 2),
};

const negative = (pairs: Pairs): number => pairs.filter((v) => v < 0).length;
const rules: Readonly<Record<Level, (pairs: Pairs) => boolean>> = {
  pair: (pairs) => negative(pairs) === 1,
  triangle: (pairs) => pairs.filter((v) => v !== 0).length <= MOST && frustrated(pairs) !== null,
  rank: () => true,
  positive: (pairs) => negative(pairs) === 0,
};

export function reached(level: Level, { pairs, score }: Contest): boolean {
  return score >= GOAL[level] && rules[level]([...pairs]);
}
