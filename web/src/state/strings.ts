// The words of settings.
import { number } from "../text/format.js";
import { joined, short } from "../text/strings.js";
import type { Spec } from "./spec.js";

export const themes: Readonly<Record<"auto" | "light" | "dark", string>> = { auto: "Like the system", light: "Light", dark: "Dark" };

export const links = {
  sweep: "the link asks for a sweep, a grid of runs. The figure shows one run; the chapter “How many samples” runs a grid",
};

/** How rows are drawn. */
export const drawn = {
  scenario: { psd: "PSD", flipped: "Flipped", mixed: "Mixed" } satisfies Record<Spec["scenario"], string>,
  formula: { psd: "+UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" } satisfies Record<Spec["scenario"], string>,
  features: { gaussian: "Gaussian columns", uniform: "uniform columns", laplace: "Laplace columns", exponential: "exponential columns", threepoint: "three-point columns", twopoint: "two-point columns", slider: "columns between Gaussian and ±1", t5: "Student’s t columns, 5 degrees of freedom", t3: "Student’s t columns, 3 degrees of freedom", lognormal: "lognormal columns", counts: "count columns", equicorrelated: "Gaussian columns, each pair correlated by .9", onehot: "one-hot columns" } satisfies Record<Spec["features"], string>,
  noise: (noise: number) => `noise ${number(noise)}`,
};

export const settings: Readonly<Partial<Record<keyof Spec, string>>> = {
  models: "Models",
  log: "Learn the logarithm of the target",
  solver: "Solver",
  scenario: "True interactions",
  truth: "True factors",
  diagonal: "True diagonal",
  features: "Columns",
  tau: "τ of the columns",
  share: "Share of the larger value",
  rho: "Correlation of neighbours ρ",
  levels: "Levels of a table column",
  rank: "Model rank (0 = true rank)",
  numbers: "FM’s rank",
  batches: "Rows per iteration",
  moments: "Moments κ, φ",
  inverse: "If τ is too small",
  d: "Features d",
  k: "Rank k",
  n: "Training rows",
  test: "Test rows",
  noise: "Noise, in sd of y",
  seed: "Seed",
  trials: "Trials",
  iterations: "Maximum iterations",
  ranks: "Ranks to try",
  lambdas: "Penalties to try, per row",
  lambdaf: "Factor penalties to try",
  lambdaw: "Weight penalties to try",
  encode: "Numbers",
  patience: "Stop after so many iterations without gain (0 = default)",
  level: "Coverage of prediction intervals",
  rare: "Values seen fewer times than this become “other”",
  missing: "Missing cells",
  folds: "Cross-validation folds (0 = a fifth of the rows validates)",
};

/** The options of settings. */
export const options: Readonly<Record<string, string>> = joined(short, {
  no: "no",
  yes: "yes",
  default: "default",
  als: "block ALS",
  agd: "alternating gradient descent",
  auto: "automatic",
  linear: "as they are",
  hats: "as curves (piecewise linear)",
  "gauss-newton": "Gauss–Newton",
  scaled: "scaled gradient descent",
  algorithm1: "Algorithm 1, corrected",
  centred: "Algorithm 1, centred",
  printed: "Algorithm 1 as printed",
  gaussian: "Gaussian",
  orthonormal: "orthonormal",
  zero: "zero",
  kept: "kept",
  uniform: "uniform",
  laplace: "Laplace",
  exponential: "exponential",
  threepoint: "three points",
  twopoint: "two points",
  slider: "slider from Gaussian to ±1",
  t5: "Student’s t, 5 degrees of freedom (τ = 8)",
  t3: "Student’s t, 3 degrees of freedom (τ infinite)",
  lognormal: "lognormal (τ ≈ 75)",
  counts: "counts (τ = 4)",
  equicorrelated: "Gaussian, each pair correlated by .9",
  onehot: "one-hot: levels of table columns",
  reused: "one batch, reused",
  fresh: "a fresh batch each time",
  estimated: "estimated from the rows",
  true: "true moments",
  refuse: "refuse",
  pseudo: "use a pseudo-inverse",
  divide: "divide anyway",
  rank: "the same as iFM’s",
  equal: "twice iFM’s (equal parameters)",
  psd: "PSD",
  flipped: "flipped",
  mixed: "of both signs",
});

export const missing: Readonly<Record<Spec["missing"], string>> = { flag: "use the mean and a flag", drop: "leave the row out" };
