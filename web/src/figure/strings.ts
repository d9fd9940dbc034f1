// The words of the figure.
import type { Spec } from "../state/spec.js";
import { number, percent, power } from "../text/format.js";
import { counted } from "../text/strings.js";
import type { Worded } from "./term.js";

export const figure = {
  title: "Flip one sign and FM breaks.",
  lead: ["A ", ["fm", "factorization machine"], " (FM) weighs each pair of features, but can only say that features of a kind go together. Some pairs cancel. Flip the sign, and an FM of low ", ["rank", "rank"], " fits only a part; ", ["ifm", "iFM"], " fits both."] satisfies Worded,
  switch: "Sign of the true interactions",
  signs: ["The sign of the true ", ["interaction", "interactions"], "; PSD: ", ["psd", "positive semidefinite"], "."] satisfies Worded,
  flip: "Flip it yourself",
  flipped: "The sign has flipped: what was +UUᵀ is −UUᵀ now.",
  staged: "Watch the sign …",
  before: "Before: +UUᵀ",
  after: "After the flip: −UUᵀ",
  curve: ["Test ", ["rmse", "RMSE"], " by iteration"] satisfies Worded,
  spectrum: ["Their ", ["eigenvalue", "eigenvalues"]] satisfies Worded,
  ridge: "ridge regression", // as the verdict has it
  truth: (scenario: Spec["scenario"], orthonormal: boolean, kept: boolean) =>
    `${orthonormal ? { psd: "QΛQᵀ", flipped: "−QΛQᵀ", mixed: "QΛQᵀ of both signs" }[scenario] : { psd: "UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" }[scenario]}, ${kept ? "with" : "no"} diagonal`,
  sign: { psd: "go together", flipped: "cancel", mixed: "of both signs" } satisfies Record<Spec["scenario"], string>,
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
  hidden: "The link of this frame hides every part of the figure.",
};

export const sides = {
  truth: "True M*",
  error: (value: number) => `relative error ${value < 0.0005 ? `< ${power(Math.max(-6, Math.floor(Math.log10(value)) + 1))}` : percent(value)}`, // short: it stands over a picture
  widest: "relative error 888 %",
  diagonal: "cannot represent a zero diagonal",
  noDiagonal: "no diagonal, unlike the truth",
  gfm: (kept: boolean) => `gFM is UVᵀ as it is, its diagonal kept; FM and iFM set theirs to zero. ${kept ? "This truth has a diagonal, which gFM alone can represent." : "This truth has none: a gFM of the same rank fits the other entries as well as its own diagonal lets it."}`,
};

export const predicted = {
  title: "Predicted against actual",
  note: "Test rows of the first trial; y as it was drawn."
};
