// What there is to be reached: each level has a matrix to begin with and a check of
// what a reader has made of it.
import type { Contest } from "../../engine/protocol.js";
import { FEATURES, frustrated, places, type Pairs } from "./pairs.js";

export const levels = ["pair", "triangle", "rank", "positive"] as const;
export type Level = (typeof levels)[number];

export const GOAL = { pair: 2, triangle: 10, rank: 60, positive: 10 } as const; // scores
export const MOST = 6; // pairs of the triangle's level

/** As painted, with v where between says so. */
function where(v: number, between: (i: number, j: number) => boolean): Pairs {
  return places.map(([i, j]) => (between(i, j) ? v : 0));
}

export const starts: Readonly<Record<Level, Pairs>> = {
  pair: where(-1, (_, j) => j < 2),
  triangle: where(-1, (_, j) => j < 3),
  rank: where(1, () => true),
  positive: where(1, (i, j) => i < 2 && j >= FEATURES - 2),
};

/** Whether a matrix reaches a level's goal. */
export function reached(level: Level, { pairs, score }: Contest): boolean {
  const all = [...pairs];
  const negative = all.filter((v) => v < 0).length;
  const painted = all.filter((v) => v !== 0).length;
  const enough = score >= GOAL[level];
  switch (level) {
    case "pair":
      return enough && negative === 1;
    case "triangle":
      return enough && painted <= MOST && frustrated(all) !== null;
    case "rank":
      return enough;
    case "positive":
      return enough && negative === 0;
  }
}
