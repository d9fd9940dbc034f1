// The words of the figure.
import type { Spec } from "../state/spec.js";
import { fraction, number } from "../text/format.js";
import { counted } from "../text/strings.js";

export const figure = {
  title: "Flip one sign and FM breaks.",
  lead: "A factorization machine (FM) gives each pair of features a weight: an entry of UUᵀ, which has no negative eigenvalues. Flip the sign of the truth and FM, at low rank, fits only a part. iFM takes UVᵀ, and does not mind.",
  switch: "Sign of the true interactions",
  truth: (scenario: Spec["scenario"], orthonormal: boolean, kept: boolean) =>
    `${orthonormal ? { psd: "QΛQᵀ", flipped: "−QΛQᵀ", mixed: "QΛQᵀ of both signs" }[scenario] : { psd: "UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" }[scenario]} ${kept ? "with" : "without"} its diagonal`,
  sign: { psd: "eigenvalues ≥ 0", flipped: "eigenvalues ≤ 0", mixed: "of both signs" } satisfies Record<Spec["scenario"], string>,
  live: (drawn: boolean, n: number, test: number, d: number, k: number, seed: number, more: readonly string[]) => `${drawn ? "Computed live" : "Drawing the data"}: ${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`, ...more].join(", ")}.`,
  trials: (trials: number) => counted(trials, "trial"),
  truthOf: { orthonormal: "orthonormal truth", kept: "its diagonal kept" },
  rank: (rank: number) => `models of rank ${rank}`,
  tau: (tau: number) => `τ = ${number(tau)}`,
  rho: (rho: number) => `ρ = ${number(rho)} between neighbours`,
  solver: { default: "by alternating gradient descent", als: "by block ALS", agd: "alternating gradient descent", auto: "a solver chosen by the columns", "gauss-newton": "by Gauss–Newton", scaled: "by scaled gradient descent", algorithm1: "by Algorithm 1, corrected", centred: "by Algorithm 1, centred", printed: "by Algorithm 1 as printed" } satisfies Record<Spec["solver"], string>,
  slowNote: "iFM still falls here, about as 1/t: this truth leaves half of its factors nothing to do. Only the log axis shows it.",
  printedNote: "The misprint concerns gFM alone: iFM’s step has no diagonal.",
  reduced: "Nothing moves by itself, as you asked your system. Press Play to train.",
  settings: "Settings of this run",
  glossary: "What the words mean",
  hidden: "The link of this frame hides every part of the figure.",
};

/** Of the matrices side by side. */
export const sides = {
  truth: "True M*",
  error: (value: number) => `relative error ${fraction(value)}`,
  diagonal: "cannot represent a zero diagonal",
  noDiagonal: "no diagonal, unlike the truth",
  gfm: (kept: boolean) => `gFM is UVᵀ as it is, its diagonal kept; FM and iFM set theirs to zero. ${kept ? "This truth has a diagonal, which gFM alone can represent." : "This truth has none: a gFM of the same rank fits the other entries as well as its own diagonal lets it."}`,
};

export const predicted = {
  title: "Predicted against actual",
  note: "Test rows of the first trial; y as it was drawn."
};
