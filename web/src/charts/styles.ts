// How models look in charts, by colour, dash and marker, and in grey what stands beside them.
import type { Model } from "../training/series.js";
import { isModel, type ModelError } from "../training/standing.js";

export const looks = {
  fm: { colour: "fm", dash: "8 5", symbol: "square" },
  gfm: { colour: "gfm", dash: "2 4", symbol: "triangle" },
  ifm: { colour: "ifm", dash: "", symbol: "circle" },
} as const;

const dashes = { mean: "1 4", ridge: "9 3 1 3", additive: "9 3", quadratic: "5 3", trees: "9 3 1 3 1 3" } as const;

/** The line of a model or a baseline. */
export function lineOf(whose: ModelError["whose"]): { readonly colour: Model | "edge"; readonly dash: string; readonly width: number } {
  if (isModel(whose)) return { ...looks[whose], width: 2.6 };
  return { colour: "edge", dash: dashes[whose], width: 1.5 };
}

/** The letters that name a model or a baseline in a chart. */
export function textOf(whose: ModelError["whose"]): readonly [fill: string, weight: number] {
  return isModel(whose) ? [`var(--${whose})`, 660] : ["var(--quiet)", 400];
}
