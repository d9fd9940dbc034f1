// Results as runs leave them, for the tests of what is made of them.
import type { Line, Model, Trial } from "./series.js";
import { UNSTUDIED, type Training } from "./training.js";

/** Numbers from 0 to 1, the same in every run. */
export function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Errors on one split, of those that took part in it. */
export function trial(errors: Partial<Trial> = {}): Trial {
  return { mean: 8, ridge: 4, additive: NaN, quadratic: NaN, trees: NaN, fm: NaN, gfm: NaN, ifm: NaN, ...errors };
}

export function line(model: Model, kept: number, more: Partial<Line> = {}): Line {
  return { model, iteration: [], error: [], low: [], high: [], trials: 1, finished: 1, reached: kept, kept, valid: NaN, choice: null, candidate: 0, candidates: 1, done: true, rose: 0, stops: [], ...more };
}

export function training(more: Partial<Training>): Training {
  return {
    ...UNSTUDIED, phase: "done", query: "", version: "1", series: [], folds: [], started: null, planned: 1, trials: [], lines: [], truth: null, matrices: new Map(), predictions: new Map(),
    classes: new Map(), importance: new Map(), models: new Map(), quadratic: null, opened: null, notices: [], error: null, slow: false, ghost: null, repeated: false, ...more,
  };
}
