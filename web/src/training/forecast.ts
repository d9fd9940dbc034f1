// How long a search may take, from what is planned.
import type { Plan } from "../engine/protocol.js";
import { solverOf } from "../state/groups.js";
import type { Spec } from "../state/spec.js";

const PRODUCT = 0.7e-9; // s of a descent's iteration, for an element of the design and a column of the factors
const MULTIPLY = 1.5e-9; // s of a multiply-add of als
const SWEEPS = 30; // of als within which most candidates stop
const NUMBERS = 2; // a piecewise-linear basis has two elements where a number has one

interface Forecast {
  readonly candidates: number; // of a model
  readonly seconds: number; // on an ordinary laptop, with so many lanes
  readonly bound: boolean; // nothing takes longer; else some candidates may
}

export function forecast({ bytes, steps, features }: Pick<Plan, "bytes" | "steps" | "features">, spec: Spec, lanes: number): Forecast {
  const { models, trials, ranks, encode, iterations, folds } = spec;
  const candidates = Math.round(steps / (iterations * (1 + (folds > 1 ? folds : 0))));
  const elements = bytes / 8;
  if (solverOf({ ...spec, source: "table" }) !== "als") {
    const rank = ranks.reduce((sum, k) => sum + k, 0) / Math.max(1, ranks.length);
    return { candidates, seconds: (steps * models.length * trials * elements * rank * PRODUCT) / lanes, bound: true };
  }
  const encodings = encode === "auto" ? [1, NUMBERS] : [encode === "hats" ? NUMBERS : 1];
  const sweeps = Math.min(iterations, SWEEPS);
  const penalties = (candidates / encodings.length - 1) / Math.max(1, ranks.length); // of a rank
  let products = 0;
  for (const model of models) {
    for (const k of ranks) {
      const p = model === "ifm" ? 2 * k + 1 : k + 1; // unknowns of a feature's block; gFM has two
      const blocks = model === "gfm" ? 2 : 1;
      for (const wider of encodings) products += blocks * penalties * (wider * elements * (p * p + 4 * p) + wider * features * p ** 3);
    }
  }
  return { candidates, seconds: (products * sweeps * trials * (folds > 1 ? folds + 1 : 1) * MULTIPLY) / lanes, bound: false };
}
