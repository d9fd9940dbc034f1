// The words of what is one step back from the figure.
import type { Spec } from "../state/spec.js";
import { number, percent, power } from "../text/format.js";
import { counted } from "../text/strings.js";

export const rest = {
  maps: "Heat maps",
  files: "Data and files",
  settings: "All settings",
};

export const live = (drawn: boolean, n: number, test: number, d: number, k: number, seed: number, more: readonly string[]): string =>
  `${drawn ? "Computed live" : "Drawing the data"}: ${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `k = ${k}`, `seed ${seed}`, ...more].join(", ")}.`;

export const facts = {
  trials: (trials: number) => counted(trials, "trial"),
  orthonormal: "orthonormal true factors",
  kept: "true diagonal kept",
  rank: (rank: number) => `models of rank ${rank}`,
  equal: "FM with twice the rank",
  tau: (tau: number) => `τ = ${number(tau)}`,
  rho: (rho: number) => `ρ = ${number(rho)} between neighbours`,
  solver: { default: "alternating gradient descent", als: "block ALS", agd: "alternating gradient descent", auto: "a solver chosen by the columns", "gauss-newton": "Gauss–Newton", scaled: "scaled gradient descent", algorithm1: "Algorithm 1, corrected", centred: "Algorithm 1, centred", printed: "Algorithm 1 as printed" } satisfies Record<Spec["solver"], string>,
};

export const sides = {
  truth: (scenario: Spec["scenario"], orthonormal: boolean, kept: boolean) =>
    `${orthonormal ? { psd: "QΛQᵀ", flipped: "−QΛQᵀ", mixed: "QΛQᵀ of both signs" }[scenario] : { psd: "UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" }[scenario]}, ${kept ? "with" : "no"} diagonal`,
  error: (value: number) => `relative error ${value < 0.0005 ? `< ${power(Math.max(-6, Math.floor(Math.log10(value)) + 1))}` : percent(value)}`, // short: it stands over a picture
  diagonal: "cannot represent a zero diagonal",
  noDiagonal: "no diagonal, unlike the true matrix",
  gfm: (kept: boolean) => `gFM keeps the diagonal of UVᵀ; FM and iFM set theirs to zero. ${kept ? "The true matrix has a diagonal. Only gFM can represent it." : "The true matrix has none. A gFM of the same rank fits the other entries only as well as its own diagonal allows."}`,
};

export const predicted = {
  title: "Predicted against actual",
  note: "Test rows of the first trial, y as simulated."
};
